import { slideBack } from "../ui/animations.js";
import { h, icon } from "../ui/dom.js";
import { swipeDirection } from "../ui/gestures.js";
import { followTouch } from "../ui/touch.js";

/**
 * Lets a finger swipe rows out of a list.
 *
 * @param {HTMLElement} list
 * @param {object} rows
 * @param {string} rows.icon of the action; empty for the archive's icon
 * @param {(row: HTMLElement) => boolean} rows.takes whether a row can be swiped; from then on it is
 * @param {(dx: number) => Promise<void>} rows.out the row was swiped out. Resolves when the list is without it, or keeps it
 * @param {() => void} rows.back the row was released
 * @returns {() => void} puts a row that was swiped out back in its place. Must be called before its element shows another item
 */
export function swipeOut(list, { icon: sign, takes, out, back }) {
  const picture = () => (sign ? h("span", {}, sign) : icon("archive"));
  const under = h("div", { class: "under", "aria-hidden": "true", hidden: true }, picture(), picture());
  list.prepend(under);
  /** @type {HTMLElement | null} */
  let row = null;
  let way = 0;
  const drop = () => {
    row?.classList.remove("dragged");
    if (row) row.style.translate = "";
    under.hidden = true;
    row = null;
  };
  const slide = () => {
    const stays = row;
    drop();
    if (stays) slideBack(stays, way);
  };
  const stay = () => {
    slide();
    back();
  };
  followTouch(list, {
    claims({ axis }, target) {
      const touched = /** @type {HTMLElement | null} */ (target.closest(".row"));
      if (axis !== "x" || !touched || !takes(touched)) return false;
      drop();
      row = touched;
      row.classList.add("dragged");
      under.style.transform = row.style.transform;
      under.hidden = false;
      return true;
    },
    moved({ dx }) {
      way = dx;
      if (row) row.style.translate = `${dx}px`;
      under.classList.toggle("enough", swipeDirection(dx, 0, list.clientWidth) !== 0);
    },
    left({ dx }, speed) {
      if (swipeDirection(dx, speed, list.clientWidth) === 0) return stay();
      const swiped = row;
      void out(dx).then(() => row === swiped && slide());
    },
    cancelled: stay,
  });
  return drop;
}
