import { emptiness, notice } from "../notice.js";
import { pullToRefresh } from "../pull.js";
import { Rows } from "../rows.js";
import { humane } from "../words.js";
import { Screen } from "./screen.js";

/** One page, loaded when it is asked for. Nothing but its answer tells that it isn't on its way any more. */
export class FeedScreen extends Screen {
  #rows = new Rows(humane(this.view.screen), {
    opens: (item) => this.page.open(this, item, undefined),
    sees() {},
    reachesBottom() {},
  });
  #waits = false;

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    this.element.append(pullToRefresh(this.#rows.element, () => this.refresh()), this.#rows.element);
  }

  begin() {
    this.refresh();
  }

  appear() {
    this.#rows.appear();
  }

  focus() {
    this.#rows.focus();
  }

  lost() {
    this.#rows.keep();
  }

  follow(/** @type {any} */ id) {
    this.#rows.opened = id;
  }

  refresh() {
    if (!this.view.isOpen) return this.page.remind();
    this.#waits = true;
    super.refresh();
    this.drawSoon();
  }

  heard(/** @type {string} */ output, /** @type {any} */ value) {
    // A failure that is over is told by null, before the answer.
    if (output === "offers" || value !== null) this.#waits = false;
    super.heard(output, value);
  }

  draw() {
    const { offers, error } = this.view;
    this.#rows.setItems(offers);
    if (!this.#waits) this.#rows.letGo();
    this.#rows.awaited = this.#waits && offers.length === 0 ? 12 : 0;
    const nothing = !this.#waits && offers.length === 0;
    if (error) this.#rows.foot.say(error, () => notice(error.message, "Try again", () => this.refresh()));
    else this.#rows.foot.say(nothing ? "nothing" : null, () => emptiness("empty", "Nothing here"));
    this.element.classList.toggle("waiting", this.#waits);
    this.place(offers.length > 0 ? String(offers.length) : "");
  }
}
