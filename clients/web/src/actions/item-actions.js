import { confirm, fillIn, openMenu, viewsThatConfirm } from "../dialogs/load-dialogs.js";
import { nameItems, parametersFor } from "./action.js";
import { Marks } from "./marks.js";
import { PendingActions } from "./pending-actions.js";

/**
 * @typedef {import("./action.js").Action} Action
 * @typedef {import("../dialogs/popup-menu.js").Command} Command
 */

/** What is done with the items of a list: with the active one, or with those that are marked. */
export class ItemActions {
  pending;
  /** @type {Marks} */
  marks;
  #screen;

  /**
   * @param {import("../screens/screen.js").Screen & {rows: import("../list/rows.js").Rows, open: (item: any) => void}} screen
   */
  constructor(screen) {
    this.#screen = screen;
    this.pending = new PendingActions(screen, () => screen.draw());
    this.marks = new Marks(screen, {
      acts: (action) => void this.#perform(action),
      areUsed: () => this.pending.usesMarks,
      changed: () => {
        screen.rows.draw();
        screen.page.rememberPosition();
      },
    });
  }

  /**
   * What rows tell of it.
   *
   * @returns {Partial<import("../list/rows.js").RowListener>}
   */
  get rowListener() {
    const { actions } = this.#screen;
    if (actions.length === 0) return {};
    const swiped = actions.find(({ input }) => input === "remove") ?? actions.find(({ undo }) => undo);
    return {
      onMenu: (item, place) => this.#openMenu(item, place),
      onMark: (items, only) => (only ? this.marks.toggle(items[0]) : this.marks.add(items)),
      onMarkAll: () => this.marks.markAll(),
      isMarked: (item) => this.marks.has(item),
      isActionKey: (key) => actions.some((action) => action.key === key),
      ...(swiped && { swipeIcon: swiped.icon ?? "", onSwipe: (item) => void this.act(swiped, [item]) }),
    };
  }

  /**
   * @param {Action} action
   * @param {any[]} items
   * @param {import("./marks.js").ServerMarks | null} [kept] all that the server has marked, of which `items` are those that are here
   * @returns {Promise<boolean>} whether they have left the list, and the view hasn't been told yet
   */
  async act(action, items, kept = null) {
    const { info, view, page } = this.#screen;
    const input = info.inputs.get(action.input);
    if (!view.isOpen) page.remindOffline();
    if (!input || !view.isOpen) return false;
    if (action.confirm && !(await confirm(action.confirm))) return false;
    const missing = kept ? [] : parametersFor(action, input, items[0], info.display).missing;
    const params = missing.length > 0 ? await fillIn(action.name, input, missing) : {};
    if (params === null) return false;
    const restore = kept ? () => {} : this.marks.clear();
    // Where the server asks, it asks before and not after what could be undone.
    const undo = Boolean(action.undo) && !viewsThatConfirm.has(view);
    this.pending.add({ action: { ...action, undo }, items, params, marks: kept, restore });
    return undo && action.input === "remove";
  }

  /**
   * @param {string} key
   * @returns {boolean} whether it did something
   */
  handleKey(key) {
    const action = this.#screen.actions.find((action) => action.key === key);
    if (!action || !this.#isPossible(action)) return false;
    void this.#perform(action);
    return true;
  }

  /** Whether something is marked, held back or on its way. */
  get isBusy() {
    return this.marks.size > 0 || this.pending.isBusy;
  }

  /** @returns {Command[]} */
  commands() {
    const { actions } = this.#screen;
    const all = this.#screen.hasInput("mark") ? [{ name: "Mark all", key: "Ctrl A", act: () => this.marks.markAll() }] : [];
    return [...actions.filter((action) => this.#isPossible(action)).map((action) => this.#command(action, this.#targets(action))), ...all];
  }

  /** @returns {any[]} */
  get #marked() {
    return this.marks.markedItems(this.#screen.rows.items);
  }

  /**
   * What an action is for: all that is marked, if it is for many, or else the active one.
   *
   * @param {Action} action
   */
  #targets(action) {
    const marked = action.for === "many" ? this.#marked : [];
    const { active } = this.#screen.rows;
    return marked.length > 0 || active === undefined ? marked : [active];
  }

  /**
   * What the server has marked, if that is what an action is for.
   *
   * @param {Action} action
   */
  #serverMarks(action) {
    return action.for === "many" && this.marks.size > 0 ? this.marks.serverMarksFor(action.input) : null;
  }

  /** @param {Action} action whether there is something that it could be done with */
  #isPossible(action) {
    return this.#serverMarks(action) !== null || this.#targets(action).length > 0;
  }

  /** @param {Action} action that is done with what it is for */
  #perform(action) {
    return this.act(action, this.#targets(action), this.#serverMarks(action));
  }

  /**
   * @param {Action} action
   * @param {any[]} items
   * @param {import("./marks.js").ServerMarks | null} [kept]
   * @returns {Command}
   */
  #command(action, items, kept = this.#serverMarks(action)) {
    const { name, icon = "", key = "" } = action;
    return { name, icon, key, isAction: true, group: nameItems(items, this.#screen.info.display, kept), act: () => void this.act(action, items, kept) };
  }

  /**
   * @param {any} item
   * @param {{x: number, y: number}} place
   */
  #openMenu(item, place) {
    const isMarked = this.marks.has(item);
    const items = isMarked ? this.#marked : [item];
    const { actions, info } = this.#screen;
    const fit = actions.filter((action) => items.length === 1 || action.for === "many");
    const open = { name: "Open", act: () => this.#screen.open(item) };
    const commands = fit.map((action) => this.#command(action, items, isMarked ? this.#serverMarks(action) : null));
    void openMenu(nameItems(items, info.display, isMarked ? this.marks.serverMarksFor("remove") : null), [open, ...commands], place);
  }
}
