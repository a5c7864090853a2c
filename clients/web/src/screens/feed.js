import { pullToRefresh } from "../list/pull-to-refresh.js";
import { Rows } from "../list/rows.js";
import { humane } from "../text/item-display.js";
import { emptiness, notice } from "../ui/notice.js";
import { Screen } from "./screen.js";

/** One page, loaded when it is asked for. */
export class FeedScreen extends Screen {
  #rows = new Rows(humane(this.view.screen), this.about.display, {
    opens: (item) => this.page.open(this, item, undefined),
    sees() {},
    reachesBottom() {},
  });
  list = this.states().find((name) => Array.isArray(this.view.value(name))) ?? "";
  /** Whether a refresh hasn't reached the server yet. */
  #asks = false;

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

  async refresh() {
    if (!this.view.isOpen) return this.page.remind();
    this.#asks = true;
    this.drawSoon();
    await this.ask("refresh");
    this.#asks = false;
    this.drawSoon();
  }

  draw() {
    const { failure } = this;
    const { items } = this;
    const waits = this.#asks || this.view.current["loading"] === true;
    this.#rows.setItems(items);
    if (!waits) this.#rows.letGo();
    this.#rows.awaited = waits && items.length === 0 ? 12 : 0;
    const nothing = !waits && items.length === 0;
    if (failure) this.#rows.foot.say(failure, () => notice(failure.message, "Try again", () => this.refresh()));
    else this.#rows.foot.say(nothing ? "nothing" : null, () => emptiness("empty", "Nothing here"));
    this.element.classList.toggle("waiting", waits);
    this.place(items.length > 0 ? String(items.length) : "");
  }
}
