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
