/** Milliseconds after which a list that has dropped a `reachBottom` is told once more: most drop what comes within a second. */
const AGAIN = 1100;

/** How far the pages of a list have come. One of the app's own may not say: then it is seen by what becomes of `reachBottom`. */
export class Load {
  #screen;
  #wanted;
  #begun = false;
  #asks = false;
  #ended = false;

  /**
   * @param {import("../screens/screen.js").Screen} screen
   * @param {() => boolean} wanted whether rows are in sight that haven't come
   */
  constructor(screen, wanted) {
    this.#screen = screen;
    this.#wanted = wanted;
  }

  /** @returns {import("../../../javascript/src/types.js").LoadState} */
  get state() {
    const { view, failure, items } = this.#screen;
    if (this.#told) return view["state"];
    const still = this.#ended ? "reachedBottom" : this.#begun || items.length > 0 ? "requestFinished" : "nothing";
    const phase = view.current["loading"] === true ? "requesting" : failure ? "failed" : still;
    return { phase, trigger: "reachBottom", count: items.length };
  }

  /** Has the first page come. */
  async begin() {
    const screen = this.#screen;
    const { view } = screen;
    [this.#begun, this.#asks, this.#ended] = [false, false, false];
    const input = ["viewWillAppear", "appear", "refresh"].find((input) => screen.has(input));
    // A list that loads by itself is left to it.
    if (!input || view.current["loading"] === true) return;
    if (this.#told) return view.send(input);
    await view.call(input).catch(() => {});
    this.#begun = true;
    screen.drawSoon();
  }

  /** Has the next page come. */
  async more() {
    const { view } = this.#screen;
    if (this.#told) return view.send("reachBottom");
    if (this.#asks || this.#ended || !view.isOpen) return;
    this.#asks = true;
    const ask = async () => view.call("reachBottom").catch(() => "dropped");
    let outcome = await ask();
    if (outcome === "nothing") {
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      outcome = await ask();
      this.#ended = outcome === "nothing" && view.current["loading"] !== true;
    }
    this.#asks = false;
    this.#screen.drawSoon();
    // The next page may not fill what is in sight.
    if (outcome === "finished" && this.#wanted()) void this.more();
  }

  retry() {
    const screen = this.#screen;
    if (screen.has("retry")) screen.view.send("retry");
    else if (screen.items.length > 0) void this.more();
    else void this.begin();
  }

  /** Whether the list says by itself how far it has come. */
  get #told() {
    return typeof this.#screen.view.current["state"]?.phase === "string";
  }
}
