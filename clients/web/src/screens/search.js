import { humanize } from "../text/value.js";
import { h, icon } from "../ui/dom.js";
import { emptyNotice } from "../ui/notice.js";
import { ListScreen } from "./list.js";

/** Shows a list with a search field. */
export class SearchScreen extends ListScreen {
  #field = h("input", {
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    enterkeyhint: "search",
    placeholder: "Search",
    "aria-label": `Search ${humanize(this.view.screen).toLowerCase()}`,
  });

  /** @param {ConstructorParameters<typeof ListScreen>} given */
  constructor(...given) {
    super(...given);
    this.#field.value = this.view.current["query"] ?? "";
    this.#field.addEventListener("input", () => this.#searchAgain());
    this.#field.addEventListener("keydown", (event) => this.#key(event));
    this.bar.after(h("div", { class: "search", role: "search" }, icon("search"), this.#field));
  }

  bookmark() {
    return { ...super.bookmark(), query: this.#field.value };
  }

  restoreBookmark(/** @type {import("./screen.js").Bookmark} */ bookmark) {
    super.restoreBookmark(bookmark);
    this.#field.value = bookmark.query ?? this.#field.value;
  }

  async start() {
    const text = this.#field.value;
    if (text === (this.view.current["query"] ?? "")) await super.start();
    else this.view.send("search", { text });
  }

  draw() {
    super.draw();
    if (this.view.current["noResult"]) this.announce(this.#noResultText());
  }

  emptyNotice() {
    return this.view.current["query"] ? emptyNotice("search", this.#noResultText(), "Press Escape to end the search") : super.emptyNotice();
  }

  handleKey(/** @type {string} */ key) {
    if (super.handleKey(key)) return true;
    if (key !== "/") return false;
    this.#field.focus();
    this.#field.select();
    return true;
  }

  handleEscape() {
    super.handleEscape();
    if (this.#field.value === "") return;
    this.#field.value = "";
    this.#searchAgain();
  }

  #noResultText() {
    return `Nothing found for “${this.#field.value}”`;
  }

  #searchAgain() {
    const text = this.#field.value;
    void (text === "" && this.hasInput("cancelSearch") ? this.search("cancelSearch") : this.search("search", { text }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    // The key belongs to an input method.
    if (event.isComposing) return;
    if (event.key === "Escape" && this.#field.value !== "") {
      this.handleEscape();
      event.stopPropagation();
    } else if (event.key === "ArrowDown" || event.key === "Enter" || event.key === "Escape") this.rows.focus();
    else return;
    event.preventDefault();
  }
}
