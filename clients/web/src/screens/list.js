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
  #end = 0;

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    const mark = pullToRefresh(this.rows.element, () => this.refresh());
    this.element.append(mark, this.rows.element);
  }

  begin() {
    this.view.tell("viewWillAppear");
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
    this.#restore();
  }

  follow(/** @type {any} */ id, /** @type {number} */ index) {
    this.rows.opened = id;
    if (id !== undefined && identity(this.rows.items[index]) === id) this.rows.moveTo(index);
  }

  refresh() {
    this.rows.letGo();
    this.rows.scrollTo(0);
    super.refresh();
  }

  /** @param {any} item */
  async open(item) {
    const asked = await this.ask("select", { id: identity(item) });
    if (asked) this.page.open(this, item, asked.opened);
  }

  draw() {
    const { items, state, error } = this.view;
    const loading = ["nothing", "requesting"].includes(state.phase) && this.view["loading"] !== false || state.phase === "nothing";
    this.rows.setItems(items);
    const first = items.length === 0;
    this.rows.awaited = !loading || error ? 0 : first ? AWAITED.first : AWAITED.more;
    const ended = state.phase === "reachedBottom" || error !== null;
    if (ended || items.length >= this.#end && !first) this.rows.letGo();
    this.rows.foot.replaceChildren(...this.#foot(first && !loading, ended));
    this.place(first ? "" : `${items.length}${state.phase === "reachedBottom" ? "" : "+"}`);
    this.#restore(ended);
  }

  /** What is said while nothing is listed. */
  emptiness() {
    return emptiness("empty", "Nothing here");
  }

  /**
   * @param {boolean} nothing
   * @param {boolean} ended
   */
  #foot(nothing, ended) {
    const { error } = this.view;
    if (error) return [notice(error.message, "Try again", () => this.view.tell("retry"))];
    return nothing && ended ? [this.emptiness()] : [];
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #sees(start, end) {
    this.#end = end;
    if (this.has("viewport")) this.view.tell("viewport", { start, end });
    else if (end >= this.view["items"].length) this.view.tell("reachBottom");
  }

  #reachesBottom() {
    // The rows in sight have asked for what follows them already, unless that has failed before.
    if (!this.has("viewport") || this.view["error"]) this.view.tell("reachBottom");
  }

  #restore(ended = false) {
    if (this.#restored === null) return;
    const item = this.view["items"].find((/** @type {any} */ item) => String(identity(item)) === this.#restored);
    if (item === undefined && !ended) return;
    this.#restored = null;
    if (item === undefined) this.page.closeDetail();
    else void this.open(item);
  }
}
