import { humane } from "../text/item-display.js";
import { h, icon } from "../ui/dom.js";
import { emptiness } from "../ui/notice.js";
import { ListScreen } from "./list.js";

/** A list that is searched as somebody types. */
export class SearchScreen extends ListScreen {
  #field = h("input", {
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    enterkeyhint: "search",
    placeholder: "Search",
    "aria-label": `Search ${humane(this.view.screen).toLowerCase()}`,
  });

  /** @param {ConstructorParameters<typeof ListScreen>} given */
  constructor(...given) {
    super(...given);
    this.#field.value = this.view.current["query"] ?? "";
    this.#field.addEventListener("input", () => this.#typed());
    this.#field.addEventListener("keydown", (event) => this.#key(event));
    this.bar.after(h("div", { class: "search", role: "search" }, icon("search"), this.#field));
  }

  bookmark() {
    return { ...super.bookmark(), query: this.#field.value };
  }

  resume(/** @type {import("./screen.js").Bookmark} */ bookmark) {
    super.resume(bookmark);
    this.#field.value = bookmark.query ?? this.#field.value;
  }

  async begin() {
    const text = this.#field.value;
    if (text === (this.view.current["query"] ?? "")) await super.begin();
    else this.view.send("search", { text });
  }

  draw() {
    super.draw();
    if (this.view.current["noResult"]) this.say(this.#nothing());
  }

  emptiness() {
    return this.view.current["query"] ? emptiness("search", this.#nothing(), "Escape ends the search") : super.emptiness();
  }

  pressed(/** @type {string} */ key) {
    if (super.pressed(key)) return true;
    if (key !== "/") return false;
    this.#field.focus();
    this.#field.select();
    return true;
  }

  escape() {
    super.escape();
    if (this.#field.value === "") return;
    this.#field.value = "";
    this.#typed();
  }

  #nothing() {
    return `Nothing found for “${this.#field.value}”`;
  }

  #typed() {
    const text = this.#field.value;
    void (text === "" && this.has("cancelSearch") ? this.look("cancelSearch") : this.look("search", { text }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    // Keys of an input method are for what is being written.
    if (event.isComposing) return;
    if (event.key === "Escape" && this.#field.value !== "") {
      this.escape();
      event.stopPropagation();
    } else if (event.key === "ArrowDown" || event.key === "Enter" || event.key === "Escape") this.rows.focus();
    else return;
    event.preventDefault();
  }
}
