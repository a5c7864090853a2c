/** Milliseconds after which a list that has dropped a `reachBottom` is told once more: most drop what comes within a second. */
const RETRY_DELAY = 1100;

/** How far the pages of a list have come. One of the app's own may not say: then it is seen by what becomes of `reachBottom`. */
export class PageLoader {
  #screen;
  #isMoreWanted;
  #hasLoaded = false;
  #isAsking = false;
  #reachedEnd = false;

  /**
   * @param {import("../screens/screen.js").Screen} screen
   * @param {() => boolean} wanted whether rows are in sight that haven't come
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

  /** Has the first page come. */
  async loadFirst() {
    const screen = this.#screen;
    const { view } = screen;
    [this.#hasLoaded, this.#isAsking, this.#reachedEnd] = [false, false, false];
    const input = ["viewWillAppear", "appear", "refresh"].find((input) => screen.hasInput(input));
    // A list that loads by itself is left to it.
    if (!input || view.current["loading"] === true) return;
    if (this.#reportsState) return view.send(input);
    await view.call(input).catch(() => {});
    this.#hasLoaded = true;
    screen.drawSoon();
  }

  /** Has the next page come. */
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
    // The next page may not fill what is in sight.
    if (outcome === "finished" && this.#isMoreWanted()) void this.loadMore();
  }

  retry() {
    const screen = this.#screen;
    if (screen.hasInput("retry")) screen.view.send("retry");
    else if (screen.items.length > 0) void this.loadMore();
    else void this.loadFirst();
  }

  /** Whether the list says by itself how far it has come. */
  get #reportsState() {
    return typeof this.#screen.view.current["state"]?.phase === "string";
  }
}
