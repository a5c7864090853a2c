import { formatAmount } from "../text/format.js";
import { h, setText } from "../ui/dom.js";

/** The progress of a long load. */
export class LoadProgress {
  #bar = h("progress", { "aria-label": "Loading" });
  #text = h("span", { "aria-hidden": "true" });
  element = h("div", { class: "progress", hidden: true }, this.#bar, this.#text);

  /** @param {{done: number, of?: number | null, unit?: string | null} | null | undefined} progress */
  show(progress) {
    this.element.hidden = !progress;
    if (!progress) return;
    const { done, of, unit } = progress;
    // Without a value the bar shows only that something goes on.
    if (of) Object.assign(this.#bar, { max: of, value: done });
    else this.#bar.removeAttribute("value");
    setText(this.#text, of ? `${formatAmount(done, unit)} of ${formatAmount(of, unit)}` : formatAmount(done, unit));
  }
}
