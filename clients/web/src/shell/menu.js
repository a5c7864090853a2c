import { hashOf } from "../net/address.js";
import { humanize } from "../text/value.js";
import { h, icon } from "../ui/dom.js";

/** @typedef {import("../net/discovery.js").ScreenInfo} ScreenInfo */

/** Links to the screens. */
export class Menu {
  #links = h("ul", {});
  element = h("nav", { "aria-label": "Screens" }, h("h1", { class: "brand" }, "Nagare"), this.#links);
  #onReselect;
  #onRefused;

  /**
   * @param {object} options
   * @param {() => void} options.again the current screen was chosen
   * @param {() => void} options.refused the chosen screen can't be opened without a connection
   */
  constructor({ again, refused }) {
    this.#onReselect = again;
    this.#onRefused = refused;
  }

  /** @param {ScreenInfo[]} infos */
  setScreens(infos) {
    this.#links.replaceChildren(...infos.map((info) => this.#link(info)));
  }

  /** @param {string | undefined} name of the current screen */
  setCurrent(name) {
    for (const link of this.#links.querySelectorAll("a")) {
      if (link.dataset["screen"] === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  /** @param {(screen: string) => boolean} possible whether a screen can be shown now */
  setAvailable(possible) {
    for (const link of this.#links.querySelectorAll("a")) {
      link.setAttribute("aria-disabled", String(!possible(link.dataset["screen"] ?? "")));
    }
  }

  /** @param {ScreenInfo} info */
  #link({ screen, kind }) {
    const attributes = { href: hashOf(screen), "data-screen": screen };
    const link = h("a", attributes, icon(kind === "pager" ? "other" : kind), h("span", {}, humanize(screen)));
    link.addEventListener("click", (event) => {
      if (link.ariaCurrent) this.#onReselect();
      if (link.ariaDisabled !== "true") return;
      event.preventDefault();
      this.#onRefused();
    });
    return h("li", {}, link);
  }
}
