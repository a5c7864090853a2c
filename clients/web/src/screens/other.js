import { h } from "../dom.js";
import { Foot, notice } from "../notice.js";
import { Inputs, States } from "../parts.js";
import { Screen } from "./screen.js";

/** Inputs that the page gives by itself, and outputs that have a place of their own. */
const OWN_INPUTS = ["viewWillAppear", "appear", "refresh", "retry"];
const OWN_OUTPUTS = ["loading", "error"];

/** A view model of the server's own: what is current as its schemas say, and forms for what it can be told. */
export class OtherScreen extends Screen {
  #bar = h("progress", { "aria-label": "Loading" });
  #states = new States(this, this.states().filter((name) => !OWN_OUTPUTS.includes(name)));
  #inputs = new Inputs(this, [...this.about.inputs.keys()].filter((name) => !OWN_INPUTS.includes(name)));
  #foot = new Foot();

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    const content = h("article", {}, this.#states.element, this.#foot.element, this.#inputs.element);
    this.element.append(h("div", { class: "progress" }, this.#bar), h("div", { class: "scroller", tabindex: -1 }, content));
  }

  begin() {
    for (const input of ["viewWillAppear", "appear"]) if (this.has(input)) this.view.send(input);
    this.draw();
  }

  focus() {
    const first = /** @type {HTMLElement | null} */ (this.element.querySelector(".inputs button, .inputs .control"));
    (first ?? /** @type {HTMLElement} */ (this.element.querySelector(".scroller"))).focus({ preventScroll: true });
  }

  draw() {
    this.#states.draw();
    this.#bar.hidden = this.view.current["loading"] !== true;
    const { failure } = this;
    this.#foot.say(failure, () => this.#notice(failure));
  }

  /** @param {any} failure */
  #notice({ message, trigger }) {
    const again = this.has("retry") ? "retry" : this.has(trigger) ? trigger : "";
    return notice(message, "Try again", again ? () => void this.ask(again) : undefined);
  }
}
