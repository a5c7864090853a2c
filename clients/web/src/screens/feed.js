import { pullToRefresh } from "../list/pull-to-refresh.js";
import { Rows } from "../list/rows.js";
import { firstInputOf, STATUS_STATES } from "../net/discovery.js";
import { humanize } from "../text/value.js";
import { emptyNotice, errorNotice } from "../ui/notice.js";
import { Screen } from "./screen.js";

/** The inputs that load the rows again, the preferred ones first. */
const LOADING_INPUTS = ["refresh", "load", "viewWillAppear", "viewDidAppear"];

/** Shows a list of one page, which is loaded on request or is there from the start. */
export class FeedScreen extends Screen {
  #rows = new Rows(humanize(this.view.screen), this.info.display, {
    onOpen: (item) => this.page.openItem(this, item, undefined),
    onVisible() {},
    onBottom() {},
  });
  listOutput = this.stateNames().find((name) => !STATUS_STATES.includes(name)) ?? "";
  /** Whether a refresh was requested and not answered yet. */
  #isRefreshing = false;

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    this.element.append(pullToRefresh(this.#rows.element, () => this.refresh()), this.#rows.element);
  }

  start() {
    const input = firstInputOf(this.info.inputs);
    if (!input) this.draw();
    else if (input !== "appear") void this.#load(input);
  }

  sendAppear() {
    if (firstInputOf(this.info.inputs) === "appear") void this.#load("appear");
    else super.sendAppear();
  }

  appear() {
    this.#rows.appear();
  }

  focus() {
    this.#rows.focus();
  }

  connectionLost() {
    this.#rows.keepShowing();
  }

  itemOpened(/** @type {any} */ id) {
    this.#rows.opened = id;
  }

  refresh() {
    if (!this.view.isOpen) return this.page.remindOffline();
    const input = LOADING_INPUTS.find((input) => this.hasInput(input));
    if (input) void this.#load(input);
    else this.page.hideView(this.view);
  }

  /** @param {string} input */
  async #load(input) {
    this.#isRefreshing = true;
    this.drawSoon();
    await this.send(input);
    this.#isRefreshing = false;
    this.drawSoon();
  }

  #retry() {
    if (this.hasInput("retry")) void this.send("retry");
    else this.refresh();
  }

  draw() {
    const { failure } = this;
    const { items } = this;
    const waits = this.#isRefreshing || this.view.current["loading"] === true;
    this.#rows.setItems(items);
    if (!waits) this.#rows.showCurrent();
    this.#rows.placeholders = waits && items.length === 0 ? 12 : 0;
    const nothing = !waits && items.length === 0;
    if (failure) this.#rows.foot.show(failure, () => errorNotice(failure.message, "Try again", () => this.#retry()));
    else this.#rows.foot.show(nothing ? "nothing" : null, () => emptyNotice("empty", "Nothing here"));
    this.element.classList.toggle("waiting", waits);
    this.showPosition(items.length > 0 ? String(items.length) : "");
  }
}
