import { ListWindow, stringify } from "../../../javascript/src/index.js";
import { closeView } from "../net/close-view.js";
import { dayName } from "../text/dates.js";
import { formatAmount } from "../text/format.js";
import { describe } from "../text/item-display.js";
import { humanize } from "../text/value.js";
import { itemAt, WINDOW_OPTIONS } from "./items.js";
import { ScrollThumb } from "./scroll-thumb.js";
import { sectionAt, SectionHeadings, sectionName } from "./section-headings.js";

/** Items from which on a list whose total is known is seen through a window from the start. */
const WINDOW_FROM = 10_000;

/** @typedef {import("../screens/list.js").ListScreen} ListScreen */

/** What leads far in a long list. One that grows is opened once more, with a window, when somebody wants to go further than it has come. */
export class FarScroll {
  #screen;
  #fillIn;
  #thumb;
  /** @type {SectionHeadings | null} */
  #headings = null;
  /** What was looked for when a window was tried, as a text. */
  #tried = "";
  /** @type {number | null} how far the thumb has gone while the window wasn't there yet */
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
      holds: () => void this.#openWindow(),
      goes: (share) => this.#scrollToShare(share),
      turns: (distance) => (rows.element.scrollTop += distance),
      place: () => this.#labelAt(rows.scroll.visible.start),
    });
    rows.element.after(this.#thumb.element);
    if (screen.info.outputs.has("sections")) this.#headings = new SectionHeadings(rows);
  }

  /** Whether a window was tried on what is looked for. */
  get #hasTriedWindow() {
    return this.#tried === stringify(this.#screen.criteria);
  }

  /** Where neighbours have something in common. */
  get #sections() {
    return this.#screen.view.current["sections"] ?? [];
  }

  /** The rows were drawn. */
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

  /** Sees the list through a window from now on, if that leads further. */
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
      // The connection is gone, and with the next one it isn't wanted.
      this.#tried = "";
      closeView(view);
    }
    const share = this.#pendingShare;
    this.#pendingShare = null;
    if (share === null) this.draw();
    else this.#scrollToShare(share);
  }

  /** @returns {boolean} whether it is known how long the list is, and the end isn't there yet */
  goToEnd() {
    const { items, view, rows, isGrowing } = this.#screen;
    if (this.#hasTriedWindow || !isGrowing || !(view.current["state"]?.total > items.length)) return false;
    void this.#openWindow().then(() => rows.moveTo(Infinity));
    return true;
  }

  /** @param {number} share of the way from the list's beginning to its end */
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
   * What a place is called: as its section is, or by its day, if it has one, else by its number.
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
