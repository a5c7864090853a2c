/** @typedef {import("../net/session.js").View} View */

/** Sends `appear` to views that become visible and `disappear` to views that become hidden, if they have these inputs. */
export class ShownViews {
  #takes;
  /** @type {Set<View>} */
  #shown = new Set();

  /** @param {(view: View, input: string) => boolean} takes whether a view has an input without required parameters */
  constructor(takes) {
    this.#takes = takes;
  }

  /** @param {Map<View, () => void>} views that are shown now, each with a function that sends `appear` */
  update(views) {
    for (const view of this.#shown) if (!views.has(view)) this.hide(view);
    for (const [view, appear] of views) {
      if (this.#shown.has(view)) continue;
      this.#shown.add(view);
      if (this.#takes(view, "appear")) appear();
    }
  }

  /**
   * Sends `disappear` to a view. Must also be called before a view is closed.
   *
   * @param {View} view that isn't shown any more
   */
  hide(view) {
    if (this.#shown.delete(view) && this.#takes(view, "disappear")) view.send("disappear");
  }

  /** Forgets what is shown: views on a new connection haven't appeared yet. */
  reset() {
    this.#shown.clear();
  }
}
