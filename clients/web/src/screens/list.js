import { ListWindow, sameId } from "../../../javascript/src/index.js";
import { actionsOf } from "../actions/action.js";
import { ItemActions } from "../actions/item-actions.js";
import { fillIn } from "../dialogs/load-dialogs.js";
import { loadArrivalNotifications, loadFarScroll } from "../lazy.js";
import { ArrivalsButton } from "../list/arrivals-button.js";
import { FilterChips } from "../list/filter-chips.js";
import { areLoaded, indexOfItem, itemAt, loadedItems, WINDOW_OPTIONS } from "../list/items.js";
import { LoadProgress } from "../list/load-progress.js";
import { PageLoader } from "../list/page-loader.js";
import { pullToRefresh } from "../list/pull-to-refresh.js";
import { Rows } from "../list/rows.js";
import { ScrollBack } from "../list/scroll-back.js";
import { idInAddress } from "../net/address.js";
import { closeView } from "../net/close-view.js";
import { formatAmount } from "../text/format.js";
import { asRead, nounOf } from "../text/item-display.js";
import { highlightMatches } from "../text/match-highlights.js";
import { humanize } from "../text/value.js";
import { h } from "../ui/dom.js";
import { emptyNotice, errorNotice, TRANSIENT_TRIGGERS } from "../ui/notice.js";
import { Inputs, States } from "./inputs-and-states.js";
import { Screen } from "./screen.js";

/** @typedef {import("./screen.js").View} View */

/** Rows that stand for what is on its way: a screenful, or those below the rows that are there. */
const PLACEHOLDERS = { first: 12, more: 3 };
/** Frames in which the rows in sight have stayed the same when they have come to rest. */
const REST_FRAMES = 6;
/** The most rows of a long list that are had so that an item comes that is to be shown again. */
const MAX_RESTORE_DISTANCE = 500;
/** What the page gives and shows by itself. */
const OWN_INPUTS = [
  ...["viewWillAppear", "appear", "reachBottom", "reachTop", "loadMore", "refresh", "retry", "change", "select", "viewport", "insert"],
  ...["remove", "filter", "showArrivals", "search", "cancelSearch", "jump", "mark", "unmark", "discard"],
];
const OWN_OUTPUTS = ["items", "loading", "error", "state", "arrivals", "filters", "query", "noResult", "sections", "marks", "unsent"];

