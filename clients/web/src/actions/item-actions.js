import { asked, confirmed, filledIn, popup } from "../dialogs/load-dialogs.js";
import { filled, named } from "./action.js";
import { Marks } from "./marks.js";
import { Held } from "./pending-actions.js";

/**
 * @typedef {import("./action.js").Action} Action
 * @typedef {import("../dialogs/popup-menu.js").Command} Command
 */

/** What is done with the items of a list: with the active one, or with those that are marked. */
export class Doing {
  held;
  /** @type {Marks} */
  marks;
  #screen;

  /**
   * @param {import("../screens/screen.js").Screen & {rows: import("../list/rows.js").Rows, open: (item: any) => void}} screen
   */
  constructor(screen) {
    this.#screen = screen;
    this.held = new Held(screen, () => screen.draw());
    this.marks = new Marks(screen, {
      acts: (action) => void this.#does(action),
      areUsed: () => this.held.usesMarks,
      changed: () => {
        screen.rows.draw();
        screen.page.remember();
      },
    });
  }

  /**
   * What rows tell of it.
   *
   * @returns {Partial<import("../list/rows.js").Listener>}
   */
  get listener() {
    const { actions } = this.#screen;
    if (actions.length === 0) return {};
    const swiped = actions.find(({ input }) => input === "remove") ?? actions.find(({ undo }) => undo);
    return {
      asks: (item, place) => this.#ask(item, place),
      marks: (items, only) => (only ? this.marks.toggle(items[0]) : this.marks.add(items)),
      marksAll: () => this.marks.every(),
      marked: (item) => this.marks.has(item),
      takes: (key) => actions.some((action) => action.key === key),
      ...(swiped && { sign: swiped.icon ?? "", removes: (item) => void this.act(swiped, [item]) }),
    };
  }

  /**
   * @param {Action} action
   * @param {any[]} items
   * @param {import("./marks.js").Kept | null} [kept] all that the server has marked, of which `items` are those that are here
   * @returns {Promise<boolean>} whether they have left the list, and the view hasn't been told yet
   */
  async act(action, items, kept = null) {
    const { about, view, page } = this.#screen;
    const input = about.inputs.get(action.input);
    if (!view.isOpen) page.remind();
    if (!input || !view.isOpen) return false;
    if (action.confirm && !(await confirmed(action.confirm))) return false;
    const missing = kept ? [] : filled(action, input, items[0], about.display).missing;
    const given = missing.length > 0 ? await filledIn(action.name, input, missing) : {};
    if (given === null) return false;
    const undone = kept ? () => {} : this.marks.clear();
    // Where the server asks, it asks before and not after what could be undone.
    const undo = Boolean(action.undo) && !asked.has(view);
    this.held.take({ action: { ...action, undo }, items, given, kept, undone });
    return undo && action.input === "remove";
  }

  /**
   * @param {string} key
   * @returns {boolean} whether it did something
   */
  pressed(key) {
    const action = this.#screen.actions.find((action) => action.key === key);
    if (!action || !this.#isFor(action)) return false;
    void this.#does(action);
    return true;
  }

  /** Whether something is marked, held back or on its way. */
  get isBusy() {
    return this.marks.size > 0 || this.held.isBusy;
  }

  /** @returns {Command[]} */
  commands() {
    const { actions } = this.#screen;
    const all = this.#screen.has("mark") ? [{ name: "Mark all", key: "Ctrl A", act: () => this.marks.every() }] : [];
    return [...actions.filter((action) => this.#isFor(action)).map((action) => this.#command(action, this.#chosen(action))), ...all];
  }

  /** @returns {any[]} */
  get #marked() {
    return this.marks.of(this.#screen.rows.items);
  }

  /**
   * What an action is for: all that is marked, if it is for many, or else the active one.
   *
   * @param {Action} action
   */
  #chosen(action) {
    const marked = action.for === "many" ? this.#marked : [];
    const { active } = this.#screen.rows;
    return marked.length > 0 || active === undefined ? marked : [active];
  }

  /**
   * What the server has marked, if that is what an action is for.
   *
   * @param {Action} action
   */
  #kept(action) {
    return action.for === "many" && this.marks.size > 0 ? this.marks.keptFor(action.input) : null;
  }

  /** @param {Action} action whether there is something that it could be done with */
  #isFor(action) {
    return this.#kept(action) !== null || this.#chosen(action).length > 0;
  }

  /** @param {Action} action that is done with what it is for */
  #does(action) {
    return this.act(action, this.#chosen(action), this.#kept(action));
  }

  /**
   * @param {Action} action
   * @param {any[]} items
   * @param {import("./marks.js").Kept | null} [kept]
   * @returns {Command}
   */
  #command(action, items, kept = this.#kept(action)) {
    const { name, icon = "", key = "" } = action;
    return { name, icon, key, isAction: true, group: named(items, this.#screen.about.display, kept), act: () => void this.act(action, items, kept) };
  }

  /**
   * @param {any} item
   * @param {{x: number, y: number}} place
   */
  #ask(item, place) {
    const isMarked = this.marks.has(item);
    const items = isMarked ? this.#marked : [item];
    const { actions, about } = this.#screen;
    const fit = actions.filter((action) => items.length === 1 || action.for === "many");
    const open = { name: "Open", act: () => this.#screen.open(item) };
    const commands = fit.map((action) => this.#command(action, items, isMarked ? this.#kept(action) : null));
    void popup(named(items, about.display, isMarked ? this.marks.keptFor("remove") : null), [open, ...commands], place);
  }
}
