import { ICONS } from "./icons.js";

/**
 * Creates an element. A text child is never parsed as HTML, wherever it comes from.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number | boolean | ((event: any) => void)>} [attributes] a function is added as a listener of the event named after `on`; false omits the attribute
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
 * Creates an icon. It is hidden from screen readers, because it repeats the text next to it.
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
 * Creates a button that shows only a picture. The label is its tooltip and its accessible name.
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
 * Sets a text if it differs. Screen readers would announce a live region again that is set to the text it has.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
