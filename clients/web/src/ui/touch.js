import { Pan } from "./gestures.js";

/**
 * Follows one finger on an element. When the direction of the gesture is decided, `claims` is asked once. If it returns true, the
 * browser doesn't scroll and the gesture is reported.
 *
 * @param {HTMLElement} element
 * @param {object} gesture
 * @param {(pan: Pan, target: Element) => boolean} gesture.claims the target is the element that the finger was put on
 * @param {(pan: Pan) => void} gesture.moved
 * @param {(pan: Pan, speed: number) => void} gesture.left
 * @param {() => void} gesture.cancelled a second finger was put on, or the browser took over
 */
export function followTouch(element, { claims, moved, left, cancelled }) {
  /** @type {Pan | null} */
  let pan = null;
  let claimed = false;
  const forget = () => {
    if (claimed) cancelled();
    pan = null;
    claimed = false;
  };
  element.addEventListener(
    "touchstart",
    ({ touches, timeStamp }) => {
      forget();
      const touch = touches[0];
      if (touches.length === 1 && touch) pan = new Pan(touch.clientX, touch.clientY, timeStamp);
    },
    { passive: true },
  );
  element.addEventListener(
    "touchmove",
    (event) => {
      const touch = event.touches[0];
      if (!pan || !touch) return;
      const undecided = pan.axis === null;
      pan.move(touch.clientX, touch.clientY, event.timeStamp);
      if (undecided && pan.axis !== null) {
        claimed = event.cancelable && claims(pan, /** @type {Element} */ (event.target));
        if (!claimed) pan = null;
      }
      if (!pan || !claimed) return;
      event.preventDefault();
      moved(pan);
    },
    { passive: false },
  );
  element.addEventListener("touchend", ({ timeStamp }) => {
    if (pan && claimed) left(pan, pan.speed(timeStamp));
    pan = null;
    claimed = false;
  });
  element.addEventListener("touchcancel", forget);
}
