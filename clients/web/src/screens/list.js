import { sameId } from "../../../javascript/src/index.js";
import { h } from "../dom.js";
import { Leaving } from "../leaving.js";
import { emptiness, notice, PASSING } from "../notice.js";
import { Pill } from "../pill.js";
import { Progress } from "../progress.js";
import { pullToRefresh } from "../pull.js";
import { Rows } from "../rows.js";
import { amountOf, asRead, humane, identity, nounOf } from "../words.js";
import { Screen } from "./screen.js";

/** Rows that stand for what is on its way: a screenful, or those below the rows that are there. */
const AWAITED = { first: 12, more: 3 };

/** Items that grow as the user comes to their end. */
export class ListScreen extends Screen {
  rows = new Rows(humane(this.view.screen), {
    opens: (item) => void this.open(item),
    sees: (start, end) => this.#sees(start, end),
    reachesBottom: () => this.#reachesBottom(),
    above: (count) => {
      this.#above = count;
      this.drawSoon();
    },
    ...(this.has("remove") && { removes: (/** @type {any} */ item) => this.archive(item) }),
  });
  #leaving = new Leaving(this.view, this.page, () => this.draw());
  #pill = new Pill(() => this.#goUp());
  #progress = new Progress();
  /** Rows that have come above those in sight. */
  #above = 0;
  #wasLoading = false;
  /** What was said of it. */
  #arrived = "";
  /** @type {any} the newest failure that was told */
  #told = null;
  /** @type {any} the id of the item that was read last */
  #read;
  /** @type {string | null} the id of the item to be shown once it is there, as the address has it */
  #restored = null;
  /** The place of the item that is or was open. */
  #followed = 0;
  #end = 0;

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    const mark = pullToRefresh(this.rows.element, () => this.refresh());
    const rows = h("div", { class: "beneath" }, this.rows.element, this.#pill.element);
    this.element.append(this.#progress.element, mark, rows);
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
    this.#leaving.undo();
    this.rows.keep();
  }

  heard(/** @type {string} */ output, /** @type {any} */ value) {
    if (output === "scrollToTop") this.rows.scrollTo(0);
    super.heard(output, value);
  }

  pressed(/** @type {string} */ key) {
    if (key === "e") return this.archive(this.rows.active);
    if (key === "u") return this.#leaving.undo();
    return super.pressed(key);
  }

  /**
   * Takes an item out of the list, which can be undone for a while.
   *
   * @param {any} item
   * @returns {boolean} whether it did something
   */
  archive(item) {
    if (item === undefined || !this.has("remove")) return false;
    if (this.view.isOpen) this.#leaving.take(item);
    else this.page.remind();
    return true;
  }

  undo() {
    return this.#leaving.undo();
  }

  restore(/** @type {string} */ id) {
    this.#restored = id;
    this.draw();
  }

  follow(/** @type {any} */ id, /** @type {number} */ index) {
    this.rows.opened = id;
    if (index >= 0) this.#followed = index;
    const { items } = this.rows;
    // Items that are on their way out aren't among the rows.
    const row = [index, index - 1].find((row) => id !== undefined && sameId(identity(items[row]), id));
    if (row !== undefined) this.rows.moveTo(row);
    if (id === undefined || !sameId(id, this.#read)) this.#markAsRead(id);
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
    const { state, error } = this.view;
    const items = this.#leaving.without(this.view["items"]);
    const loading = state.phase === "nothing" || state.phase === "requesting";
    this.rows.setItems(items, loading && state.trigger === "reachTop");
    const first = items.length === 0;
    this.rows.awaited = loading ? (first ? AWAITED.first : AWAITED.more) : 0;
    const ended = state.phase === "reachedBottom" || state.phase === "failed";
    if (ended || (items.length >= this.#end && !first)) this.rows.letGo();
    const passing = error !== null && PASSING.includes(error.trigger);
    if (passing) this.#tell(error);
    if (error && !passing) this.rows.foot.say(error, () => notice(error.message, "Try again", () => this.view.send("retry")));
    else this.rows.foot.say(first && ended ? `nothing ${this.view["query"]}` : null, () => this.emptiness());
    this.#progress.show(state.progress);
    this.place(first ? "" : placeOf(items.length, state));
    if (this.#wasLoading && !loading && !first) this.say(`${items.length} items`);
    this.#wasLoading = loading;
    this.#showArrivals(items[0]);
    this.#restore(ended || (!loading && !first && !this.page.detailed));
  }

  /** What is said while nothing is listed. */
  emptiness() {
    return emptiness("empty", "Nothing here");
  }

  /** @param {any} first the first item */
  #showArrivals(first) {
    const count = this.#above + (this.view["arrivals"]?.count ?? 0);
    const text = count === 0 ? "" : `${count} new ${nounOf(first, count)}`;
    this.#pill.show(text);
    if (text !== this.#arrived && text !== "") this.say(text);
    this.#arrived = text;
  }

  #goUp() {
    if (this.view["arrivals"]?.count > 0) this.view.send("showArrivals");
    else this.rows.goUp();
    this.focus();
  }

  /**
   * What is open has been read, and the source is told so, once: whoever marks it as unread later means it.
   *
   * @param {any} id
   */
  #markAsRead(id) {
    this.#read = id;
    const item = id === undefined ? undefined : this.view["items"].find((/** @type {any} */ item) => sameId(identity(item), id));
    const read = item === undefined || !this.has("change") ? null : asRead(item);
    if (read && this.view.isOpen) this.view.send("change", { item: read });
  }

  /** @param {{number: number, message: string, trigger: string}} error */
  #tell(error) {
    if (error.number === this.#told) return;
    this.#told = error.number;
    // Of a removal whoever asked for it tells.
    if (error.trigger !== "remove") this.page.complain(error.message);
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

/**
 * How many items there are, as far as anybody knows.
 *
 * @param {number} count
 * @param {{phase: string, total?: number | null}} state
 */
function placeOf(count, { phase, total }) {
  if (typeof total === "number" && total > count) return `${count} of ${amountOf(total)}`;
  return `${count}${phase === "reachedBottom" ? "" : "+"}`;
}
