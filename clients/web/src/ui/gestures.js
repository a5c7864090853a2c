/** How far a finger moves before its direction is decided, in pixels. */
const SLOP = 8;
/** The speed from which a gesture is a flick, in pixels per millisecond. */
const FLICK_SPEED = 0.4;
/** The time over which a finger's speed is measured, in milliseconds. */
const SPEED_WINDOW = 100;

/** The movement of one finger. */
export class Pan {
  /** @type {"x" | "y" | null} the direction; null until it is decided */
  axis = null;
  dx = 0;
  dy = 0;
  /** @type {{x: number, y: number, time: number}[]} */
  #trail;
  #origin;

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} time in milliseconds
   */
  constructor(x, y, time) {
    this.#origin = { x, y };
    this.#trail = [{ x, y, time }];
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} time
   */
  move(x, y, time) {
    this.dx = x - this.#origin.x;
    this.dy = y - this.#origin.y;
    this.#trail.push({ x, y, time });
    while (this.#trail.length > 2 && time - /** @type {any} */ (this.#trail[0]).time > SPEED_WINDOW) this.#trail.shift();
    if (this.axis || Math.hypot(this.dx, this.dy) < SLOP) return;
    this.axis = Math.abs(this.dx) > Math.abs(this.dy) ? "x" : "y";
  }

  /**
   * Returns the horizontal speed in pixels per millisecond. A finger that rests has speed 0.
   *
   * @param {number} time
   */
  speed(time) {
    const recent = this.#trail.filter((point) => time - point.time <= SPEED_WINDOW);
    const from = recent[0];
    const to = recent.at(-1);
    return from && to && to.time > from.time ? (to.x - from.x) / (to.time - from.time) : 0;
  }
}

/**
 * Returns where a dragged page goes when the finger leaves: 1 to the next page, -1 to the previous one, 0 back.
 *
 * @param {number} offset how far the page was dragged to the right
 * @param {number} speed to the right, in pixels a millisecond
 * @param {number} width of the page
 * @returns {-1 | 0 | 1}
 */
export function swipeDirection(offset, speed, width) {
  // A flick against the drag cancels it.
  if (Math.abs(speed) >= FLICK_SPEED) return Math.sign(speed) === Math.sign(offset) ? directionOf(offset) : 0;
  return Math.abs(offset) > width / 2 ? directionOf(offset) : 0;
}

/** @param {number} offset */
function directionOf(offset) {
  return offset > 0 ? -1 : 1;
}

/**
 * Returns how far something moves that is pulled beyond its end: ever less, and always less than `most`.
 *
 * @param {number} distance
 * @param {number} most
 */
export function rubberBand(distance, most) {
  return Math.sign(distance) * most * (1 - 1 / (Math.abs(distance) / most + 1));
}

/** Detects horizontal swipes on a trackpad. The browser reports them as wheel events only. */
export class WheelSwipe {
  /** Milliseconds without a wheel event after which the fingers have left the trackpad. */
  static REST_TIME = 120;
  /** How far the page was dragged to the right. */
  offset = 0;
  #coasting = false;
  #newest = -Infinity;
  #strength = 0;

  /**
   * @param {number} deltaX of the wheel event
   * @param {number} time
   * @param {number} width of the page
   * @returns {-1 | 0 | 1} where to go now. The trackpad's momentum after a swipe is ignored
   */
  scrolled(deltaX, time, width) {
    const rested = time - this.#newest > WheelSwipe.REST_TIME;
    // Momentum gets weaker. When it gets much stronger, the fingers have pushed again.
    const again = Math.abs(deltaX) > 2 * this.#strength + 10;
    this.#newest = time;
    this.#strength = Math.abs(deltaX);
    if (this.#coasting && !rested && !again) return 0;
    if (this.#coasting) this.offset = 0;
    this.#coasting = false;
    this.offset -= deltaX;
    if (Math.abs(this.offset) < Math.min(width / 3, 160)) return 0;
    const to = directionOf(this.offset);
    this.offset = 0;
    this.#coasting = true;
    return to;
  }

  /** The fingers have left the trackpad. */
  reset() {
    this.offset = 0;
    this.#coasting = false;
    this.#strength = 0;
  }
}
