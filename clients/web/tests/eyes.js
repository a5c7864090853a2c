// What a test sees of the page. It is asked within the page, frame by frame, so that nothing is missed that one could have seen.
// `displayed` is a browser driver's own meaning of it.
window.eyes = {
  /** Returns the displayed elements that contain a text. */
  all: (selector, text = "") =>
    [...document.querySelectorAll(selector)].filter(
      (element) => (element.innerText ?? element.textContent).includes(text) && displayed(element),
    ),

  /** Returns the user's position in the detail if it is open, otherwise in the list. */
  position: () => eyes.all(".detail .position, .screen .position").at(-1)?.innerText ?? "",

  /** Returns the drawn rows in their order: the visible ones and a few more. */
  rows: () =>
    [...document.querySelectorAll(".screen:not([hidden]) [role=option]")]
      .map((row) => ({ place: Number(row.ariaPosInSet), title: row.querySelector(".row-title").textContent }))
      .sort((one, other) => one.place - other.place),

  /** Returns the page's texts and errors, which may explain why an element never appears. */
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

  /** The controls that can be clicked at their centers, with their boxes, as `controls` last found them. */
  found: [],

  /** Finds the controls, and returns their number. */
  controls() {
    const selector = "a[href], button, summary, input, select, textarea, [role=option], [role=tab]";
    const boxes = [...document.querySelectorAll(selector)].map((element) => ({ element, box: element.getBoundingClientRect() }));
    eyes.found = boxes.filter(eyes.isOnTop);
    return eyes.found.length;
  },

  /** Whether a control is still at its position, with nothing above it. */
  isOnTop({ element, box: { x, y, width, height } }) {
    const now = element.getBoundingClientRect();
    const top = width > 0 && height > 0 && now.x === x && now.y === y ? document.elementFromPoint(x + width / 2, y + height / 2) : null;
    return top !== null && element.contains(top);
  },

  /** Makes the controls invisible or visible. They stay in the document, so none loses the focus. */
  hide(hidden) {
    for (const { element } of eyes.found) hidden ? element.style.setProperty("opacity", "0", "important") : element.style.removeProperty("opacity");
    return eyes.frame();
  },

  /** Returns the controls that look the same in two pictures of the page. */
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
        // A small difference of color isn't visible.
        if (apart > 60) pixels += 1;
      }
      return pixels >= 6;
    };
    // Controls that were covered meanwhile are ignored.
    return eyes.found.filter((control) => eyes.isOnTop(control) && !differs(control.box)).map(({ element }) => element.outerHTML.slice(0, 200));
  },

  frame: () => new Promise(requestAnimationFrame),

  /** Returns the value of a condition when it becomes true, or after a number of milliseconds. */
  async until(condition, patience) {
    const end = performance.now() + patience;
    for (;;) {
      const found = condition();
      if (found || performance.now() > end) return found;
      await eyes.frame();
    }
  },
};
