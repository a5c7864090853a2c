/** @type {KeyframeAnimationOptions} */
const CALM = { duration: 280, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" };
/** How long one sees that a row is new, in milliseconds. */
const NEW = 2400;

/**
 * What may be moving. To ask the browser of each row would have it work out all styles.
 *
 * @type {WeakSet<Element>}
 */
const moving = new WeakSet();
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether somebody wants nothing to move by itself. */
export function wantsStill() {
  return still.matches;
}

/**
 * Lets a row slide to where it is.
 *
 * @param {Element} element
 * @param {number} dy pixels from there to where it was
 */
export function slide(element, dy) {
  if (!still.matches) animate(element, { translate: [`0 ${dy}px`, "0 0"] }, CALM);
}

/**
 * Shows that a row is new. Its colour tells, also to whoever wants nothing to move.
 *
 * @param {Element} element
 */
export function shine(element) {
  if (!still.matches) animate(element, { opacity: [0, 1] }, CALM);
  animate(element, { backgroundColor: ["var(--accent-soft)", "var(--accent-soft)", "transparent"] }, { duration: NEW });
}

/**
 * Lets go of what isn't there any more.
 *
 * @param {HTMLElement} element is taken off the page afterwards
 * @param {number} dx how far it was dragged to the right
 */
export function leave(element, dx) {
  const away = dx === 0 ? 0 : Math.sign(dx) * element.offsetWidth;
  const gone = element.animate({ translate: [`${dx}px 0`, `${away}px 0`], opacity: [1, 0] }, CALM);
  const remove = () => element.remove();
  gone.finished.then(remove, remove);
}

/**
 * Lets what was dragged go back to where it was.
 *
 * @param {HTMLElement} element
 * @param {number} dx
 */
export function goBack(element, dx) {
  if (!still.matches) animate(element, { translate: [`${dx}px 0`, "0 0"] }, CALM);
}

/**
 * Has a row move no more.
 *
 * @param {Element} element
 */
export function stop(element) {
  if (moving.delete(element)) for (const animation of element.getAnimations()) animation.cancel();
}

/**
 * @param {Element} element
 * @param {Keyframe[] | PropertyIndexedKeyframes} frames
 * @param {KeyframeAnimationOptions} options
 */
function animate(element, frames, options) {
  moving.add(element);
  element.animate(frames, options);
}
