/** @type {KeyframeAnimationOptions} */
const TIMING = { duration: 280, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" };
/** How long a new row stays highlighted, in milliseconds. */
const FLASH_DURATION = 2400;

/**
 * The elements that may be animated. Asking the browser instead would make it compute the styles of each row.
 *
 * @type {WeakSet<Element>}
 */
const animated = new WeakSet();
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the user prefers reduced motion. */
export function prefersReducedMotion() {
  return reducedMotion.matches;
}

/**
 * Slides a row to its position.
 *
 * @param {Element} element
 * @param {number} dy pixels from its position to where it was before
 */
export function slideFrom(element, dy) {
  if (!reducedMotion.matches) animate(element, { translate: [`0 ${dy}px`, "0 0"] }, TIMING);
}

/**
 * Highlights a new row. With reduced motion only its color changes.
 *
 * @param {Element} element
 */
export function flashNew(element) {
  if (!reducedMotion.matches) animate(element, { opacity: [0, 1] }, TIMING);
  animate(element, { backgroundColor: ["var(--accent-soft)", "var(--accent-soft)", "transparent"] }, { duration: FLASH_DURATION });
}

/**
 * Animates the removal of an element.
 *
 * @param {HTMLElement} element is removed from the page at the end
 * @param {number} dx how far it was dragged to the right
 */
export function animateRemoval(element, dx) {
  const away = dx === 0 ? 0 : Math.sign(dx) * element.offsetWidth;
  const gone = element.animate({ translate: [`${dx}px 0`, `${away}px 0`], opacity: [1, 0] }, TIMING);
  const remove = () => element.remove();
  gone.finished.then(remove, remove);
}

/**
 * Slides an element that was dragged back to its position.
 *
 * @param {HTMLElement} element
 * @param {number} dx
 */
export function slideBack(element, dx) {
  if (!reducedMotion.matches) animate(element, { translate: [`${dx}px 0`, "0 0"] }, TIMING);
}

/**
 * Cancels the animations of a row.
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
