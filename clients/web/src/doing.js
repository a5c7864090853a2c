import { filled, named } from "./actions.js";
import { asked, confirmed, filledIn } from "./asking.js";
import { Held } from "./held.js";
import { Marks } from "./marks.js";
import { popup } from "./popup.js";

/**
 * @typedef {import("./actions.js").Action} Action
 * @typedef {import("./popup.js").Command} Command
 */

/** What is done with the items of a list: with the active one, or with those that are marked. */
export class Doing {
  held;
  /** @type {Marks} */
  marks;
  #screen;

  /**
   * @param {import("./screens/screen.js").Screen & {rows: import("./rows.js").Rows, open: (item: any) => void}} screen
   */
  constructor(screen) {
    this.#screen = screen;
    this.held = new Held(screen, () => screen.draw());
    this.marks = new Marks(screen.actions.filter((action) => action.for === "many"), {
      acts: (action) => void this.act(action, this.#marked),
      changed: () => {
        screen.rows.draw();
        screen.page.remember();
      },
    });
  }

  /**
   * What rows tell of it.
   *
   * @returns {Partial<import("./rows.js").Listener>}
   */
  get listener() {
    const { actions } = this.#screen;
    if (actions.length === 0) return {};
    const swiped = actions.find(({ input }) => input === "remove") ?? actions.find(({ undo }) => undo);
    return {
      asks: (item, place) => this.#ask(item, place),
      marks: (items, only) => (only ? this.marks.toggle(items[0]) : this.marks.add(items)),
      marked: (item) => this.marks.has(item),
      ...(swiped && { sign: swiped.icon ?? "", removes: (item) => void this.act(swiped, [item]) }),
    };
  }

  /**
   * @param {Action} action
   * @param {any[]} items
   * @returns {Promise<boolean>} whether they have left the list, and the view hasn't been told yet
   */
  async act(action, items) {
    const { about, view, page } = this.#screen;
    const input = about.inputs.get(action.input);
    if (!view.isOpen) page.remind();
    if (!input || !view.isOpen) return false;
    if (action.confirm && !(await confirmed(action.confirm))) return false;
    const { missing } = filled(action, input, items[0]);
    const given = missing.length > 0 ? await filledIn(action.name, input, missing) : {};
    if (given === null) return false;
    this.marks.clear();
    // Where the server asks, it asks before and not after what could be undone.
    const undo = Boolean(action.undo) && !asked.has(view);
    this.held.take({ action: { ...action, undo }, items, given });
    return undo && action.input === "remove";
  }

  /**
   * @param {string} key
   * @returns {boolean} whether it did something
   */
  pressed(key) {
    const action = this.#screen.actions.find((action) => action.key === key);
    const items = action ? this.#chosen(action) : [];
    if (action && items.length > 0) void this.act(action, items);
    else return key === "u" && this.held.undo();
    return true;
  }

  /** Whether something is marked, held back or on its way. */
  get isBusy() {
    return this.marks.size > 0 || this.held.isBusy;
  }

  /** @returns {Command[]} */
  commands() {
    const { actions } = this.#screen;
    return actions.filter((action) => this.#chosen(action).length > 0).map((action) => this.#command(action, this.#chosen(action)));
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
   * @param {Action} action
   * @param {any[]} items
   * @returns {Command}
   */
  #command(action, items) {
    const { name, icon = "", key = "" } = action;
    return { name, icon, key, group: named(items, this.#screen.about.display), act: () => void this.act(action, items) };
  }

  /**
   * @param {any} item
   * @param {{x: number, y: number}} place
   */
  #ask(item, place) {
    const items = this.marks.has(item) ? this.#marked : [item];
    const { actions, about } = this.#screen;
    const fit = actions.filter((action) => items.length === 1 || action.for === "many");
    const open = { name: "Open", act: () => this.#screen.open(item) };
    popup(named(items, about.display), [open, ...fit.map((action) => this.#command(action, items))], place);
  }
}
