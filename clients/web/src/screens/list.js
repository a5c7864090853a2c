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
import { canUndo } from "../net/discovery.js";
import { formatAmount } from "../text/format.js";
import { asRead, nounOf } from "../text/item-display.js";
import { highlightMatches } from "../text/match-highlights.js";
import { humanize } from "../text/value.js";
import { h } from "../ui/dom.js";
import { emptyNotice, errorNotice, TRANSIENT_TRIGGERS } from "../ui/notice.js";
import { Inputs, States } from "./inputs-and-states.js";
import { Screen } from "./screen.js";

/** @typedef {import("./screen.js").View} View */

/** The number of placeholders: for the first page, and for the next ones. */
const PLACEHOLDERS = { first: 12, more: 3 };
/** Frames without a change after which the visible rows count as at rest. */
const REST_FRAMES = 6;
/** The most rows of a long list that are loaded to reach the item that is to be opened. */
const MAX_RESTORE_DISTANCE = 500;
/** Ports that the page uses and draws by itself. */
const OWN_INPUTS = (
  "viewWillAppear viewDidAppear appear disappear load reachBottom reachTop loadMore refresh retry change select viewport insert " +
  "remove filter showArrivals search cancelSearch jump mark unmark"
).split(" ");
const OWN_OUTPUTS = "items loading error state arrivals filters query noResult sections marks pending undoable".split(" ");

