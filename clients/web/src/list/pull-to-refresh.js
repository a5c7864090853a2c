import { h, icon } from "../ui/dom.js";
import { rubberBand } from "../ui/gestures.js";
import { followTouch } from "../ui/touch.js";

/** How far a list is pulled down to refresh it, in pixels. */
const ENOUGH = 64;

/**
 * Refreshes a scroller when a finger pulls it down at its top.
 *
 * @param {HTMLElement} scroller
 * @param {() => void} refresh
 * @returns {HTMLElement} the icon above it, which shows how far it is pulled
 */
export function pullToRefresh(scroller, refresh) {
  const mark = h("div", { class: "pull", "aria-hidden": "true" }, icon("refresh"));
  const pulled = (/** @type {number} */ distance) => {
    for (const element of [scroller, mark]) element.style.setProperty("--pulled", `${distance}px`);
    mark.style.setProperty("--turned", `${distance * 4}deg`);
    mark.classList.toggle("enough", distance >= ENOUGH);
  };
  const leave = () => {
    for (const element of [scroller, mark]) element.classList.remove("pulling");
    pulled(0);
  };
  const far = (/** @type {number} */ dy) => Math.max(0, rubberBand(dy, 2.5 * ENOUGH));
  followTouch(scroller, {
    claims({ axis, dy }) {
      const claimed = axis === "y" && dy > 0 && scroller.scrollTop <= 0;
      if (claimed) for (const element of [scroller, mark]) element.classList.add("pulling");
      return claimed;
    },
    moved: ({ dy }) => pulled(far(dy)),
    left({ dy }) {
      leave();
      if (far(dy) >= ENOUGH) refresh();
    },
    cancelled: leave,
  });
  return mark;
}
