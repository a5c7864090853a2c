import { button, h, icon, iconButton } from "../ui/dom.js";

/** A line above the screens with an error or a message, until the user dismisses it. */
export class StatusLine {
  #alert = h("div", { role: "alert" });
  #status = h("div", { role: "status" });
  // Screen readers read live regions only if they were on the page before their text.
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
    this.#show(this.#status, "status-message", message, null);
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