/** Shows a list that loads more pages as the user scrolls to its end. */
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
    pendingState: (item) => this.pendingState(item),
    ...this.#itemActions.rowListener,
  });
  #chips = new FilterChips((set) => this.#filter(set));
  /** The filters that the user has set. The server may add others. */
  #filters = /** @type {Record<string, any>} */ ({});
  /** The number of running searches and filters. */
  #runningSearches = 0;
  #arrivalsButton = new ArrivalsButton(() => this.goToArrivals());
  #progress = new LoadProgress();
  /** New items above the visible rows. */
  #newAbove = 0;
  /** The app's own states. */
  #states = new States(this, this.stateNames().filter((name) => !OWN_OUTPUTS.includes(name)));
  #loader = new PageLoader(this, () => this.#visibleEnd >= this.items.length);
  /** Whether the result of a search has just been loaded. */
  #hasNewResult = false;
  /** @type {string | null} the trigger of the last load that has ended */
  #lastTrigger = null;
  #wasLoading = false;
  /** The text of the arrivals button. */
  #arrivalsText = "";
  /** @type {any} the last failure that was reported: its number, or the failure itself if it has none */
  #reportedFailure = null;
  /** @type {any} the id of the item that was marked as read last */
  #readID;
  /** @type {string | null} the id, as in the URL, of the item that is opened once it is loaded */
  #wantedID = null;
  /** The index of the item that is or was open. */
  #openedIndex = 0;
  #firstVisible = 0;
  #visibleEnd = 0;
  #restFrame = 0;
  /** @type {{view: View, start: number, end: number} | null} the last reported viewport */
  #sentViewport = null;
  #scrollBack = new ScrollBack(this);
  /**
   * Scrolls far in long lists; loaded when needed.
   *
   * @type {import("../list/far-scroll.js").FarScroll | null}
   */
  #farScroll = null;
  #loadsFarScroll = false;
  /**
   * Notifies of new items; loaded after the first page.
   *
   * @type {import("../list/arrival-notifications.js").ArrivalNotifications | null}
   */
  #notifications = null;
  #loadsNotifications = false;
  /** The number of running selections. */
  #runningSelections = 0;
  /** @type {View[]} pagers that were opened while selections are running. The answers name the pager that each selection opened */
  #pagers = [];
  /** @type {View | null} the view that was replaced. It has opened the pager that is shown */
  #replacedView = null;

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    const mark = pullToRefresh(this.rows.element, () => this.refresh());
    const rows = h("div", { class: "beneath" }, this.rows.element, this.#arrivalsButton.element);
    const others = [...this.info.inputs.keys()].filter((name) => !OWN_INPUTS.includes(name) && !(name === "undo" && canUndo(this.info)) && !this.actions.some(({ input }) => input === name));
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

  sendAppear() {
    void this.#loader.sendAppear();
  }

  replaceView(/** @type {View} */ view) {
    const before = this.view;
    // The server has closed it meanwhile, and the screen is gone.
    if (!before.isOpen) return closeView(view);
    this.rows.keepShowing();
    super.replaceView(view);
    // Closing it would close the pager it has opened.
    if (this.page.isDetailShown) this.#replacedView = before;
    else closeView(before);
  }

  /** Whether the view must not be replaced: a search is running, items are marked, actions are pending, or the view is closed. */
  get isBusy() {
    return this.#runningSearches > 0 || !this.view.isOpen || this.#itemActions.isBusy;
  }

  /** The criteria of the list. */
  get criteria() {
    const { query } = this.view.current;
    return { filters: this.#filters, query: typeof query === "string" ? query : "" };
  }

  /** Whether rows may follow that aren't loaded. */
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
    this.endUndo();
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

  endUndo() {
    this.#itemActions.sent.end();
  }

  /**
   * Returns the state of an item whose edits aren't finished.
   *
   * @param {any} item
   * @returns {string | undefined} `sending`, or `failed` if the source has refused it
   */
  pendingState(item) {
    const { pending } = this.view.current;
    const id = this.idOf(item);
    return Array.isArray(pending) && id !== undefined ? pending.find((edit) => sameId(edit?.id, id))?.state : undefined;
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
    // An item that isn't loaded is taken to be where it was reported.
    if (id !== undefined && index >= 0 && (items.at(index) === null || sameId(this.idOf(itemAt(items, index)), id))) this.rows.moveTo(index);
    if (this.#replacedView && index < 0) this.#closeReplaced(this.#replacedView);
    if (id === undefined || !sameId(id, this.#readID)) this.#markAsRead(id);
  }

  refresh() {
    super.refresh();
    if (!this.view.isOpen) return;
    this.#loader.refreshed();
    this.rows.showCurrent();
    this.rows.scrollTo(0);
  }

  /** @param {any} item */
  async open(item) {
    // Without a connection, the loaded fields of the item are shown.
    if (!this.hasInput("select") || !this.view.isOpen) return this.page.openItem(this, item, undefined);
    const id = this.idOf(item);
    this.#runningSelections += 1;
    const result = await this.send("select", { id });
    this.#runningSelections -= 1;
    const opened = result?.opened;
    const before = this.#pagers.splice(0, this.#runningSelections > 0 ? this.#pagers.findIndex((pager) => pager === opened) + 1 : Infinity);
    for (const pager of before) this.#openPager(pager, pager === opened && sameId(pager.current["page"].id, id));
    if (result && !opened) this.page.openItem(this, item, undefined);
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
    const { items } = this;
    const loading = state.phase === "nothing" || state.phase === "requesting";
    // The previous page may be loaded and its load over at once.
    const isWindow = items instanceof ListWindow;
    const isEarlier = state.trigger === "reachTop" || (isWindow && state.trigger === "viewport");
    const isBefore = this.#loader.isLoadingPrevious || (isEarlier && this.#lastTrigger !== state.trigger);
    this.rows.setItems(items, isBefore);
    this.#notifications?.update(isBefore);
    this.#lastTrigger = loading ? null : state.trigger;
    const first = items.length === 0;
    const stale = this.#runningSearches > 0;
    this.rows.element.classList.toggle("stale", stale);
    this.#chips.draw(this.view.current["filters"], () => loadedItems(this.items));
    const growsBelow = first || state.trigger !== "reachTop";
    this.rows.placeholders = loading && !stale && growsBelow ? (first ? PLACEHOLDERS.first : this.#placeholderCount(items)) : 0;
    const ended = state.phase === "reachedBottom" || state.phase === "failed";
    const isBack = isWindow ? this.#areVisibleRowsLoaded(items, loading) : ended || (items.length >= this.#visibleEnd && !first);
    if (!stale && (isBack || this.#hasNewResult)) this.rows.showCurrent();
    this.#hasNewResult = false;
    if (!first && !loading) {
      void this.#scrollBack.run();
      void this.#loadNotifications();
    }
    // A jump can fail because its target doesn't exist any more.
    const passing = error !== null && error.number !== undefined && [...TRANSIENT_TRIGGERS, "jump"].includes(error.trigger);
    // The notice below the rows is out of sight at the first row.
    const isAbove = error?.trigger === "reachTop" && !first;
    if (passing) this.#reportTransient(error);
    else if (isAbove) this.#reportOnce(error, "Try again", () => this.#loader.retry());
    if (error && !passing && !isAbove) this.rows.foot.show(error, () => errorNotice(error.message, "Try again", () => this.#loader.retry()));
    else this.rows.foot.show(first && ended ? `nothing ${this.view.current["query"]}` : null, () => this.emptyNotice());
    this.#states.draw();
    this.#itemActions.marks.update();
    this.#itemActions.sent.update();
    this.#progress.show(state.progress);
    this.showPosition(first ? "" : countText(items, state, this.#loader.isComplete));
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
   * Searches or filters the list. The current items stay until the result is loaded.
   *
   * @param {string} input
   * @param {object} [params]
   */
  async search(input, params) {
    if (!this.view.isOpen) return this.page.remindOffline();
    this.page.rememberPosition();
    this.rows.keepShowing();
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
   * Returns the number of placeholders below the items.
   *
   * @param {import("../list/items.js").ListItems} items
   */
  #placeholderCount(items) {
    // A window has rows for items that are loading, except beyond its end.
    const within = items instanceof ListWindow && (items.exact || items.held.includes(null));
    return within ? 0 : PLACEHOLDERS.more;
  }

  /**
   * Whether the visible rows of a window are loaded.
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
   * Scrolls to where the view has scrolled.
   *
   * @param {number} index
   */
  #goTo(index) {
    this.draw();
    if (this.#scrollBack.isAsking) this.rows.showCurrent(index);
    else this.rows.goTo(index);
  }

  /** Loads what long lists need. */
  async #loadFarScroll() {
    if (this.#loadsFarScroll) return;
    this.#loadsFarScroll = true;
    try {
      this.#farScroll = new (await loadFarScroll()).FarScroll(this, fillIn);
      this.rows.draw();
    } catch {
      // It is loaded again the next time it is needed.
      this.#loadsFarScroll = false;
    }
  }

  /** Loads the notifications. */
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

  /** Creates the text that is shown while the list is empty. */
  emptyNotice() {
    return emptyNotice("empty", "Nothing here");
  }

  /** @param {any} first item */
  #showArrivals(first) {
    const count = this.#newAbove + (this.view.current["arrivals"]?.count ?? 0);
    const text = count === 0 ? "" : `${count} new ${nounOf(first, count, this.info.display)}`;
    this.#arrivalsButton.show(text);
    if (text !== this.#arrivalsText && text !== "") this.announce(text);
    this.#arrivalsText = text;
  }

  /** Goes to the new items. */
  goToArrivals() {
    if (this.view.current["arrivals"]?.count > 0) this.view.send("showArrivals");
    else this.rows.goUp();
    this.focus();
  }

  /**
   * Marks the opened item as read, once. The user may mark it as unread later.
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
    const { sent } = this.#itemActions;
    // Failures of the user's actions are reported by those.
    const isReported = error.trigger === "jump" ? this.#scrollBack.isAsking : sent.isSending(error.trigger) || sent.reportRefusal(error);
    this.#reportedFailure = error.number;
    if (!isReported) this.page.showError(error.message);
  }

  /**
   * @param {{number?: number, message: string}} error
   * @param {[remedy?: string, mend?: () => void]} remedy
   */
  #reportOnce(error, ...remedy) {
    const failure = error.number ?? error;
    if (failure === this.#reportedFailure) return;
    this.#reportedFailure = failure;
    this.page.showError(error.message, ...remedy);
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #rowsBecameVisible(start, end) {
    [this.#firstVisible, this.#visibleEnd] = [start, end];
    // An earlier report could reach other items than these and load more of them.
    if (this.items.length === 0 || this.#scrollBack.isPending) return;
    // The row of the item to open must be loaded like the visible ones.
    const isFar = this.items instanceof ListWindow && this.#openedIndex > end + MAX_RESTORE_DISTANCE;
    const wanted = this.#wantedID === null || isFar ? end : Math.max(end, this.#openedIndex + 1);
    if (!this.#loader.loadsByViewport) {
      if (end >= this.items.length) void this.#loader.loadMore();
      this.#loader.firstVisible = start;
    }
    if (this.hasInput("viewport")) this.#sendViewport(start, wanted);
  }

  /**
   * Reports the visible rows to the view. This waits until they rest if the window still holds them and others will soon be visible.
   *
   * @param {number} start
   * @param {number} end
   */
  #sendViewport(start, end) {
    const { items, view } = this;
    const tell = () => {
      this.#sentViewport = { view, start, end };
      if (view.isOpen) this.#loader.sendViewport(view, { start, end });
    };
    cancelAnimationFrame(this.#restFrame);
    const isNear = (/** @type {number} */ one, /** @type {number} */ other) => Math.abs(one - other) <= WINDOW_OPTIONS.margin / 2;
    const sent = this.#sentViewport;
    const holds = items instanceof ListWindow && sent?.view === view && isNear(sent.start, start) && isNear(sent.end, end);
    if (!holds) return tell();
    const rest = (/** @type {number} */ frames) => {
      this.#restFrame = requestAnimationFrame(() => (frames > 0 ? rest(frames - 1) : tell()));
    };
    rest(REST_FRAMES);
  }

  #reachesBottom() {
    // Reporting the viewport has loaded the next page, unless that has failed.
    if (!this.#loader.loadsByViewport || this.failure) void this.#loader.loadMore();
  }

  /** @param {boolean} ended whether the item won't be loaded by itself any more */
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
 * Returns the number of items, as far as it is known.
 *
 * @param {import("../list/items.js").ListItems} items
 * @param {{total?: number | null | undefined}} state
 * @param {boolean} isComplete whether all items are loaded
 */
function countText(items, { total }, isComplete) {
  const isWindow = items instanceof ListWindow;
  const count = isWindow ? formatAmount(items.length) : items.length;
  if (!isWindow && typeof total === "number" && total > items.length) return `${count} of ${formatAmount(total)}`;
  return (isWindow ? items.exact : isComplete) ? String(count) : `${count}+`;
}