/** Items that grow as the user comes to their end. */
export class ListScreen extends Screen {
  listOutput = "items";
  actions = actionsOf(this.info, OWN_INPUTS);
  /** @type {ItemActions} */
  #itemActions = new ItemActions(this);
  /** @type {Rows} */
  rows = new Rows(humanize(this.view.screen), this.info.display, {
    onOpen: (item) => void this.open(item),
    onVisible: (start, end) => this.#rowsBecameVisible(start, end),
    onBottom: () => this.#reachesBottom(),
    onScroll: () => {
      this.page.rememberPosition();
      this.#farScroll?.draw();
    },
    onDraw: () => {
      highlightMatches(this.rows.element.querySelectorAll(".row-texts"), this.view.current["query"] ?? "");
      this.#farScroll?.draw();
    },
    onNewAbove: (count) => {
      this.#newAbove = count;
      this.drawSoon();
    },
    goToEnd: () => this.#farScroll?.goToEnd() ?? false,
    ...this.#itemActions.rowListener,
  });
  #chips = new FilterChips((set) => this.#filter(set));
  /** Filters that the user has set: the server's are others. */
  #filters = /** @type {Record<string, any>} */ ({});
  /** How many searches and filters are under way. */
  #runningSearches = 0;
  #arrivalsButton = new ArrivalsButton(() => this.goToArrivals());
  #progress = new LoadProgress();
  /** Rows that have come above those in sight. */
  #newAbove = 0;
  /** What this list has besides. */
  #states = new States(this, this.stateNames().filter((name) => !OWN_OUTPUTS.includes(name)));
  #loader = new PageLoader(this, () => this.#visibleEnd >= this.items.length);
  /** Whether something else has just come. */
  #hasNewResult = false;
  /** @type {string | null} what has made the newest load begin, since that is over */
  #lastTrigger = null;
  #wasLoading = false;
  /** What was said of it. */
  #arrivalsText = "";
  /** @type {any} the newest failure that was told */
  #reportedFailure = null;
  /** @type {any} the id of the item that was read last */
  #readID;
  /** @type {string | null} the id of the item to be shown once it is there, as the address has it */
  #wantedID = null;
  /** The place of the item that is or was open. */
  #openedIndex = 0;
  #firstVisible = 0;
  #visibleEnd = 0;
  #restFrame = 0;
  /** @type {{view: View, start: number, end: number} | null} the rows in sight as a view was told of them last */
  #sentViewport = null;
  #scrollBack = new ScrollBack(this);
  /**
   * What long lists have besides, once there is need of it.
   *
   * @type {import("../list/far-scroll.js").FarScroll | null}
   */
  #farScroll = null;
  #loadsFarScroll = false;
  /**
   * What tells of it that something has come.
   *
   * @type {import("../list/arrival-notifications.js").ArrivalNotifications | null}
   */
  #notifications = null;
  #loadsNotifications = false;
  /** How many items were selected whose answers haven't come. */
  #runningSelections = 0;
  /** @type {View[]} pagers that were opened meanwhile: the answer tells which one by the selection */
  #pagers = [];
  /** @type {View | null} one that isn't shown any more, which has opened the item that is */
  #replacedView = null;

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    const mark = pullToRefresh(this.rows.element, () => this.refresh());
    const rows = h("div", { class: "beneath" }, this.rows.element, this.#arrivalsButton.element);
    const others = [...this.info.inputs.keys()].filter((name) => !OWN_INPUTS.includes(name) && !this.actions.some(({ input }) => input === name));
    const inputs = h("details", { class: "others", hidden: others.length === 0 }, h("summary", {}, others.map(humanize).join(" · ")));
    inputs.append(new Inputs(this, others).element);
    this.element.append(this.#chips.element, this.#itemActions.marks.element, this.#states.element, inputs, this.#progress.element, mark, rows);
  }

  async start() {
    this.#scrollBack.begin();
    if (Object.keys(this.#filters).length > 0) this.view.send("filter", { set: this.#filters });
    await this.#loader.loadFirst();
  }

  appear() {
    this.rows.appear();
  }

  replaceView(/** @type {View} */ view) {
    const before = this.view;
    this.rows.keepShowing();
    super.replaceView(view);
    // With it would go what it has opened.
    if (this.page.isDetailShown) this.#replacedView = before;
    else closeView(before);
  }

  /** Whether something is under way that another view would know nothing of. */
  get isBusy() {
    return this.#runningSearches > 0 || !this.view.isOpen || this.#itemActions.isBusy;
  }

  /** What the user has looked for. */
  get criteria() {
    const { query } = this.view.current;
    return { filters: this.#filters, query: typeof query === "string" ? query : "" };
  }

  /** Whether rows follow that haven't come, as far as anybody knows. */
  get isGrowing() {
    const { phase } = this.#loader.state;
    return this.items.length > 0 && phase !== "reachedBottom" && !(this.items instanceof ListWindow);
  }

  focus() {
    this.rows.focus();
  }

  /** @returns {import("./screen.js").Bookmark} */
  bookmark() {
    return { ...(!this.rows.expected && { place: this.rows.position }), followed: this.#openedIndex, marks: this.#itemActions.marks.keys, filters: this.#filters };
  }

  restoreBookmark(/** @type {import("./screen.js").Bookmark} */ { place, followed, marks = [], filters = {} }) {
    if (this.hasInput("filter")) this.#filters = filters;
    if (place && (place.index > 0 || place.offset > 0)) this.rows.expectPosition(place);
    this.#openedIndex = followed ?? 0;
    this.#itemActions.marks.keys = marks;
  }

  connectionLost() {
    this.#itemActions.pending.undoAll();
    if (!this.rows.expected && this.items instanceof ListWindow) this.rows.expectPosition(this.rows.position);
    this.rows.keepShowing();
  }

  receive(/** @type {string} */ output, /** @type {any} */ value) {
    if (output === "scrollToTop") this.rows.scrollTo(0);
    if (output === "scrollTo" && typeof value?.index === "number") this.#goTo(value.index);
    super.receive(output, value);
  }

  handleKey(/** @type {string} */ key) {
    return this.#itemActions.handleKey(key) || super.handleKey(key);
  }

  handleEscape() {
    this.#itemActions.marks.clear();
  }

  /** @param {Parameters<ItemActions["act"]>} given */
  act(...given) {
    return this.#itemActions.act(...given);
  }

  sendPending() {
    this.#itemActions.pending.sendAll();
  }

  commands() {
    const { filters = {} } = this.view.current;
    return [...this.#itemActions.commands(), ...super.commands(), ...(this.#farScroll?.commands() ?? []), ...(this.#notifications?.commands() ?? []), ...this.#chips.commands(filters, loadedItems(this.items))];
  }

  openFromAddress(/** @type {string} */ id) {
    this.#wantedID = id;
    this.draw();
  }

  itemOpened(/** @type {any} */ id, /** @type {number} */ index) {
    this.rows.opened = id;
    if (index >= 0) this.#openedIndex = index;
    const { items } = this.rows;
    // Items that are on their way out aren't among the rows, and what isn't here can only stand where it is said to.
    const isThere = (/** @type {number} */ row) => sameId(this.idOf(itemAt(items, row)), id);
    const row = id === undefined ? undefined : [index, index - 1].find(isThere);
    if (row !== undefined) this.rows.moveTo(row);
    else if (index >= 0 && items.at(index) === null) this.rows.moveTo(index);
    if (this.#replacedView && index < 0) this.#closeReplaced(this.#replacedView);
    if (id === undefined || !sameId(id, this.#readID)) this.#markAsRead(id);
  }

  refresh() {
    if (this.view.isOpen) this.#itemActions.pending.listReloads(false);
    super.refresh();
    if (!this.view.isOpen) return;
    this.rows.showCurrent();
    this.rows.scrollTo(0);
  }

  /** @param {any} item */
  async open(item) {
    // Without a connection it is read as far as it is here.
    if (!this.hasInput("select") || !this.view.isOpen) return this.page.openItem(this, item, undefined);
    const id = this.idOf(item);
    this.#runningSelections += 1;
    const asked = await this.send("select", { id });
    this.#runningSelections -= 1;
    const opened = asked?.opened;
    const before = this.#pagers.splice(0, this.#runningSelections > 0 ? this.#pagers.findIndex((pager) => pager === opened) + 1 : Infinity);
    for (const pager of before) this.#openPager(pager, pager === opened && sameId(pager.current["page"].id, id));
    if (asked && !opened) this.page.openItem(this, item, undefined);
  }

  navigate(/** @type {View} */ view) {
    if (this.page.kindOf(view) !== "pager") super.navigate(view);
    else if (this.#runningSelections > 0) this.#pagers.push(view);
    else this.#openPager(view, false);
  }

  /**
   * @param {View} pager
   * @param {boolean} isOwn whether its items are this list's
   */
  #openPager(pager, isOwn) {
    const { page } = pager.current;
    this.page.openItem(this, page.item ?? { id: page.id }, pager, isOwn);
  }

  draw() {
    const { state } = this.#loader;
    const error = this.failure;
    this.#itemActions.pending.sendDue();
    const items = this.#itemActions.pending.applyTo(this.items);
    const loading = state.phase === "nothing" || state.phase === "requesting";
    // What came before may be here, and its load over, in one turn of the page.
    const isWindow = items instanceof ListWindow;
    const isEarlier = state.trigger === "reachTop" || (isWindow && state.trigger === "viewport");
    const isBefore = isEarlier && this.#lastTrigger !== state.trigger;
    this.rows.setItems(items, isBefore);
    this.#notifications?.update(isBefore);
    this.#lastTrigger = loading ? null : state.trigger;
    const first = items.length === 0;
    const stale = this.#runningSearches > 0;
    this.rows.element.classList.toggle("stale", stale);
    this.#chips.draw(this.view.current["filters"], () => loadedItems(this.items));
    this.rows.placeholders = loading && !stale ? (first ? PLACEHOLDERS.first : this.#placeholderCount(items)) : 0;
    const ended = state.phase === "reachedBottom" || state.phase === "failed";
    const isBack = isWindow ? this.#areVisibleRowsLoaded(items, loading) : ended || (items.length >= this.#visibleEnd && !first);
    if (!stale && (isBack || this.#hasNewResult)) this.rows.showCurrent();
    this.#hasNewResult = false;
    if (!first && !loading) {
      void this.#scrollBack.run();
      void this.#loadNotifications();
    }
    // Where one was there may be nothing any more.
    const passing = error !== null && error.number !== undefined && [...TRANSIENT_TRIGGERS, "jump"].includes(error.trigger);
    if (passing) this.#reportTransient(error);
    if (error && !passing) this.rows.foot.show(error, () => errorNotice(error.message, "Try again", () => this.#loader.retry()));
    else this.rows.foot.show(first && ended ? `nothing ${this.view.current["query"]}` : null, () => this.emptyNotice());
    this.#states.draw();
    this.#itemActions.marks.update();
    this.#progress.show(state.progress);
    this.showPosition(first ? "" : countText(items, state));
    if (this.#wasLoading && !loading && !first) this.announce(`${isWindow ? formatAmount(items.length) : items.length} items`);
    this.#wasLoading = loading;
    this.#showArrivals(loadedItems(items)[0]);
    if (isWindow || this.view.current["sections"]?.length > 0 || (this.info.windowed && this.isGrowing)) this.#loadFarScroll();
    this.#farScroll?.draw();
    this.#openWanted(ended || (!loading && !first && !this.page.isDetailShown));
  }

  /** @param {Record<string, any>} set */
  #filter(set) {
    this.#filters = Object.fromEntries(Object.entries({ ...this.#filters, ...set }).filter(([, value]) => value !== null));
    void this.search("filter", { set });
  }

  /**
   * Looks for something else: what is there stays until that has come.
   *
   * @param {string} input
   * @param {object} [params]
   */
  async search(input, params) {
    if (!this.view.isOpen) return this.page.remindOffline();
    this.page.rememberPosition();
    this.rows.keepShowing();
    this.#itemActions.pending.listReloads(true);
    this.#runningSearches += 1;
    this.draw();
    const outcome = await this.view.call(input, params).catch((error) => this.page.showError(String(error.message)));
    this.#runningSearches -= 1;
    if (this.#runningSearches > 0) return;
    this.#hasNewResult = true;
    this.draw();
    if (outcome === "finished") this.rows.scrollTo(0);
  }

  /**
   * How many rows stand for what is on its way below the others.
   *
   * @param {import("../list/items.js").ListItems} items
   */
  #placeholderCount(items) {
    // Of a long list, what is on its way has places of its own, unless it comes at the end.
    const within = items instanceof ListWindow && (items.exact || items.held.includes(null));
    return within ? 0 : PLACEHOLDERS.more;
  }

  /**
   * Whether the rows of a long list have come that are in sight.
   *
   * @param {ListWindow<any>} items
   * @param {boolean} loading
   */
  #areVisibleRowsLoaded(items, loading) {
    if (this.failure && !this.#scrollBack.isAsking) return true;
    if (this.#scrollBack.isPending || loading) return false;
    const end = items.exact ? Math.min(this.#visibleEnd, items.length) : this.#visibleEnd;
    return items.length > 0 && areLoaded(items, Math.min(this.#firstVisible, end), end);
  }

  /**
   * The view has another part of its list in sight.
   *
   * @param {number} index
   */
  #goTo(index) {
    this.draw();
    if (this.#scrollBack.isAsking) this.rows.showCurrent(index);
    else this.rows.goTo(index);
  }

  /** Has what long lists have besides. */
  async #loadFarScroll() {
    if (this.#loadsFarScroll) return;
    this.#loadsFarScroll = true;
    try {
      this.#farScroll = new (await loadFarScroll()).FarScroll(this, fillIn);
      this.rows.draw();
    } catch {
      // Without a network it comes another time.
      this.#loadsFarScroll = false;
    }
  }

  /** Has somebody told what comes. */
  async #loadNotifications() {
    if (this.#loadsNotifications) return;
    this.#loadsNotifications = true;
    try {
      const { ArrivalNotifications } = await loadArrivalNotifications();
      this.#notifications = new ArrivalNotifications(this);
      this.#notifications.update(false);
    } catch {
      this.#loadsNotifications = false;
    }
  }

  /** @param {View} view */
  #closeReplaced(view) {
    this.#replacedView = null;
    closeView(view);
  }

  /** What is said while nothing is listed. */
  emptyNotice() {
    return emptyNotice("empty", "Nothing here");
  }

  /** @param {any} first the first item */
  #showArrivals(first) {
    const count = this.#newAbove + (this.view.current["arrivals"]?.count ?? 0);
    const text = count === 0 ? "" : `${count} new ${nounOf(first, count, this.info.display)}`;
    this.#arrivalsButton.show(text);
    if (text !== this.#arrivalsText && text !== "") this.announce(text);
    this.#arrivalsText = text;
  }

  /** Goes to what has come. */
  goToArrivals() {
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
    this.#readID = id;
    const item = id === undefined ? undefined : itemAt(this.items, indexOfItem(this.items, id, this.info.display));
    const read = item === undefined || !this.hasInput("change") ? null : asRead(item, this.info.display);
    if (read && this.view.isOpen) this.view.send("change", { item: read });
  }

  /** @param {{number: number, message: string, trigger: string}} error */
  #reportTransient(error) {
    if (error.number === this.#reportedFailure) return;
    this.#reportedFailure = error.number;
    // Of what somebody has done whoever did it tells.
    const tells = error.trigger === "jump" ? this.#scrollBack.isAsking : this.#itemActions.pending.isSending(error.trigger);
    if (!tells) this.page.showError(error.message);
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #rowsBecameVisible(start, end) {
    [this.#firstVisible, this.#visibleEnd] = [start, end];
    // Said before there are any, it might come when there are others than are shown by then, and ask for more of them.
    if (this.items.length === 0 || this.#scrollBack.isPending || this.#itemActions.pending.removesAll) return;
    // The row of the item that is to be shown again is wanted as much as those in sight.
    const isFar = this.items instanceof ListWindow && this.#openedIndex > end + MAX_RESTORE_DISTANCE;
    const wanted = this.#wantedID === null || isFar ? end : Math.max(end, this.#openedIndex + 1);
    if (this.hasInput("viewport")) this.#sendViewport(start, wanted);
    else if (end >= this.items.length) void this.#loader.loadMore();
  }

  /**
   * Tells the view which rows are in sight: at once, unless it is a window that holds them still by what it was told last, and others will
   * be in sight soon.
   *
   * @param {number} start
   * @param {number} end
   */
  #sendViewport(start, end) {
    const { items, view } = this;
    const { pending } = this.#itemActions;
    const tell = () => {
      this.#sentViewport = { view, start, end };
      if (view.isOpen) view.send("viewport", { start: pending.listIndex(start), end: pending.listIndex(end) });
    };
    cancelAnimationFrame(this.#restFrame);
    const isNear = (/** @type {number} */ one, /** @type {number} */ other) => Math.abs(one - other) <= WINDOW_OPTIONS.margin / 2;
    const told = this.#sentViewport;
    const holds = items instanceof ListWindow && told?.view === view && isNear(told.start, start) && isNear(told.end, end);
    if (!holds) return tell();
    const rest = (/** @type {number} */ frames) => {
      this.#restFrame = requestAnimationFrame(() => (frames > 0 ? rest(frames - 1) : tell()));
    };
    rest(REST_FRAMES);
  }

  #reachesBottom() {
    // The rows in sight have asked for what follows them already, unless that has failed before.
    if (!this.hasInput("viewport") || this.failure) void this.#loader.loadMore();
  }

  /** @param {boolean} ended whether it doesn't come by itself any more */
  #openWanted(ended) {
    if (this.#wantedID === null) return;
    const item = loadedItems(this.items).find((item) => idInAddress(this.idOf(item)) === this.#wantedID);
    if (item === undefined && !ended) return;
    const restored = this.#wantedID;
    this.#wantedID = null;
    if (item === undefined) this.page.openUnlisted(this, restored);
    else void this.open(item);
  }
}

/**
 * How many items there are, as far as anybody knows.
 *
 * @param {import("../list/items.js").ListItems} items
 * @param {{phase: string, total?: number | null | undefined}} state
 */
function countText(items, { phase, total }) {
  const isWindow = items instanceof ListWindow;
  const count = isWindow ? formatAmount(items.length) : items.length;
  if (!isWindow && typeof total === "number" && total > items.length) return `${count} of ${formatAmount(total)}`;
  return (isWindow ? items.exact : phase === "reachedBottom") ? String(count) : `${count}+`;
}
