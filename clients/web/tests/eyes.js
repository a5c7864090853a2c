// What a test sees of the page. It is asked within the page, frame by frame, so that nothing is missed that one could have seen.
// `displayed` is a browser driver's own meaning of it.
window.eyes = {
  /** The elements that are displayed, and have this text. */
  all: (selector, text = "") =>
    [...document.querySelectorAll(selector)].filter(
      (element) => (element.innerText ?? element.textContent).includes(text) && displayed(element),
    ),

  /** Where the user is: in the detail if that is open, else in the list. */
  position: () => eyes.all(".detail .position, .screen .position").at(-1)?.innerText ?? "",

  /** The rows on the page, in their order: those in sight, and a few more. */
  rows: () =>
    [...document.querySelectorAll(".screen:not([hidden]) [role=option]")]
      .map((row) => ({ place: Number(row.ariaPosInSet), title: row.querySelector(".row-title").textContent }))
      .sort((one, other) => one.place - other.place),

  /** What may explain that something is never seen. */
  told: async () => {
    const worker = await navigator.serviceWorker?.getRegistration();
    const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent);
    return JSON.stringify({
      address: location.href,
      isHidden: document.hidden,
      hasFocus: document.hasFocus(),
      focused: document.activeElement?.outerHTML.slice(0, 120),
      waiting: [...clock.waiting.values()].map(({ milliseconds }) => milliseconds),
      said: texts("dialog, .banner, .toast, .complaints, .notice, .pill, [role=status]"),
      notifications: (await worker?.getNotifications())?.map(({ title, body }) => [title, body]),
      notify: [globalThis.Notification?.permission, ...Object.entries(localStorage)],
    });
  },

  /** The controls that can be clicked at their middles, as they were found last, with their boxes. */
  found: [],

  /** Finds them: how many there are. */
  controls() {
    const selector = "a[href], button, summary, input, select, textarea, [role=option], [role=tab]";
    const boxes = [...document.querySelectorAll(selector)].map((element) => ({ element, box: element.getBoundingClientRect() }));
    eyes.found = boxes.filter(eyes.isOnTop);
    return eyes.found.length;
  },

  /** Whether a control is where it was found, and nothing is above it. */
  isOnTop({ element, box: { x, y, width, height } }) {
    const now = element.getBoundingClientRect();
    const top = width > 0 && height > 0 && now.x === x && now.y === y ? document.elementFromPoint(x + width / 2, y + height / 2) : null;
    return top !== null && element.contains(top);
  },

  /** Has them look as if they weren't there, but be there: none loses the focus. */
  hide(hidden) {
    for (const { element } of eyes.found) hidden ? element.style.setProperty("opacity", "0", "important") : element.style.removeProperty("opacity");
    return eyes.frame();
  },

  /** Those that look the same in two pictures of the page. */
  async same(...pictures) {
    const drawn = await Promise.all(
      pictures.map(async (data) => {
        const picture = new Image();
        picture.src = `data:image/png;base64,${data}`;
        await picture.decode();
        const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        context.drawImage(picture, 0, 0);
        return context;
      }),
    );
    const scale = drawn[0].canvas.width / innerWidth;
    const differs = ({ x, y, width, height }) => {
      const [one, other] = drawn.map((context) => context.getImageData(x * scale, y * scale, Math.max(1, width * scale), Math.max(1, height * scale)).data);
      let pixels = 0;
      for (let at = 0; at < one.length; at += 4) {
        const apart = Math.abs(one[at] - other[at]) + Math.abs(one[at + 1] - other[at + 1]) + Math.abs(one[at + 2] - other[at + 2]);
        // What is a little lighter than what it is on isn't seen.
        if (apart > 60) pixels += 1;
      }
      return pixels >= 6;
    };
    // What something has come upon meanwhile isn't seen for that reason.
    return eyes.found.filter((control) => eyes.isOnTop(control) && !differs(control.box)).map(({ element }) => element.outerHTML.slice(0, 200));
  },

  frame: () => new Promise(requestAnimationFrame),

  /** What the condition gives when it holds at last, or after so many milliseconds. */
  async until(condition, patience) {
    const end = performance.now() + patience;
    for (;;) {
      const found = condition();
      if (found || performance.now() > end) return found;
      await eyes.frame();
    }
  },
};
