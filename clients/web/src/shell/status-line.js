import { button, h, icon, iconButton } from "../ui/dom.js";

/** One line above the screens: what went wrong, or what was done, until somebody has taken note of it. */
export class StatusLine {
  #alert = h("div", { role: "alert" });
  #status = h("div", { role: "status" });
  // Live regions are on the page before what they tell: it would not be read out otherwise.
  element = h("div", {}, this.#alert, this.#status);

  get isShown() {
    return this.#alert.hasChildNodes() || this.#status.hasChildNodes();
  }

  /**
   * @param {string} message
   * @param {string} [remedy]
   * @param {() => void} [mend]
   */
  showError(message, remedy = "", mend = undefined) {
    const act = () => {
      this.hide();
      mend?.();
    };
    this.#show(this.#alert, "complaints", message, icon("warning"), mend ? button("button", act, remedy) : null);
  }

  /** @param {string} message */
  showMessage(message) {
    this.#show(this.#status, "tidings", message, null);
  }

  hide() {
    this.#alert.replaceChildren();
    this.#status.replaceChildren();
  }

  /**
   * @param {HTMLElement} region
   * @param {string} style
   * @param {string} message
   * @param {Node | null} picture
   * @param {Node | null} [act]
   */
  #show(region, style, message, picture, act = null) {
    this.hide();
    const dismiss = iconButton("close", "Dismiss", () => this.hide());
    region.append(h("div", { class: style }, picture, h("p", {}, message), act, dismiss));
  }
}
