/** @type {KeyframeAnimationOptions} */
const TIMING = { duration: 280, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" };
/** How long one sees that a row is new, in milliseconds. */
const FLASH_DURATION = 2400;

/**
 * What may be moving. To ask the browser of each row would have it work out all styles.
 *
 * @type {WeakSet<Element>}
 */
const animated = new WeakSet();
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether somebody wants nothing to move by itself. */
export function prefersReducedMotion() {
  return reducedMotion.matches;
}

/**
 * Lets a row slide to where it is.
 *
 * @param {Element} element
 * @param {number} dy pixels from there to where it was
 */
export function slideFrom(element, dy) {
  if (!reducedMotion.matches) animate(element, { translate: [`0 ${dy}px`, "0 0"] }, TIMING);
}

/**
 * Shows that a row is new. Its colour tells, also to whoever wants nothing to move.
 *
 * @param {Element} element
 */
export function flashNew(element) {
  if (!reducedMotion.matches) animate(element, { opacity: [0, 1] }, TIMING);
  animate(element, { backgroundColor: ["var(--accent-soft)", "var(--accent-soft)", "transparent"] }, { duration: FLASH_DURATION });
}

/**
 * Lets go of what isn't there any more.
 *
 * @param {HTMLElement} element is taken off the page afterwards
 * @param {number} dx how far it was dragged to the right
 */
export function animateRemoval(element, dx) {
  const away = dx === 0 ? 0 : Math.sign(dx) * element.offsetWidth;
  const gone = element.animate({ translate: [`${dx}px 0`, `${away}px 0`], opacity: [1, 0] }, TIMING);
  const remove = () => element.remove();
  gone.finished.then(remove, remove);
}

/**
 * Lets what was dragged go back to where it was.
 *
 * @param {HTMLElement} element
 * @param {number} dx
 */
export function slideBack(element, dx) {
  if (!reducedMotion.matches) animate(element, { translate: [`${dx}px 0`, "0 0"] }, TIMING);
}

/**
 * Has a row move no more.
 *
 * @param {Element} element
 */
export function stopAnimations(element) {
  if (animated.delete(element)) for (const animation of element.getAnimations()) animation.cancel();
}

/**
 * @param {Element} element
 * @param {Keyframe[] | PropertyIndexedKeyframes} frames
 * @param {KeyframeAnimationOptions} options
 */
function animate(element, frames, options) {
  animated.add(element);
  element.animate(frames, options);
}
