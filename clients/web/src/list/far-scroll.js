import { ListWindow, stringify } from "../../../javascript/src/index.js";
import { closeView } from "../net/close-view.js";
import { dayName } from "../text/dates.js";
import { formatAmount } from "../text/format.js";
import { describe } from "../text/item-display.js";
import { humanize } from "../text/value.js";
import { itemAt, WINDOW_OPTIONS } from "./items.js";
import { ScrollThumb } from "./scroll-thumb.js";
import { sectionAt, SectionHeadings, sectionName } from "./section-headings.js";

/** Total number of items from which on a list is opened with a window at once. */
const WINDOW_FROM = 10_000;

/** @typedef {import("../screens/list.js").ListScreen} ListScreen */

/** Scrolls far in a long list, by a thumb or a row number. A list that grows page by page is opened again, with a window, on first use. */
export class FarScroll {
  #screen;
  #fillIn;
  #thumb;
  /** @type {SectionHeadings | null} */
  #headings = null;
  /** The criteria, as JSON, for which a window was tried. */
  #tried = "";
  /** @type {number | null} where the thumb was dragged to while the window was opening */
  #pendingShare = null;

  /**
   * @param {ListScreen} screen
   * @param {typeof import("../dialogs/load-dialogs.js").fillIn} fillIn
   */
  constructor(screen, fillIn) {
    this.#screen = screen;
    this.#fillIn = fillIn;
    const { rows } = screen;
    this.#thumb = new ScrollThumb({
      onGrab: () => void this.#openWindow(),
      onScroll: (share) => this.#scrollToShare(share),
      onWheel: (distance) => (rows.element.scrollTop += distance),
      label: () => this.#labelAt(rows.scroll.visible.start),
    });
    rows.element.after(this.#thumb.element);
    if (screen.info.outputs.has("sections")) this.#headings = new SectionHeadings(rows);
  }

  /** Whether a window was tried for the list's criteria. */
  get #hasTriedWindow() {
    return this.#tried === stringify(this.#screen.criteria);
  }

  /** The sections of the list. */
  get #sections() {
    return this.#screen.view.current["sections"] ?? [];
  }

  /** Draws after the rows were drawn. */
  draw() {
    const { items, view, rows, isGrowing } = this.#screen;
    this.#headings?.draw(this.#sections);
    this.#thumb.show(rows.scroll, items instanceof ListWindow, isGrowing && !this.#hasTriedWindow);
    if (isGrowing && Math.max(items.length, view.current["state"]?.total ?? 0) >= WINDOW_FROM) void this.#openWindow();
  }

  /** @returns {import("../dialogs/popup-menu.js").Command[]} */
  commands() {
    const { items, view, isGrowing } = this.#screen;
    if (!(isGrowing || items instanceof ListWindow) || items.length === 0) return [];
    return [{ name: "Go to a row…", group: humanize(view.screen), act: () => void this.#askRow() }];
  }

  /** Opens the list with a window, and shows that view if more of the list can be reached by it. */
  async #openWindow() {
    const screen = this.#screen;
    if (this.#hasTriedWindow || !screen.isGrowing || screen.isBusy) return;
    const before = screen.view;
    const { query, filters } = screen.criteria;
    this.#tried = stringify(screen.criteria);
    let view;
    try {
      view = await screen.page.openView(screen, { window: WINDOW_OPTIONS, ...(query && { query }) });
      if (Object.keys(filters).length > 0) view.send("filter", { set: filters });
      view.send("viewWillAppear");
      await view.until("state", ({ phase }) => phase !== "nothing" && phase !== "requesting");
      if (screen.view !== before || screen.isBusy) this.#tried = "";
      if (this.#hasTriedWindow && view["items"].length > screen.items.length) screen.replaceView(view);
      else await view.close();
    } catch {
      // The connection is lost. Whether a window is wanted after the next one is decided then.
      this.#tried = "";
      closeView(view);
    }
    const share = this.#pendingShare;
    this.#pendingShare = null;
    if (share === null) this.draw();
    else this.#scrollToShare(share);
  }

  /** @returns {boolean} whether the end is known and not loaded yet, and is now opened */
  goToEnd() {
    const { items, view, rows, isGrowing } = this.#screen;
    if (this.#hasTriedWindow || !isGrowing || !(view.current["state"]?.total > items.length)) return false;
    void this.#openWindow().then(() => rows.moveTo(Infinity));
    return true;
  }

  /** @param {number} share from 0, the beginning of the list, to 1, its end */
  #scrollToShare(share) {
    const { rows, isGrowing } = this.#screen;
    if (isGrowing && this.#hasTriedWindow) this.#pendingShare = share;
    rows.scrollTo(share * (rows.scroll.fullHeight - rows.scroll.height));
  }

  async #askRow() {
    const { items, rows } = this.#screen;
    const most = items instanceof ListWindow && { maximum: items.length };
    const schema = { type: "integer", title: "Row", minimum: 1, ...most };
    const input = { name: "jump", summary: "", params: { properties: { row: schema }, required: ["row"] } };
    const given = await this.#fillIn("Go to a row", input, ["row"]);
    if (!given) return;
    await this.#openWindow();
    rows.goTo(Math.min(given["row"], this.#screen.items.length) - 1);
  }

  /**
   * Returns the label of a position: its section, the day of its item, or its number.
   *
   * @param {number} index
   */
  #labelAt(index) {
    const { rows, info } = this.#screen;
    const section = sectionAt(this.#sections, index);
    if (section) return sectionName(section);
    const item = itemAt(rows.items, index);
    const { date } = item === undefined ? { date: null } : describe(item, info.display);
    return date ? dayName(date, new Date()) : formatAmount(index + 1);
  }
}
