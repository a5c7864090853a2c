import { ICONS } from "./icons.js";

/**
 * An element. Its children are elements and texts: a text is never read as HTML, wherever it comes from.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number | boolean | ((event: any) => void)>} [attributes] a function listens to the
 *   event that is left without `on`; false leaves an attribute out
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (value !== false) element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * A picture beside words that say the same.
 *
 * @param {keyof typeof ICONS} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  svg.append(path);
  return svg;
}

/**
 * @param {string} style
 * @param {() => void} press
 * @param {...(Node | string | null)} children
 */
export function button(style, press, ...children) {
  return h("button", { type: "button", class: style, onclick: press }, ...children);
}

/**
 * A button that shows a picture only. Its label is the tooltip, and what screen readers read.
 *
 * @param {keyof typeof ICONS | Element} picture
 * @param {string} label
 * @param {() => void} press
 */
export function iconButton(picture, label, press) {
  const pressed = button("icon-button", press, typeof picture === "string" ? icon(picture) : picture);
  pressed.setAttribute("aria-label", label);
  pressed.title = label;
  return pressed;
}

/**
 * Shows a text, if it isn't there already: a live region that is set to what it says would say it again.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
