/** Milliseconds after which a dropped `reachBottom` is sent again. Most lists drop those that come within a second. */
const RETRY_DELAY = 1100;

/** Loads the pages of a list. If an app's own list doesn't report its state, the state is derived from the outcomes of `reachBottom`. */
export class PageLoader {
  #screen;
  #isMoreWanted;
  #hasLoaded = false;
  #isAsking = false;
  #reachedEnd = false;

  /**
   * @param {import("../screens/screen.js").Screen} screen
   * @param {() => boolean} wanted whether rows are visible that aren't loaded
   */
  constructor(screen, wanted) {
    this.#screen = screen;
    this.#isMoreWanted = wanted;
  }

  /** @returns {import("../../../javascript/src/types.js").LoadState} */
  get state() {
    const { view, failure, items } = this.#screen;
    if (this.#reportsState) return view["state"];
    const still = this.#reachedEnd ? "reachedBottom" : this.#hasLoaded || items.length > 0 ? "requestFinished" : "nothing";
    const phase = view.current["loading"] === true ? "requesting" : failure ? "failed" : still;
    return { phase, trigger: "reachBottom", count: items.length };
  }

  /** Loads the first page. */
  async loadFirst() {
    const screen = this.#screen;
    const { view } = screen;
    [this.#hasLoaded, this.#isAsking, this.#reachedEnd] = [false, false, false];
    const input = ["viewWillAppear", "appear", "refresh"].find((input) => screen.hasInput(input));
    // This list loads by itself.
    if (!input || view.current["loading"] === true) return;
    if (this.#reportsState) return view.send(input);
    await view.call(input).catch(() => {});
    this.#hasLoaded = true;
    screen.drawSoon();
  }

  /** Loads the next page. */
  async loadMore() {
    const { view } = this.#screen;
    if (this.#reportsState) return view.send("reachBottom");
    if (this.#isAsking || this.#reachedEnd || !view.isOpen) return;
    this.#isAsking = true;
    const ask = async () => view.call("reachBottom").catch(() => "dropped");
    let outcome = await ask();
    if (outcome === "nothing") {
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
      outcome = await ask();
      this.#reachedEnd = outcome === "nothing" && view.current["loading"] !== true;
    }
    this.#isAsking = false;
    this.#screen.drawSoon();
    // The next page may not fill the screen.
    if (outcome === "finished" && this.#isMoreWanted()) void this.loadMore();
  }

  retry() {
    const screen = this.#screen;
    if (screen.hasInput("retry")) screen.view.send("retry");
    else if (screen.items.length > 0) void this.loadMore();
    else void this.loadFirst();
  }

  /** Whether the list reports its load state. */
  get #reportsState() {
    return typeof this.#screen.view.current["state"]?.phase === "string";
  }
}
