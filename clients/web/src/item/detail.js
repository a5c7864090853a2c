import { ListWindow, sameId } from "../../../javascript/src/index.js";
import { openMenu } from "../dialogs/load-dialogs.js";
import { indexOfItem, itemAt, NO_ITEMS } from "../list/items.js";
import { formatAmount } from "../text/format.js";
import { h, icon, iconButton, setText } from "../ui/dom.js";
import { errorNotice, Footer, TRANSIENT_TRIGGERS } from "../ui/notice.js";
import { Carousel } from "./carousel.js";

/** The id of an item that isn't loaded yet. */
const LOADING = Symbol("awaited");

/**
 * @typedef {import("../../../javascript/src/types.js").PagerView} PagerView
 * @typedef {import("../actions/action.js").Action} Action
 * @typedef {import("../screens/screen.js").Screen} Screen
 * @typedef {{screen: Screen, item: any, pager: PagerView | undefined, isOwn: boolean}} Shown
 */

/** Shows one item. Swiping moves to its neighbors in the list. */
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
   * @param {() => void} options.leaves the item has left the list and has no neighbors
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
   * Shows the item of a pager, or without a pager an item of the list, and follows its changes.
   *
   * @param {Screen} screen of the list
   * @param {any} item
   * @param {PagerView | undefined} pager
   * @param {boolean} isOwn whether the items are the list's. Others may have the same ids, and the list's actions don't apply to them
   * @param {import("../text/item-display.js").Display} [display] overrides the screen's, for the pager's items
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

  /** Stops following changes; what is shown stays. */
  clear() {
    this.#subscriptions.abort();
    this.#subscriptions = new AbortController();
    this.#shown = null;
  }

  /** Disables moving, because the connection is lost. */
  connectionLost() {
    this.#setNeighbors(false, false);
  }

  focus() {
    this.#carousel.focus();
  }

  /** The current page. */
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
    // A window also counts rows that aren't loaded.
    const items = isOwn ? screen.items : NO_ITEMS;
    const isAll = !hasMore || (items instanceof ListWindow && items.exact && count === items.length);
    const { total } = (isOwn && screen.view.current["state"]) || {};
    const all = isAll ? formatAmount(count) : total > count ? formatAmount(total) : `${formatAmount(count)}+`;
    setText(this.#position, index === null ? (items.length > 0 ? "no longer listed" : "") : `${formatAmount(index + 1)} of ${all}`);
    this.#setNeighbors(hasPrevious, hasNext || hasMore);
    // The neighbors of an item that isn't listed aren't known.
    const at = (/** @type {number} */ distance) => {
      const listed = index === null ? undefined : itemAt(items, index + distance);
      return listed === undefined ? { id: LOADING, item: undefined } : { id: screen.idOf(listed), item: listed };
    };
    const listed = at(0);
    const next = hasNext || hasMore ? at(1) : null;
    this.#carousel.show(hasPrevious ? at(-1) : null, sameId(listed.id, id) ? listed : { id, item }, next);
    const error = pager?.error;
    const shown = error && !TRANSIENT_TRIGGERS.includes(error.trigger) ? error : null;
    const retry = isOwn && screen.canRetry ? () => screen.view.send("retry") : undefined;
    this.#foot.show(shown, () => errorNotice(/** @type {any} */ (shown).message, "Try again", retry));
    if (isOwn) this.#onMove(this.#page);
  }

  /**
   * @param {boolean} previous
   * @param {boolean} next
   */
  #setNeighbors(previous, next) {
    // Not `disabled`: a button that is pressed at the end would lose the focus.
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

  /** The actions that apply to the item. */
  get #availableActions() {
    return this.#shown?.isOwn ? this.#shown.screen.actions : [];
  }

  /** Creates buttons for the first actions with icons, and one that opens a menu of all actions if there are more. */
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
   * Runs an action. If the item leaves the list, its neighbor is shown. A pager moves to it by itself.
   *
   * @param {Action} action
   */
  async #act(action) {
    if (!this.#shown) return;
    const shown = this.#shown;
    const { screen } = shown;
    const { id, item } = this.#page;
    const index = indexOfItem(screen.items, id, screen.info.display);
    // The row of the list, because the pager may have a fuller item.
    const row = itemAt(screen.items, index) ?? item;
    const neighbor = itemAt(screen.items, index + 1) ?? itemAt(screen.items, index - 1);
    if (!(await screen.act(action, [row])) || this.#shown !== shown) return;
    if (screen.items.length === 0) this.#onLeave();
    else if (!shown.pager && sameId(this.#page.id, id)) {
      shown.item = neighbor;
      this.#draw();
    }
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
