// Elements for tests of the page's modules without a browser: as much of them as these modules touch.
class Style {
  setProperty(name, value) {
    this[name] = value;
  }
  removeProperty(name) {
    delete this[name];
  }
}

class ClassList extends Set {
  toggle(name, isOn = !this.has(name)) {
    return isOn ? (this.add(name), true) : (this.delete(name), false);
  }
  remove(...names) {
    for (const name of names) this.delete(name);
  }
  contains(name) {
    return this.has(name);
  }
}

export class Element extends EventTarget {
  childNodes = [];
  attributes = new Map();
  classList = new ClassList();
  style = new Style();
  dataset = {};
  hidden = false;
  lang = "";

  constructor(name) {
    super();
    this.localName = name;
  }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  append(...nodes) {
    this.childNodes.push(...nodes);
  }
  replaceChildren(...nodes) {
    this.childNodes = nodes;
  }
  replaceWith() {}
  remove() {}
  hasChildNodes() {
    return this.childNodes.length > 0;
  }
  matches() {
    return false;
  }
  getAnimations() {
    return [];
  }
  get textContent() {
    return this.childNodes.map((node) => (typeof node === "string" ? node : node.textContent)).join("");
  }
  set textContent(text) {
    this.childNodes = [String(text)];
  }
  /** Returns all descendants with an element name. */
  all(name) {
    return this.childNodes.flatMap((node) => (node instanceof Element ? [...(node.localName === name ? [node] : []), ...node.all(name)] : []));
  }
}

/** Makes modules that are imported later create such elements. */
export function install() {
  const document = { createElement: (name) => new Element(name), createElementNS: (_, name) => new Element(name), head: new Element("head"), hidden: false, hasFocus: () => true };
  Object.assign(globalThis, { document, location: { origin: "https://page.example" }, matchMedia: () => ({ matches: true }) });
}
