import { sameId } from "../../../javascript/src/index.js";
import { emptiness, notice } from "../notice.js";
import { pullToRefresh } from "../pull.js";
import { Rows } from "../rows.js";
import { humane, identity } from "../words.js";
import { Screen } from "./screen.js";

/** Rows that stand for what is on its way: a screenful, or those below the rows that are there. */
const AWAITED = { first: 12, more: 3 };

/** Items that grow as the user comes to their end. */
export class ListScreen extends Screen {
  rows = new Rows(humane(this.view.screen), {
    opens: (item) => void this.open(item),
    sees: (start, end) => this.#sees(start, end),
    reachesBottom: () => this.#reachesBottom(),
  });
  /** @type {string | null} the id of the item to be shown once it is there, as the address has it */
  #restored = null;
  /** The place of the item that is or was open. */
  #followed = 0;
  #end = 0;

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    const mark = pullToRefresh(this.rows.element, () => this.refresh());
    this.element.append(mark, this.rows.element);
  }

  begin() {
    this.view.send("viewWillAppear");
  }

  appear() {
    this.rows.appear();
  }

  focus() {
    this.rows.focus();
  }

  lost() {
    this.rows.keep();
  }

  restore(/** @type {string} */ id) {
    this.#restored = id;
    this.draw();
  }

  follow(/** @type {any} */ id, /** @type {number} */ index) {
    this.rows.opened = id;
    if (index >= 0) this.#followed = index;
    if (id !== undefined && sameId(identity(this.rows.items[index]), id)) this.rows.moveTo(index);
  }

  refresh() {
    super.refresh();
    if (!this.view.isOpen) return;
    this.rows.letGo();
    this.rows.scrollTo(0);
  }

  /** @param {any} item */
  async open(item) {
    const asked = await this.ask("select", { id: identity(item) });
    if (asked) this.page.open(this, item, asked.opened);
  }

  draw() {
    const { items, state, error } = this.view;
    const loading = state.phase === "nothing" || state.phase === "requesting";
    this.rows.setItems(items);
    const first = items.length === 0;
    this.rows.awaited = loading ? (first ? AWAITED.first : AWAITED.more) : 0;
    const ended = state.phase === "reachedBottom" || state.phase === "failed";
    if (ended || (items.length >= this.#end && !first)) this.rows.letGo();
    if (error) this.rows.foot.say(error, () => notice(error.message, "Try again", () => this.view.send("retry")));
    else this.rows.foot.say(first && ended ? `nothing ${this.view["query"]}` : null, () => this.emptiness());
    this.place(first ? "" : `${items.length}${state.phase === "reachedBottom" ? "" : "+"}`);
    if (!loading && !first) this.say(`${items.length} items`);
    this.#restore(ended || (!loading && !first && !this.page.detailed));
  }

  /** What is said while nothing is listed. */
  emptiness() {
    return emptiness("empty", "Nothing here");
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #sees(start, end) {
    this.#end = end;
    // The row of the item that is to be shown again is wanted as much as those in sight.
    const wanted = this.#restored === null ? end : Math.max(end, this.#followed + 1);
    if (this.has("viewport")) this.view.send("viewport", { start, end: wanted });
    else if (end >= this.view["items"].length) this.view.send("reachBottom");
  }

  #reachesBottom() {
    // The rows in sight have asked for what follows them already, unless that has failed before.
    if (!this.has("viewport") || this.view["error"]) this.view.send("reachBottom");
  }

  /** @param {boolean} ended whether it doesn't come by itself any more */
  #restore(ended) {
    if (this.#restored === null) return;
    const item = this.view["items"].find((/** @type {any} */ item) => String(identity(item)) === this.#restored);
    if (item === undefined && !ended) return;
    const restored = this.#restored;
    this.#restored = null;
    if (item === undefined) this.page.missing(restored);
    else void this.open(item);
  }
}
