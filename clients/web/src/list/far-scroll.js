import { ListWindow, stringify } from "../../../javascript/src/index.js";
import { amountOf } from "../text/format.js";
import { dayOf, describe, humane } from "../text/item-display.js";
import { itemAt, WINDOW } from "./items.js";
import { Thumb } from "./scroll-thumb.js";
import { Headings, nameOf, sectionAt } from "./section-headings.js";

/** Items from which on a list whose total is known is seen through a window from the start. */
const LARGE = 10_000;

/** @typedef {import("../screens/list.js").ListScreen} ListScreen */

/** What leads far in a long list. One that grows is opened once more, with a window, when somebody wants to go further than it has come. */
export class Long {
  #screen;
  #fillIn;
  #thumb;
  /** @type {Headings | null} */
  #headings = null;
  /** What was looked for when a window was tried, as a text. */
  #tried = "";
  /** @type {number | null} how far the thumb has gone while the window wasn't there yet */
  #share = null;

  /**
   * @param {ListScreen} screen
   * @param {typeof import("../dialogs/load-dialogs.js").filledIn} fillIn
   */
  constructor(screen, fillIn) {
    this.#screen = screen;
    this.#fillIn = fillIn;
    const { rows } = screen;
    this.#thumb = new Thumb({
      holds: () => void this.widen(),
      goes: (share) => this.#goes(share),
      turns: (distance) => (rows.element.scrollTop += distance),
      place: () => this.#placeAt(rows.scroll.sight.start),
    });
    rows.element.after(this.#thumb.element);
    if (screen.about.outputs.has("sections")) this.#headings = new Headings(rows);
  }

  /** Whether a window was tried on what is looked for. */
  get #widened() {
    return this.#tried === stringify(this.#screen.looked);
  }

  /** Where neighbours have something in common. */
  get #sections() {
    return this.#screen.view.current["sections"] ?? [];
  }

  /** The rows were drawn. */
  draw() {
    const { items, view, rows, growing } = this.#screen;
    this.#headings?.draw(this.#sections);
    this.#thumb.show(rows.scroll, items instanceof ListWindow, growing && !this.#widened);
    if (growing && Math.max(items.length, view.current["state"]?.total ?? 0) >= LARGE) void this.widen();
  }

  /** @returns {import("../dialogs/popup-menu.js").Command[]} */
  commands() {
    const { items, view, growing } = this.#screen;
    if (!(growing || items instanceof ListWindow) || items.length === 0) return [];
    return [{ name: "Go to a row…", group: humane(view.screen), act: () => void this.#askRow() }];
  }

  /** Sees the list through a window from now on, if that leads further. */
  async widen() {
    const screen = this.#screen;
    if (this.#widened || !screen.growing || screen.isBusy) return;
    const before = screen.view;
    const { query, filters } = screen.looked;
    this.#tried = stringify(screen.looked);
    let view;
    try {
      view = await screen.page.view(screen, { window: WINDOW, ...(query && { query }) });
      if (Object.keys(filters).length > 0) view.send("filter", { set: filters });
      view.send("viewWillAppear");
      await view.until("state", ({ phase }) => phase !== "nothing" && phase !== "requesting");
      if (screen.view !== before || screen.isBusy) this.#tried = "";
      if (this.#widened && view["items"].length > screen.items.length) screen.adopt(view);
      else await view.close();
    } catch {
      // The connection is gone, and with the next one it isn't wanted.
      this.#tried = "";
      void view?.close().catch(() => {});
    }
    const share = this.#share;
    this.#share = null;
    if (share === null) this.draw();
    else this.#goes(share);
  }

  /** @returns {boolean} whether it is known how long the list is, and the end isn't there yet */
  goToEnd() {
    const { items, view, rows, growing } = this.#screen;
    if (this.#widened || !growing || !(view.current["state"]?.total > items.length)) return false;
    void this.widen().then(() => rows.moveTo(Infinity));
    return true;
  }

  /** @param {number} share of the way from the list's beginning to its end */
  #goes(share) {
    const { rows, growing } = this.#screen;
    if (growing && this.#widened) this.#share = share;
    rows.scrollTo(share * (rows.scroll.full - rows.scroll.height));
  }

  async #askRow() {
    const { items, rows } = this.#screen;
    const most = items instanceof ListWindow && { maximum: items.length };
    const schema = { type: "integer", title: "Row", minimum: 1, ...most };
    const input = { name: "jump", summary: "", params: { properties: { row: schema }, required: ["row"] } };
    const given = await this.#fillIn("Go to a row", input, ["row"]);
    if (!given) return;
    await this.widen();
    rows.goTo(Math.min(given["row"], this.#screen.items.length) - 1);
  }

  /**
   * What a place is called: as its section is, or by its day, if it has one, else by its number.
   *
   * @param {number} index
   */
  #placeAt(index) {
    const { rows, about } = this.#screen;
    const section = sectionAt(this.#sections, index);
    if (section) return nameOf(section);
    const item = itemAt(rows.items, index);
    const { moment } = item === undefined ? { moment: null } : describe(item, about.display);
    return moment ? dayOf(moment, new Date()) : amountOf(index + 1);
  }
}
