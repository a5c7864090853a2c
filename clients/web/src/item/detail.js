import { ListWindow, sameId } from "../../../javascript/src/index.js";
import { openMenu } from "../dialogs/load-dialogs.js";
import { indexOfItem, itemAt, NO_ITEMS } from "../list/items.js";
import { formatAmount } from "../text/format.js";
import { h, icon, iconButton, setText } from "../ui/dom.js";
import { errorNotice, Footer, TRANSIENT_TRIGGERS } from "../ui/notice.js";
import { Carousel } from "./carousel.js";

/** Stands for the id of an item that isn't loaded yet. */
const LOADING = Symbol("awaited");

/**
 * @typedef {import("../../../javascript/src/types.js").PagerView} PagerView
 * @typedef {import("../actions/action.js").Action} Action
 * @typedef {import("../screens/screen.js").Screen} Screen
 * @typedef {{screen: Screen, item: any, pager: PagerView | undefined, isOwn: boolean}} Shown
 */

/** One item, and by swiping those beside it in its list. */
export class Detail {
  element;
  #carousel = new Carousel((direction) => this.#move(direction));
  #position = h("span", { class: "position", role: "status" });
  #previous = iconButton("back", "Previous", () => this.#carousel.go(-1));
  #next = iconButton("next", "Next", () => this.#carousel.go(1));
  #actions = h("div", { class: "actions" });
  #foot = new Footer();
  #onMove;
  #onLeave;
  /** @type {Shown | null} */
  #shown = null;
  #subscriptions = new AbortController();

