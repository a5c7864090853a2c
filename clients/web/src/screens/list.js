import { ListWindow, sameId } from "../../../javascript/src/index.js";
import { actionsOf } from "../actions/action.js";
import { Doing } from "../actions/item-actions.js";
import { filledIn } from "../dialogs/load-dialogs.js";
import { loadArrivalNotifications, loadFarScroll } from "../lazy.js";
import { Pill } from "../list/arrivals-button.js";
import { Chips } from "../list/filter-chips.js";
import { indexOf, isRead, itemAt, itemsOf, WINDOW } from "../list/items.js";
import { Progress } from "../list/load-progress.js";
import { Load } from "../list/page-loader.js";
import { pullToRefresh } from "../list/pull-to-refresh.js";
import { Rows } from "../list/rows.js";
import { WayBack } from "../list/scroll-back.js";
import { written } from "../net/address.js";
import { amountOf } from "../text/format.js";
import { asRead, humane, identity, nounOf } from "../text/item-display.js";
import { markMatches } from "../text/match-highlights.js";
import { h } from "../ui/dom.js";
import { emptiness, notice, PASSING } from "../ui/notice.js";
import { Inputs, States } from "./inputs-and-states.js";
import { Screen } from "./screen.js";

/** @typedef {import("./screen.js").View} View */

/** Rows that stand for what is on its way: a screenful, or those below the rows that are there. */
const AWAITED = { first: 12, more: 3 };
/** Frames in which the rows in sight have stayed the same when they have come to rest. */
const REST = 6;
/** The most rows of a long list that are had so that an item comes that is to be shown again. */
const MOST_BETWEEN = 500;
/** What the page gives and shows by itself. */
const OWN_INPUTS = [
  ...["viewWillAppear", "appear", "reachBottom", "reachTop", "loadMore", "refresh", "retry", "change", "select", "viewport", "insert"],
  ...["remove", "filter", "showArrivals", "search", "cancelSearch", "jump", "mark", "unmark", "discard"],
];
const OWN_OUTPUTS = ["items", "loading", "error", "state", "arrivals", "filters", "query", "noResult", "sections", "marks", "unsent"];

