/** Pixels that a finger moves before it is clear where it goes. */
const SLOP = 8;
/** Pixels in a millisecond from which on a gesture is a flick, however short its way. */
const FLICK_SPEED = 0.4;
/** Milliseconds in which a finger's newest speed is measured. */
const SPEED_WINDOW = 100;

/** A finger on its way. */
export class Pan {
  /** @type {"x" | "y" | null} where it goes; null until that is clear */
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
   * How fast it goes sideways, in pixels a millisecond. A finger that has come to rest isn't fast.
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
 * Where a dragged page goes when it is let go: 1 to the next, -1 to the one before, 0 back to where it was.
 *
 * @param {number} offset how far it was dragged to the right
 * @param {number} speed to the right, in pixels a millisecond
 * @param {number} width the page's
 * @returns {-1 | 0 | 1}
 */
export function swipeDirection(offset, speed, width) {
  // A flick back takes back what was dragged.
  if (Math.abs(speed) >= FLICK_SPEED) return Math.sign(speed) === Math.sign(offset) ? directionOf(offset) : 0;
  return Math.abs(offset) > width / 2 ? directionOf(offset) : 0;
}

/** @param {number} offset */
function directionOf(offset) {
  return offset > 0 ? -1 : 1;
}

/**
 * How far something goes that is pulled beyond its end: less and less, and never `most`.
 *
 * @param {number} distance
 * @param {number} most
 */
export function rubberBand(distance, most) {
  return Math.sign(distance) * most * (1 - 1 / (Math.abs(distance) / most + 1));
}

/** Two fingers on a trackpad, of which a browser says only how far a wheel would have turned. */
export class WheelSwipe {
  /** Milliseconds without a turn after which the fingers have left. */
  static REST_TIME = 120;
  /** How far the page was dragged to the right. */
  offset = 0;
  #coasting = false;
  #newest = -Infinity;
  #strength = 0;

  /**
   * @param {number} deltaX what the wheel says
   * @param {number} time
   * @param {number} width the page's
   * @returns {-1 | 0 | 1} where to go now; after that, what the trackpad adds of its own is nobody's wish
   */
  scrolled(deltaX, time, width) {
    const rested = time - this.#newest > WheelSwipe.REST_TIME;
    // What runs down gets weaker; when it gets much stronger, fingers have pushed again.
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

  /** The fingers have left. */
  reset() {
    this.offset = 0;
    this.#coasting = false;
    this.#strength = 0;
  }
}
