import { PageLoader } from "../list/page-loader.js";
import { h } from "../ui/dom.js";
import { errorNotice, Footer } from "../ui/notice.js";
import { Inputs, States } from "./inputs-and-states.js";
import { Screen } from "./screen.js";

/** Ports that the page uses and draws by itself. */
const OWN_INPUTS = ["viewWillAppear", "appear", "disappear", "refresh", "retry"];
const OWN_OUTPUTS = ["loading", "error"];
/** How near the end of a list must be to load more, in pixels. */
const END_MARGIN = 200;

/** Shows a view of an app's own view model: its states by their schemas, and forms for its inputs. */
export class OtherScreen extends Screen {
  listOutput = this.stateNames().find((name) => this.info.outputs.get(name)?.kind === "list") ?? "";
  /** Loads the pages of a list among the states; null if it grows by a button or not at all. */
  #loader = this.listOutput && this.hasInput("reachBottom") ? new PageLoader(this, () => this.#isAtEnd) : null;
  #isAtEnd = false;
  #bar = h("progress", { "aria-label": "Loading" });
  #states = new States(this, this.stateNames().filter((name) => !OWN_OUTPUTS.includes(name)));
  /** @type {Inputs} */
  #inputs = new Inputs(
    this,
    [...this.info.inputs.keys()].filter((name) => !OWN_INPUTS.includes(name) && !(this.#loader && name === "reachBottom")),
    // Called when the forms are loaded, because before there was nothing to focus.
    () => document.activeElement === this.#scroller && this.focus(),
  );
  #foot = new Footer();
  /** @type {HTMLElement} */
  #scroller;

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    const end = h("div");
    const content = h("article", {}, this.#states.element, end, this.#foot.element, this.#inputs.element);
    this.#scroller = h("div", { class: "scroller", tabindex: -1 }, content);
    this.element.append(h("div", { class: "progress" }, this.#bar), this.#scroller);
    new IntersectionObserver(([entry]) => this.#endVisible(Boolean(entry?.isIntersecting)), { root: this.#scroller, rootMargin: `${END_MARGIN}px` }).observe(end);
  }

  start() {
    if (this.hasInput("viewWillAppear")) this.view.send("viewWillAppear");
    this.draw();
  }

  focus() {
    const first = /** @type {HTMLElement | null} */ (this.element.querySelector(".inputs button, .inputs .control"));
    (first ?? this.#scroller).focus({ preventScroll: true });
  }

  draw() {
    // The field that has the focus keeps its position while a list above it grows.
    const written = this.#inputs.element.contains(document.activeElement) ? this.#inputs.element : null;
    const before = written?.getBoundingClientRect().top ?? 0;
    this.#states.draw();
    if (written && before < this.#scroller.getBoundingClientRect().bottom) this.#scroller.scrollTop += written.getBoundingClientRect().top - before;
    this.#bar.hidden = this.view.current["loading"] !== true;
    const { failure } = this;
    this.#foot.show(failure, () => this.#notice(failure));
    this.#endVisible(this.#isAtEnd);
  }

  /** @param {boolean} isAtEnd whether the end of the list is visible */
  #endVisible(isAtEnd) {
    this.#isAtEnd = isAtEnd;
    if (isAtEnd && this.items.length > 0 && !this.failure) void this.#loader?.loadMore();
  }

  /** @param {any} failure */
  #notice({ message, trigger }) {
    const again = this.hasInput("retry") ? "retry" : this.hasInput(trigger) ? trigger : "";
    return errorNotice(message, "Try again", again ? () => void this.send(again) : undefined);
  }
}