  /**
   * @param {object} options
   * @param {() => void} options.closes
   * @param {(page: import("../../../javascript/src/types.js").Page<any>) => void} options.moved another item of the list is shown
   * @param {() => void} options.leaves the item has left the list, and there is none beside it
   */
  constructor({ closes, moved, leaves }) {
    this.#onMove = moved;
    this.#onLeave = leaves;
    const close = iconButton("close", "Close", closes);
    close.append(icon("leave"));
    const bar = h("header", { class: "bar" }, close, this.#position, this.#actions, this.#previous, this.#next);
    const parts = [bar, this.#carousel.element, this.#foot.element];
    this.element = h("section", { class: "detail", "aria-label": "Detail" }, ...parts);
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  get pager() {
    return this.#shown?.pager ?? null;
  }

  /**
   * Shows a pager of a list, or where there is none an item of the list, and whatever becomes of it.
   *
   * @param {Screen} screen the list's
   * @param {any} item
   * @param {PagerView | undefined} pager
   * @param {boolean} isOwn whether the items are the list's. Others may have the same ids, and the list's actions aren't for them
   * @param {import("../text/item-display.js").Display} [display] what the pager says otherwise of how items are shown
   */
  show(screen, item, pager, isOwn, display) {
    this.clear();
    this.#shown = { screen, item, pager, isOwn };
    this.#carousel.display = { ...(isOwn && screen.info.display), ...display };
    this.#drawActions();
    const { signal } = this.#subscriptions;
    const draw = () => this.#draw();
    for (const output of /** @type {const} */ (["page", "error"])) pager?.subscribe(output, draw, { signal });
    screen.view.subscribe(screen.listOutput, draw, { signal });
    this.#draw();
  }

  /** Goes on showing what is there, and hears no more of it. */
  clear() {
    this.#subscriptions.abort();
    this.#subscriptions = new AbortController();
    this.#shown = null;
  }

  /** The connection is gone, and with it those beside what is shown. */
  connectionLost() {
    this.#setNeighbors(false, false);
  }

  focus() {
    this.#carousel.focus();
  }

  /** Where the user is. */
  get #page() {
    const { screen, item, pager } = /** @type {Shown} */ (this.#shown);
    if (pager) return pager.page;
    const { items, info } = screen;
    const id = screen.idOf(item);
    const place = indexOfItem(items, id, info.display);
    const index = place < 0 ? null : place;
    const count = items.length;
    return { id, item, index, count, hasPrevious: place > 0, hasNext: index !== null && place + 1 < count, hasMore: false };
  }

  #draw() {
    if (!this.#shown || this.#shown.pager?.isOpen === false) return;
    const { pager, screen, isOwn } = this.#shown;
    const { id, index, count, item, hasPrevious, hasNext, hasMore } = this.#page;
    // Of a window the rows count already that follow what was read.
    const items = isOwn ? screen.items : NO_ITEMS;
    const isAll = !hasMore || (items instanceof ListWindow && items.exact && count === items.length);
    const { total } = (isOwn && screen.view.current["state"]) || {};
    const all = isAll ? formatAmount(count) : total > count ? formatAmount(total) : `${formatAmount(count)}+`;
    setText(this.#position, index === null ? (items.length > 0 ? "no longer listed" : "") : `${formatAmount(index + 1)} of ${all}`);
    this.#setNeighbors(hasPrevious, hasNext || hasMore);
    // What isn't listed stands beside rows that aren't known here.
    const at = (/** @type {number} */ distance) => {
      const listed = index === null ? undefined : itemAt(items, index + distance);
      return listed === undefined ? { id: LOADING, item: undefined } : { id: screen.idOf(listed), item: listed };
    };
    const listed = at(0);
    const next = hasNext || hasMore ? at(1) : null;
    this.#carousel.show(hasPrevious ? at(-1) : null, sameId(listed.id, id) ? listed : { id, item }, next);
    const error = pager?.error;
    const shown = error && !TRANSIENT_TRIGGERS.includes(error.trigger) ? error : null;
    const retry = isOwn ? () => screen.view.send("retry") : undefined;
    this.#foot.show(shown, () => errorNotice(/** @type {any} */ (shown).message, "Try again", retry));
    if (isOwn) this.#onMove(this.#page);
  }

  /**
   * @param {boolean} previous
   * @param {boolean} next
   */
  #setNeighbors(previous, next) {
    // A button that is pressed at the end mustn't take the focus away with it.
    this.#previous.setAttribute("aria-disabled", String(!previous));
    this.#next.setAttribute("aria-disabled", String(!next));
  }

  /** @param {-1 | 1} direction */
  async #move(direction) {
    if (!this.#shown) return;
    const { pager, screen } = this.#shown;
    if (pager) await pager.open("swipe", { to: direction > 0 ? "next" : "previous" });
    else {
      this.#shown.item = itemAt(screen.items, (this.#page.index ?? 0) + direction);
      this.#draw();
    }
  }

  /** The list's actions, if the item is one of the list's. */
  get #availableActions() {
    return this.#shown?.isOwn ? this.#shown.screen.actions : [];
  }

  /** Buttons for what has a picture, and one that lists everything, unless that is all. */
  #drawActions() {
    const actions = this.#availableActions;
    const pictured = actions.filter(({ icon }) => icon).slice(0, 2);
    const buttons = pictured.map((action) => {
      const picture = action.input === "remove" ? icon("archive") : h("span", {}, action.icon ?? "");
      return iconButton(picture, action.name, () => void this.#act(action));
    });
    const more = iconButton("more", "More", () => this.#openMenu(more));
    this.#actions.replaceChildren(...buttons, ...(actions.length > pictured.length ? [more] : []));
  }

  /** @param {HTMLElement} beside */
  #openMenu(beside) {
    const { left, bottom } = beside.getBoundingClientRect();
    if (this.#availableActions.length > 0) void openMenu("More", this.#availableActions.map((action) => ({ ...action, act: () => void this.#act(action) })), { x: left, y: bottom });
  }

  /**
   * Does something with the item. If it leaves the list, the one beside it is shown.
   *
   * @param {Action} action
   */
  async #act(action) {
    if (!this.#shown) return;
    const { screen, pager } = this.#shown;
    const { id, item, hasNext, hasPrevious } = this.#page;
    // The row is what the list has, however much is shown of it.
    const row = itemAt(screen.items, indexOfItem(screen.items, id, screen.info.display)) ?? item;
    if (!(await screen.act(action, [row]))) return;
    if (pager?.isOpen !== false && (hasNext || hasPrevious)) await this.#move(hasNext ? 1 : -1);
    else this.#onLeave();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const action = this.#availableActions.find(({ key }) => key === event.key);
    if (action) void this.#act(action);
    else if (event.key === "m") this.#openMenu(this.#actions);
    else if (event.key === "ArrowRight") this.#carousel.go(1);
    else if (event.key === "ArrowLeft") this.#carousel.go(-1);
    else return;
    event.preventDefault();
  }
}
