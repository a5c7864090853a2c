import { button, h, icon, setText } from "../ui/dom.js";

/** What has come above the rows in sight, as a button that leads there. */
export class ArrivalsButton {
  #text = h("span", {});
  element;

  /** @param {() => void} press */
  constructor(press) {
    this.element = button("pill", press, icon("up"), this.#text);
    this.element.hidden = true;
  }

  /** @param {string} text empty for nothing */
  show(text) {
    this.element.hidden = text === "";
    if (text !== "") setText(this.#text, text);
  }
}
