import { sameId } from "../../javascript/src/index.js";
import { Carousel } from "./carousel.js";
import { h, icon, iconButton, setText } from "./dom.js";
import { Foot, notice, PASSING } from "./notice.js";
import { identity } from "./words.js";

/** Stands for the id of an item that isn't loaded yet. */
const AWAITED = Symbol("awaited");

/**
 * @typedef {import("../../javascript/src/types.js").PagerView} PagerView
 * @typedef {import("../../javascript/src/types.js").ListView} ListView
 */

/** One item, and by swiping those beside it in its list. */
export class Detail {
  element;
  #carousel = new Carousel((direction) => this.#go(direction));
  #position = h("span", { class: "position", role: "status" });
  #previous = iconButton("back", "Previous", () => this.#carousel.go(-1));
  #next = iconButton("next", "Next", () => this.#carousel.go(1));
  #archive = iconButton("archive", "Archive", () => void this.#leave());
  #foot = new Foot();
  #moved;
  #archives;
  #undoes;
  /** @type {{pager: PagerView, list: ListView} | null} */
  #shown = null;
  #listening = new AbortController();

  /**
   * @param {object} options
   * @param {() => void} options.closes
   * @param {(page: import("../../javascript/src/types.js").Page<any>) => void} options.moved another item is shown
   * @param {(item: any, left: boolean) => void} options.archives the item is to go; `left` if another is shown already
   * @param {() => boolean} options.undoes
   */
  constructor({ closes, moved, archives, undoes }) {
    this.#moved = moved;
    this.#archives = archives;
    this.#undoes = undoes;
    this.#archive.hidden = true;
    const close = iconButton("close", "Close", closes);
    close.append(icon("leave"));
    const bar = h("header", { class: "bar" }, close, this.#position, this.#archive, this.#previous, this.#next);
    const parts = [bar, this.#carousel.element, this.#foot.element];
    this.element = h("section", { class: "detail", "aria-label": "Detail" }, ...parts);
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  get pager() {
    return this.#shown?.pager ?? null;
  }

  /**
   * Shows a pager of a list, and whatever becomes of it.
   *
   * @param {PagerView} pager
   * @param {ListView} list
   * @param {boolean} removes whether the list takes items out
   */
  follow(pager, list, removes) {
    this.clear();
    this.#archive.hidden = !removes;
    this.#shown = { pager, list };
    const { signal } = this.#listening;
    const draw = () => this.#draw();
    for (const output of /** @type {const} */ (["page", "error"])) pager.subscribe(output, draw, { signal });
    list.subscribe("items", draw, { signal });
    this.#draw();
  }

  /**
   * Shows an item that has no neighbours.
   *
   * @param {any} item
   */
  show(item) {
    this.clear();
    setText(this.#position, "");
    this.#bounds(false, false);
    this.#foot.say(null);
    this.#archive.hidden = true;
    this.#carousel.show(null, { id: identity(item), item }, null);
  }

  /** Goes on showing what is there, and hears no more of it. */
  clear() {
    this.#listening.abort();
    this.#listening = new AbortController();
    this.#shown = null;
  }

  /** The connection is gone, and with it those beside what is shown. */
  lost() {
    this.#bounds(false, false);
  }

  focus() {
    this.#carousel.focus();
  }

  #draw() {
    if (!this.#shown?.pager.isOpen) return;
    const { pager, list } = this.#shown;
    const { page, error } = pager;
    const { id, index, count, hasPrevious, hasNext, hasMore } = page;
    setText(this.#position, index === null ? "no longer listed" : `${index + 1} of ${count}${hasMore ? "+" : ""}`);
    this.#bounds(hasPrevious, hasNext || hasMore);
    // What isn't listed stands beside rows that aren't known here.
    const at = (/** @type {number} */ distance) => {
      const item = index === null ? undefined : list.items[index + distance];
      return item === undefined ? { id: AWAITED, item: undefined } : { id: identity(item), item };
    };
    const listed = at(0);
    const next = hasNext || hasMore ? at(1) : null;
    this.#carousel.show(hasPrevious ? at(-1) : null, sameId(listed.id, id) ? listed : { id, item: page.item }, next);
    const shown = error && !PASSING.includes(error.trigger) ? error : null;
    this.#foot.say(shown, () => notice(/** @type {any} */ (shown).message, "Try again", () => list.send("retry")));
    this.#moved(page);
  }

  /**
   * @param {boolean} previous
   * @param {boolean} next
   */
  #bounds(previous, next) {
    // A button that is pressed at the end mustn't take the focus away with it.
    this.#previous.setAttribute("aria-disabled", String(!previous));
    this.#next.setAttribute("aria-disabled", String(!next));
  }

  /** @param {-1 | 1} direction */
  async #go(direction) {
    await this.#shown?.pager.open("swipe", { to: direction > 0 ? "next" : "previous" });
  }

  /** Has the item archived, and goes on to one beside it. */
  async #leave() {
    if (!this.#shown || this.#archive.hidden) return;
    const { pager, list } = this.#shown;
    const { id, item, hasNext, hasPrevious } = pager.page;
    // The row is what the list has, however much is shown of it.
    const row = list.items.find((listed) => sameId(identity(listed), id)) ?? item;
    const left = pager.isOpen && (hasNext || hasPrevious);
    if (left) await pager.open("swipe", { to: hasNext ? "next" : "previous" });
    this.#archives(row, left);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "e") void this.#leave();
    else if (event.key === "u" && this.#undoes()) event.preventDefault();
    else if (event.key === "ArrowRight") this.#carousel.go(1);
    else if (event.key === "ArrowLeft") this.#carousel.go(-1);
    else return;
    event.preventDefault();
  }
}
