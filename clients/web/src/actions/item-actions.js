import { confirm, fillIn, openMenu, viewsThatConfirm } from "../dialogs/load-dialogs.js";
import { parametersOf } from "../net/discovery.js";
import { nameItems, parametersFor } from "./action.js";
import { Marks } from "./marks.js";
import { SentActions } from "./sent-actions.js";

/**
 * @typedef {import("./action.js").Action} Action
 * @typedef {import("../dialogs/popup-menu.js").Command} Command
 */

/** Runs actions on the active item of a list or on the marked ones. */
export class ItemActions {
  sent;
  /** @type {Marks} */
  marks;
  #screen;

  /**
   * @param {import("../screens/screen.js").Screen & {rows: import("../list/rows.js").Rows, open: (item: any) => void, pendingState: (item: any) => string | undefined}} screen
   */
  constructor(screen) {
    this.#screen = screen;
    this.sent = new SentActions(screen);
    this.marks = new Marks(screen, {
      acts: (action) => void this.#perform(action),
      changed: () => {
        screen.rows.draw();
        screen.page.rememberPosition();
      },
    });
  }

  /**
   * The handlers for the list's rows.
   *
   * @returns {Partial<import("../list/rows.js").RowListener>}
   */
  get rowListener() {
    const { actions } = this.#screen;
    const menu = { onMenu: (/** @type {any} */ item, /** @type {{x: number, y: number}} */ place) => this.#openMenu(item, place) };
    if (actions.length === 0) return this.#canSendAgain ? menu : {};
    const swiped = actions.find(({ input }) => input === "remove") ?? actions.find(({ undo }) => undo);
    return {
      ...menu,
      onMark: (items, only) => (only ? this.marks.toggle(items[0]) : this.marks.add(items)),
      onMarkAll: () => this.marks.markAll(),
      isMarked: (item) => this.marks.has(item),
      isActionKey: (key) => actions.some((action) => action.key === key),
      ...(swiped && { swipeIcon: swiped.icon ?? "", onSwipe: (item) => this.act(swiped, [item]) }),
    };
  }

  /**
   * @param {Action} action
   * @param {any[]} items
   * @param {import("./action.js").ServerMarks | null} [serverMarks] the marks of the server, if all marked items are meant. `items` are those that are loaded
   * @returns {Promise<boolean>} whether the items have left the list
   */
  async act(action, items, serverMarks = null) {
    const { info, view, page } = this.#screen;
    const input = info.inputs.get(action.input);
    if (!view.isOpen) page.remindOffline();
    if (!input || !view.isOpen) return false;
    // An app's own view shows only by its first question that it asks by itself.
    const isAsked = action.isGuess && viewsThatConfirm.has(view);
    if (action.confirm && !isAsked && !(await confirm(action.confirm))) return false;
    const missing = serverMarks ? [] : parametersFor(action, input, items[0], info.display).missing;
    const params = missing.length > 0 ? await fillIn(action.name, input, missing) : {};
    if (params === null) return false;
    const restore = serverMarks ? () => this.marks.restore(serverMarks) : this.marks.clear();
    return this.sent.send({ action, items, params, marks: serverMarks, restore });
  }

  /**
   * @param {string} key
   * @returns {boolean} whether the key belongs to an action
   */
  handleKey(key) {
    const action = this.#screen.actions.find((action) => action.key === key);
    if (!action || !this.#isPossible(action)) return false;
    void this.#perform(action);
    return true;
  }

  /** Whether items are marked, or actions aren't finished. */
  get isBusy() {
    return this.marks.size > 0 || this.sent.isBusy;
  }

  /** @returns {Command[]} */
  commands() {
    const { actions } = this.#screen;
    const all = this.#screen.hasInput("mark") ? [{ name: "Mark all", key: "Ctrl A", act: () => this.marks.markAll() }] : [];
    const possible = actions.filter((action) => this.#isPossible(action)).map((action) => this.#command(action, this.#targets(action)));
    return [...this.#sendAgain(this.#screen.rows.active), ...possible, ...all];
  }

  /** @returns {any[]} */
  get #marked() {
    return this.marks.markedItems(this.#screen.rows.items);
  }

  /**
   * Returns the items that an action applies to: the marked ones if it is for many, or the active one.
   *
   * @param {Action} action
   */
  #targets(action) {
    const marked = action.for === "many" ? this.#marked : [];
    const { active } = this.#screen.rows;
    return marked.length > 0 || active === undefined ? marked : [active];
  }

  /**
   * Returns the marks of the server if an action applies to them.
   *
   * @param {Action} action
   */
  #serverMarks(action) {
    return action.for === "many" && this.marks.size > 0 ? this.marks.serverMarksFor(action.input) : null;
  }

  /**
   * Whether an action applies to any item.
   *
   * @param {Action} action
   */
  #isPossible(action) {
    return this.#serverMarks(action) !== null || this.#targets(action).length > 0;
  }

  /**
   * Runs an action on the items that it applies to.
   *
   * @param {Action} action
   */
  #perform(action) {
    return this.act(action, this.#targets(action), this.#serverMarks(action));
  }

  /**
   * @param {Action} action
   * @param {any[]} items
   * @param {import("./action.js").ServerMarks | null} [serverMarks]
   * @returns {Command}
   */
  #command(action, items, serverMarks = this.#serverMarks(action)) {
    const { name, icon = "", key = "" } = action;
    return { name, icon, key, isAction: true, group: nameItems(items, this.#screen.info.display, serverMarks), act: () => void this.act(action, items, serverMarks) };
  }

  /** Whether the server sends an item again that the source has refused. */
  get #canSendAgain() {
    return parametersOf(this.#screen.info.inputs.get("retry")).includes("id");
  }

  /**
   * Returns the command that sends an item again, if its source has refused it.
   *
   * @param {any} item
   * @returns {Command[]}
   */
  #sendAgain(item) {
    if (!this.#canSendAgain || item === undefined || this.#screen.pendingState(item) !== "failed") return [];
    return [this.#command({ input: "retry", name: "Send again" }, [item], null)];
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
    void openMenu(nameItems(items, info.display, isMarked ? this.marks.serverMarksFor("remove") : null), [open, ...this.#sendAgain(item), ...commands], place);
  }
}
