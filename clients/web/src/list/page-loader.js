import { sameId } from "../../../javascript/src/index.js";
import { firstInputOf } from "../net/discovery.js";
import { itemAt } from "./items.js";

/** @typedef {import("../screens/screen.js").View} View */

/** Waits until a dropped `reachBottom` or `reachTop` is sent again. Most lists drop those that come within a second. */
const retryDelay = () => new Promise((resolve) => setTimeout(resolve, 1100));

/**
 * Loads the pages of a list, after its last row and before its first. If an app's own list doesn't report its state, the state is derived from
 * the outcomes of `reachBottom`.
 */
export class PageLoader {
  #screen;
  #isMoreWanted;
  #hasLoaded = false;
  #isAsking = false;
  #reachedEnd = false;
  #firstVisible = 0;
  /** @type {{view: View, id: any} | null} the first row, while it is visible, for which the page before was requested */
  #requestedAbove = null;
  /** @type {View | null} the view whose page before is being requested */
  #askingPrevious = null;
  /** The number of running requests that may load the page before. It is inserted above the rows that the user looks at. */
  #previousRequests = 0;

  /**
   * @param {import("../screens/screen.js").Screen} screen
   * @param {() => boolean} wanted whether rows are visible that aren't loaded
   */
  constructor(screen, wanted) {
    this.#screen = screen;
    this.#isMoreWanted = wanted;
  }

  get isLoadingPrevious() {
    return this.#previousRequests > 0;
  }

  /** @returns {import("../../../javascript/src/types.js").LoadState} */
  get state() {
    const { view, failure, items } = this.#screen;
    if (this.#reportsState) return view["state"];
    const isWhole = !this.#nextInput && (this.#hasLoaded || items.length > 0 || !this.#firstInput);
    const still = this.#reachedEnd || isWhole ? "reachedBottom" : this.#hasLoaded || items.length > 0 ? "requestFinished" : "nothing";
    const isLoading = view.current["loading"] === true;
    const phase = isLoading ? "requesting" : failure ? "failed" : still;
    return { phase, trigger: isLoading && this.isLoadingPrevious ? "reachTop" : "reachBottom", count: items.length };
  }

  /** Whether all rows are loaded. False if that is unknown: `reachTop` and `viewport` of an app's own list may load others. */
  get isComplete() {
    const mayLoadOthers = !this.#reportsState && ["reachTop", "viewport"].some((input) => this.#screen.hasInput(input));
    return this.state.phase === "reachedBottom" && !mayLoadOthers;
  }

  /** Loads the first page, unless `appear` does that or the list loads by itself. */
  async loadFirst() {
    [this.#hasLoaded, this.#isAsking, this.#reachedEnd] = [false, false, false];
    const input = this.#firstInput;
    if (input && input !== "appear" && this.#screen.view.current["loading"] !== true) await this.#load(input);
  }

  /** Looks for the end again, because the list is refreshed. */
  refreshed() {
    this.#reachedEnd = false;
  }

  /** Sends `appear`, which loads the first page of some lists. */
  async sendAppear() {
    if (this.#firstInput !== "appear") return this.#screen.view.send("appear");
    this.#reachedEnd = false;
    await this.#load("appear");
  }

  /** @param {string} input that loads the first page */
  async #load(input) {
    const { view } = this.#screen;
    if (this.#reportsState) return view.send(input);
    await view.call(input).catch(() => {});
    this.#hasLoaded = true;
    this.#screen.drawSoon();
  }

  /** Loads the next page. */
  async loadMore() {
    const { view } = this.#screen;
    const input = this.#nextInput;
    if (!input) return;
    if (this.#reportsState) return view.send(input);
    if (this.#isAsking || this.#reachedEnd || !view.isOpen) return;
    this.#isAsking = true;
    const ask = async () => view.call(input).catch(() => "dropped");
    let outcome = await ask();
    if (outcome === "nothing") {
      await retryDelay();
      outcome = await ask();
      this.#reachedEnd = outcome === "nothing" && view.current["loading"] !== true;
    }
    this.#isAsking = false;
    this.#screen.drawSoon();
    // The next page may not fill the screen.
    if (outcome === "finished" && this.#isMoreWanted()) void this.loadMore();
  }

  /** Sets the first visible row. If it is the list's first, the page before is loaded: once, until another row is first or it comes into sight again. */
  set firstVisible(/** @type {number} */ start) {
    const { view } = this.#screen;
    this.#firstVisible = start;
    const id = start > 0 ? null : this.#screen.idOf(itemAt(this.#screen.items, 0));
    const before = this.#requestedAbove;
    this.#requestedAbove = start > 0 ? null : { view, id };
    if (start === 0 && !(before?.view === view && sameId(before.id, id))) void this.#loadPrevious();
  }

  /** Loads the page before the first row. If the list may have dropped the input, because it came too soon or another load was running, it is sent again. */
  async #loadPrevious() {
    const { view } = this.#screen;
    if (this.#askingPrevious === view || !view.isOpen || !this.#screen.hasInput("reachTop")) return;
    this.#askingPrevious = view;
    const isWanted = () => this.#firstVisible === 0 && this.#screen.view === view && view.isOpen;
    const outcome = await this.#askPrevious(view, "reachTop");
    while (outcome === "nothing" && isWanted()) {
      await retryDelay();
      if (view.current["loading"] === true) continue;
      if (isWanted()) await this.#askPrevious(view, "reachTop");
      break;
    }
    if (this.#askingPrevious === view) this.#askingPrevious = null;
    this.#screen.drawSoon();
  }

  /**
   * Reports the visible rows. If the list doesn't report its state, rows that are inserted above them meanwhile are taken for the page before.
   *
   * @param {View} view
   * @param {{start: number, end: number}} rows
   */
  sendViewport(view, rows) {
    if (this.#reportsState || 2 * rows.start > rows.end) view.send("viewport", rows);
    else void this.#askPrevious(view, "viewport", rows);
  }

  /**
   * Sends an input that may load the page before, and returns its outcome.
   *
   * @param {View} view
   * @param {string} input
   * @param {object} [params]
   */
  async #askPrevious(view, input, params) {
    this.#previousRequests += 1;
    const outcome = await view.call(input, params).catch(() => "dropped");
    this.#previousRequests -= 1;
    return outcome;
  }

  retry() {
    const screen = this.#screen;
    if (screen.canRetry) screen.view.send("retry");
    else if (screen.failure?.trigger === "reachTop" && screen.hasInput("reachTop")) void this.#loadPrevious();
    else if (screen.items.length > 0) void this.loadMore();
    else if (this.#firstInput === "appear") screen.page.hideView(screen.view);
    else void this.loadFirst();
  }

  /** The input that loads the first page. */
  get #firstInput() {
    return firstInputOf(this.#screen.info.inputs);
  }

  /** The input that loads the next page. */
  get #nextInput() {
    return ["reachBottom", "loadMore"].find((input) => this.#screen.hasInput(input));
  }

  /** Whether reporting the viewport loads pages, as in the built-in lists. An app's own list may use it for something else. */
  get loadsByViewport() {
    return this.#screen.hasInput("viewport") && this.#reportsState;
  }

  /** Whether the list reports its load state. */
  get #reportsState() {
    return typeof this.#screen.view.current["state"]?.phase === "string";
  }
}