/** Items that grow as the user comes to their end. */
export class ListScreen extends Screen {
  list = "items";
  actions = actionsOf(this.about, OWN_INPUTS);
  /** @type {Doing} */
  #doing = new Doing(this);
  /** @type {Rows} */
  rows = new Rows(humane(this.view.screen), this.about.display, {
    opens: (item) => void this.open(item),
    sees: (start, end) => this.#sees(start, end),
    reachesBottom: () => this.#reachesBottom(),
    scrolls: () => {
      this.page.remember();
      this.#long?.draw();
    },
    drawn: () => {
      markMatches(this.rows.element.querySelectorAll(".row-texts"), this.view.current["query"] ?? "");
      this.#long?.draw();
    },
    above: (count) => {
      this.#above = count;
      this.drawSoon();
    },
    goesToEnd: () => this.#long?.goToEnd() ?? false,
    ...this.#doing.listener,
  });
  #chips = new Chips((set) => this.#filter(set));
  /** Filters that the user has set: the server's are others. */
  #filters = /** @type {Record<string, any>} */ ({});
  /** How many searches and filters are under way. */
  #looking = 0;
  #pill = new Pill(() => this.goUp());
  #progress = new Progress();
  /** Rows that have come above those in sight. */
  #above = 0;
  /** What this list has besides. */
  #states = new States(this, this.states().filter((name) => !OWN_OUTPUTS.includes(name)));
  #load = new Load(this, () => this.#end >= this.items.length);
  /** Whether something else has just come. */
  #looked = false;
  /** @type {string | null} what has made the newest load begin, since that is over */
  #settled = null;
  #wasLoading = false;
  /** What was said of it. */
  #arrived = "";
  /** @type {any} the newest failure that was told */
  #told = null;
  /** @type {any} the id of the item that was read last */
  #read;
  /** @type {string | null} the id of the item to be shown once it is there, as the address has it */
  #restored = null;
  /** The place of the item that is or was open. */
  #followed = 0;
  #start = 0;
  #end = 0;
  #resting = 0;
  /** @type {{view: View, start: number, end: number} | null} the rows in sight as a view was told of them last */
  #sight = null;
  #way = new WayBack(this);
  /**
   * What long lists have besides, once there is need of it.
   *
   * @type {import("../list/far-scroll.js").Long | null}
   */
  #long = null;
  #lengthens = false;
  /**
   * What tells of it that something has come.
   *
   * @type {import("../list/arrival-notifications.js").News | null}
   */
  #news = null;
  #hears = false;
  /** How many items were selected whose answers haven't come. */
  #selecting = 0;
  /** @type {View[]} pagers that were opened meanwhile: the answer tells which one by the selection */
  #pagers = [];
  /** @type {View | null} one that isn't shown any more, which has opened the item that is */
  #left = null;

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    const mark = pullToRefresh(this.rows.element, () => this.refresh());
    const rows = h("div", { class: "beneath" }, this.rows.element, this.#pill.element);
    const others = [...this.about.inputs.keys()].filter((name) => !OWN_INPUTS.includes(name) && !this.actions.some(({ input }) => input === name));
    const inputs = h("details", { class: "others", hidden: others.length === 0 }, h("summary", {}, others.map(humane).join(" · ")));
    inputs.append(new Inputs(this, others).element);
    this.element.append(this.#chips.element, this.#doing.marks.element, this.#states.element, inputs, this.#progress.element, mark, rows);
  }

  async begin() {
    this.#way.begin();
    if (Object.keys(this.#filters).length > 0) this.view.send("filter", { set: this.#filters });
    await this.#load.begin();
  }

  appear() {
    this.rows.appear();
  }

  adopt(/** @type {View} */ view) {
    const before = this.view;
    this.rows.keep();
    super.adopt(view);
    // With it would go what it has opened.
    if (this.page.detailed) this.#left = before;
    else void before.close().catch(() => {});
  }

  /** Whether something is under way that another view would know nothing of. */
  get isBusy() {
    return this.#looking > 0 || !this.view.isOpen || this.#doing.isBusy;
  }

  /** What the user has looked for. */
  get looked() {
    const { query } = this.view.current;
    return { filters: this.#filters, query: typeof query === "string" ? query : "" };
  }

  /** Whether rows follow that haven't come, as far as anybody knows. */
  get growing() {
    const { phase } = this.#load.state;
    return this.items.length > 0 && phase !== "reachedBottom" && !(this.items instanceof ListWindow);
  }

  focus() {
    this.rows.focus();
  }

  /** @returns {import("./screen.js").Bookmark} */
  bookmark() {
    return { ...(!this.rows.expected && { place: this.rows.place }), followed: this.#followed, marks: this.#doing.marks.keys, filters: this.#filters };
  }

  resume(/** @type {import("./screen.js").Bookmark} */ { place, followed, marks = [], filters = {} }) {
    if (this.has("filter")) this.#filters = filters;
    if (place && (place.index > 0 || place.offset > 0)) this.rows.expect(place);
    this.#followed = followed ?? 0;
    this.#doing.marks.keys = marks;
  }

  lost() {
    this.#doing.held.lost();
    if (!this.rows.expected && this.items instanceof ListWindow) this.rows.expect(this.rows.place);
    this.rows.keep();
  }

  heard(/** @type {string} */ output, /** @type {any} */ value) {
    if (output === "scrollToTop") this.rows.scrollTo(0);
    if (output === "scrollTo" && typeof value?.index === "number") this.#goTo(value.index);
    super.heard(output, value);
  }

  pressed(/** @type {string} */ key) {
    return this.#doing.pressed(key) || super.pressed(key);
  }

  escape() {
    this.#doing.marks.clear();
  }

  /** @param {Parameters<Doing["act"]>} given */
  act(...given) {
    return this.#doing.act(...given);
  }

  finish() {
    this.#doing.held.finish();
  }

  commands() {
    const { filters = {} } = this.view.current;
    return [...this.#doing.commands(), ...super.commands(), ...(this.#long?.commands() ?? []), ...(this.#news?.commands() ?? []), ...this.#chips.commands(filters, itemsOf(this.items))];
  }

  restore(/** @type {string} */ id) {
    this.#restored = id;
    this.draw();
  }

  follow(/** @type {any} */ id, /** @type {number} */ index) {
    this.rows.opened = id;
    if (index >= 0) this.#followed = index;
    const { items } = this.rows;
    // Items that are on their way out aren't among the rows, and what isn't here can only stand where it is said to.
    const isThere = (/** @type {number} */ row) => sameId(identity(itemAt(items, row), this.about.display), id);
    const row = id === undefined ? undefined : [index, index - 1].find(isThere);
    if (row !== undefined) this.rows.moveTo(row);
    else if (index >= 0 && items.at(index) === null) this.rows.moveTo(index);
    if (this.#left && index < 0) this.#leave(this.#left);
    if (id === undefined || !sameId(id, this.#read)) this.#markAsRead(id);
  }

  refresh() {
    if (this.view.isOpen) this.#doing.held.listsAnew(false);
    super.refresh();
    if (!this.view.isOpen) return;
    this.rows.letGo();
    this.rows.scrollTo(0);
  }

  /** @param {any} item */
  async open(item) {
    // Without a connection it is read as far as it is here.
    if (!this.has("select") || !this.view.isOpen) return this.page.open(this, item, undefined);
    const id = identity(item, this.about.display);
    this.#selecting += 1;
    const asked = await this.ask("select", { id });
    this.#selecting -= 1;
    const opened = asked?.opened;
    const before = this.#pagers.splice(0, this.#selecting > 0 ? this.#pagers.findIndex((pager) => pager === opened) + 1 : Infinity);
    for (const pager of before) this.#openPager(pager, pager === opened && sameId(pager.current["page"].id, id));
    if (asked && !opened) this.page.open(this, item, undefined);
  }

  navigate(/** @type {View} */ view) {
    if (this.page.kindOf(view) !== "pager") super.navigate(view);
    else if (this.#selecting > 0) this.#pagers.push(view);
    else this.#openPager(view, false);
  }

  /**
   * @param {View} pager
   * @param {boolean} isOwn whether its items are this list's
   */
  #openPager(pager, isOwn) {
    const { page } = pager.current;
    this.page.open(this, page.item ?? { id: page.id }, pager, isOwn);
  }

  draw() {
    const { state } = this.#load;
    const error = this.failure;
    this.#doing.held.look();
    const items = this.#doing.held.shown(this.items);
    const loading = state.phase === "nothing" || state.phase === "requesting";
    // What came before may be here, and its load over, in one turn of the page.
    const isWindow = items instanceof ListWindow;
    const isEarlier = state.trigger === "reachTop" || (isWindow && state.trigger === "viewport");
    const isBefore = isEarlier && this.#settled !== state.trigger;
    this.rows.setItems(items, isBefore);
    this.#news?.look(isBefore);
    this.#settled = loading ? null : state.trigger;
    const first = items.length === 0;
    const stale = this.#looking > 0;
    this.rows.element.classList.toggle("stale", stale);
    this.#chips.draw(this.view.current["filters"], () => itemsOf(this.items));
    this.rows.awaited = loading && !stale ? (first ? AWAITED.first : this.#awaited(items)) : 0;
    const ended = state.phase === "reachedBottom" || state.phase === "failed";
    const isBack = isWindow ? this.#isBack(items, loading) : ended || (items.length >= this.#end && !first);
    if (!stale && (isBack || this.#looked)) this.rows.letGo();
    this.#looked = false;
    if (!first && !loading) {
      void this.#way.go();
      void this.#hear();
    }
    // Where one was there may be nothing any more.
    const passing = error !== null && error.number !== undefined && [...PASSING, "jump"].includes(error.trigger);
    if (passing) this.#tell(error);
    if (error && !passing) this.rows.foot.say(error, () => notice(error.message, "Try again", () => this.#load.retry()));
    else this.rows.foot.say(first && ended ? `nothing ${this.view.current["query"]}` : null, () => this.emptiness());
    this.#states.draw();
    this.#doing.marks.show();
    this.#progress.show(state.progress);
    this.place(first ? "" : placeOf(items, state));
    if (this.#wasLoading && !loading && !first) this.say(`${isWindow ? amountOf(items.length) : items.length} items`);
    this.#wasLoading = loading;
    this.#showArrivals(itemsOf(items)[0]);
    if (isWindow || this.view.current["sections"]?.length > 0 || (this.about.windowed && this.growing)) this.#lengthen();
    this.#long?.draw();
    this.#restore(ended || (!loading && !first && !this.page.detailed));
  }

  /** @param {Record<string, any>} set */
  #filter(set) {
    this.#filters = Object.fromEntries(Object.entries({ ...this.#filters, ...set }).filter(([, value]) => value !== null));
    void this.look("filter", { set });
  }

  /**
   * Looks for something else: what is there stays until that has come.
   *
   * @param {string} input
   * @param {object} [params]
   */
  async look(input, params) {
    if (!this.view.isOpen) return this.page.remind();
    this.page.remember();
    this.rows.keep();
    this.#doing.held.listsAnew(true);
    this.#looking += 1;
    this.draw();
    const outcome = await this.view.call(input, params).catch((error) => this.page.complain(String(error.message)));
    this.#looking -= 1;
    if (this.#looking > 0) return;
    this.#looked = true;
    this.draw();
    if (outcome === "finished") this.rows.scrollTo(0);
  }

  /**
   * How many rows stand for what is on its way below the others.
   *
   * @param {import("../list/items.js").Listed} items
   */
  #awaited(items) {
    // Of a long list, what is on its way has places of its own, unless it comes at the end.
    const within = items instanceof ListWindow && (items.exact || items.held.includes(null));
    return within ? 0 : AWAITED.more;
  }

  /**
   * Whether the rows of a long list have come that are in sight.
   *
   * @param {ListWindow<any>} items
   * @param {boolean} loading
   */
  #isBack(items, loading) {
    if (this.failure && !this.#way.asks) return true;
    if (this.#way.ahead || loading) return false;
    const end = items.exact ? Math.min(this.#end, items.length) : this.#end;
    return items.length > 0 && isRead(items, Math.min(this.#start, end), end);
  }

  /**
   * The view has another part of its list in sight.
   *
   * @param {number} index
   */
  #goTo(index) {
    this.draw();
    if (this.#way.asks) this.rows.letGo(index);
    else this.rows.goTo(index);
  }

  /** Has what long lists have besides. */
  async #lengthen() {
    if (this.#lengthens) return;
    this.#lengthens = true;
    try {
      this.#long = new (await loadFarScroll()).Long(this, filledIn);
      this.rows.draw();
    } catch {
      // Without a network it comes another time.
      this.#lengthens = false;
    }
  }

  /** Has somebody told what comes. */
  async #hear() {
    if (this.#hears) return;
    this.#hears = true;
    try {
      const { News } = await loadArrivalNotifications();
      this.#news = new News(this);
      this.#news.look(false);
    } catch {
      this.#hears = false;
    }
  }

  /** @param {View} view */
  #leave(view) {
    this.#left = null;
    void view.close().catch(() => {});
  }

  /** What is said while nothing is listed. */
  emptiness() {
    return emptiness("empty", "Nothing here");
  }

  /** @param {any} first the first item */
  #showArrivals(first) {
    const count = this.#above + (this.view.current["arrivals"]?.count ?? 0);
    const text = count === 0 ? "" : `${count} new ${nounOf(first, count, this.about.display)}`;
    this.#pill.show(text);
    if (text !== this.#arrived && text !== "") this.say(text);
    this.#arrived = text;
  }

  /** Goes to what has come. */
  goUp() {
    if (this.view.current["arrivals"]?.count > 0) this.view.send("showArrivals");
    else this.rows.goUp();
    this.focus();
  }

  /**
   * What is open has been read, and the source is told so, once: whoever marks it as unread later means it.
   *
   * @param {any} id
   */
  #markAsRead(id) {
    this.#read = id;
    const item = id === undefined ? undefined : itemAt(this.items, indexOf(this.items, id, this.about.display));
    const read = item === undefined || !this.has("change") ? null : asRead(item, this.about.display);
    if (read && this.view.isOpen) this.view.send("change", { item: read });
  }

  /** @param {{number: number, message: string, trigger: string}} error */
  #tell(error) {
    if (error.number === this.#told) return;
    this.#told = error.number;
    // Of what somebody has done whoever did it tells.
    const tells = error.trigger === "jump" ? this.#way.asks : this.#doing.held.does(error.trigger);
    if (!tells) this.page.complain(error.message);
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #sees(start, end) {
    [this.#start, this.#end] = [start, end];
    // Said before there are any, it might come when there are others than are shown by then, and ask for more of them.
    if (this.items.length === 0 || this.#way.ahead || this.#doing.held.hidesAll) return;
    // The row of the item that is to be shown again is wanted as much as those in sight.
    const isFar = this.items instanceof ListWindow && this.#followed > end + MOST_BETWEEN;
    const wanted = this.#restored === null || isFar ? end : Math.max(end, this.#followed + 1);
    if (this.has("viewport")) this.#tellSight(start, wanted);
    else if (end >= this.items.length) void this.#load.more();
  }

  /**
   * Tells the view which rows are in sight: at once, unless it is a window that holds them still by what it was told last, and others will
   * be in sight soon.
   *
   * @param {number} start
   * @param {number} end
   */
  #tellSight(start, end) {
    const { items, view } = this;
    const { held } = this.#doing;
    const tell = () => {
      this.#sight = { view, start, end };
      if (view.isOpen) view.send("viewport", { start: held.listed(start), end: held.listed(end) });
    };
    cancelAnimationFrame(this.#resting);
    const isNear = (/** @type {number} */ one, /** @type {number} */ other) => Math.abs(one - other) <= WINDOW.margin / 2;
    const told = this.#sight;
    const holds = items instanceof ListWindow && told?.view === view && isNear(told.start, start) && isNear(told.end, end);
    if (!holds) return tell();
    const rest = (/** @type {number} */ frames) => {
      this.#resting = requestAnimationFrame(() => (frames > 0 ? rest(frames - 1) : tell()));
    };
    rest(REST);
  }

  #reachesBottom() {
    // The rows in sight have asked for what follows them already, unless that has failed before.
    if (!this.has("viewport") || this.failure) void this.#load.more();
  }

  /** @param {boolean} ended whether it doesn't come by itself any more */
  #restore(ended) {
    if (this.#restored === null) return;
    const item = itemsOf(this.items).find((item) => written(identity(item, this.about.display)) === this.#restored);
    if (item === undefined && !ended) return;
    const restored = this.#restored;
    this.#restored = null;
    if (item === undefined) this.page.missing(this, restored);
    else void this.open(item);
  }
}

/**
 * How many items there are, as far as anybody knows.
 *
 * @param {import("../list/items.js").Listed} items
 * @param {{phase: string, total?: number | null | undefined}} state
 */
function placeOf(items, { phase, total }) {
  const isWindow = items instanceof ListWindow;
  const count = isWindow ? amountOf(items.length) : items.length;
  if (!isWindow && typeof total === "number" && total > items.length) return `${count} of ${amountOf(total)}`;
  return (isWindow ? items.exact : phase === "reachedBottom") ? String(count) : `${count}+`;
}
