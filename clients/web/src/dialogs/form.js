import { parse, sameId, stringify } from "../../../javascript/src/index.js";
import { isType } from "../net/discovery.js";
import { dateOf } from "../text/dates.js";
import { humanize, textOf } from "../text/value.js";
import { button, h } from "../ui/dom.js";

/** The length of a text from which on its field has several lines. */
const MULTILINE_LENGTH = 200;
/** Names of parameters whose fields have several lines. */
const MULTILINE_NAMES = ["body", "content", "description", "message", "note"];

let fields = 0;

/**
 * @typedef {import("../net/discovery.js").Schema} Schema
 *
 * A field of a form.
 *
 * @typedef {object} Field
 * @property {HTMLElement} element
 * @property {() => any} read returns the value, or undefined if the field is empty. Throws if the text isn't a value
 * @property {(path: string[], message: string) => boolean} complain shows what is wrong with a part of it. Returns false if it has no such part
 */

/** A form for the parameters of an input, built from their schema. */
export class Form {
  element;
  #fields;
  #complaint = h("p", { class: "complaint", role: "alert" });

  /**
   * @param {object} form
   * @param {Schema} form.schema of an object
   * @param {string} form.label of the button
   * @param {Record<string, any>} [form.values] initial values
   * @param {(params: Record<string, any>) => Promise<import("../../../javascript/src/index.js").NagareError | null>} form.send
   *   resolves with the error if the server rejects the parameters
   */
  constructor({ schema, label, values = {}, send }) {
    this.#fields = membersOf(schema, values);
    const submit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#clear();
      const params = this.#read();
      const refused = params && (await send(params));
      if (refused) this.#refuse(refused);
    };
    const press = h("button", { class: "button primary" }, label);
    const parts = [...this.#fields.values()].map(({ element }) => element);
    this.element = h("form", { class: "form", onsubmit: submit }, ...parts, this.#complaint, h("div", { class: "buttons" }, press));
  }

  #read() {
    try {
      return readObject(this.#fields);
    } catch (error) {
      this.#refuse({ message: String(/** @type {Error} */ (error).message), data: error });
      return null;
    }
  }

  /** @param {{message: string, data?: any}} refused */
  #refuse({ message, data }) {
    const [name = "", ...path] = String(data?.param ?? "").split(".");
    if (!this.#fields.get(name)?.complain(path, message)) this.#complaint.textContent = message;
  }

  #clear() {
    this.#complaint.textContent = "";
    for (const field of this.element.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    for (const complaint of this.element.querySelectorAll(".complaint")) complaint.textContent = "";
  }
}

/**
 * @param {Schema} schema
 * @param {any} values
 */
function membersOf({ properties = {}, required = [] }, values) {
  return new Map(
    Object.entries(properties).map(([name, member]) => [name, field(name, member, required.includes(name), values?.[name])]),
  );
}

/** @param {Map<string, Field>} fields */
function readObject(fields) {
  /** @type {Record<string, any>} */
  const value = {};
  for (const [name, field] of fields) {
    const read = inPart(name, () => field.read());
    if (read !== undefined) value[name] = read;
  }
  return value;
}

/**
 * Adds the name of a part to the path in its errors.
 *
 * @template Value
 * @param {string} name
 * @param {() => Value} read
 */
function inPart(name, read) {
  try {
    return read();
  } catch (error) {
    const { message, param } = /** @type {any} */ (error);
    throw Object.assign(new Error(message), { param: param === undefined ? name : `${name}.${param}` });
  }
}

/**
 * @param {string} name
 * @param {Schema} schema
 * @param {boolean} required
 * @param {any} value what is filled in at first
 * @returns {Field}
 */
function field(name, schema, required, value = schema.default) {
  if ("const" in schema) return { element: h("div", { hidden: true }), read: () => schema.const, complain: () => false };
  const label = name === "" ? "" : humanize(name);
  if (isType(schema, "object") && schema.properties) return group(label, schema, value);
  if (isType(schema, "array") && schema.items) return repeated(label, schema.items, Array.isArray(value) ? value : []);
  return single(label, schema, required, control(name, schema, required, value));
}

/**
 * @param {string} label
 * @param {Schema} schema
 * @param {any} value
 * @returns {Field}
 */
function group(label, schema, value) {
  const parts = membersOf(schema, value);
  const fields = [...parts.values()].map(({ element }) => element);
  const element = h("fieldset", {}, h("legend", {}, label), hint(schema), ...fields);
  return { element, read: () => readObject(parts), complain: ([name = "", ...path], message) => parts.get(name)?.complain(path, message) ?? false };
}

/**
 * Creates a field for an array.
 *
 * @param {string} label
 * @param {Schema} items
 * @param {any[]} values
 * @returns {Field}
 */
function repeated(label, items, values) {
  /** @type {Field[]} */
  let parts = [];
  const list = h("div", { class: "several" });
  const add = (/** @type {any} */ value) => {
    const part = field("", items, true, value);
    const row = h("div", { class: "one" }, part.element);
    const number = parts.length + 1;
    for (const control of part.element.querySelectorAll(".control")) control.setAttribute("aria-label", `${label} ${number}`);
    const remove = () => {
      parts = parts.filter((other) => other !== part);
      row.remove();
    };
    row.append(button("button", remove, "Remove"));
    parts.push(part);
    list.append(row);
    /** @type {HTMLElement | null} */ (value === undefined ? row.querySelector(".control") : null)?.focus();
  };
  for (const value of values) add(value);
  const element = h("fieldset", {}, h("legend", {}, label), list, button("button", () => add(undefined), "Add"));
  return {
    element,
    read: () => parts.map((part, place) => inPart(String(place), () => part.read())),
    complain: ([place = "", ...path], message) => parts[Number(place)]?.complain(path, message) ?? false,
  };
}

/**
 * @param {string} label
 * @param {Schema} schema
 * @param {boolean} required
 * @param {{element: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement, read: () => any}} control
 * @returns {Field}
 */
function single(label, schema, required, { element: control, read }) {
  const id = `field-${++fields}`;
  const complaint = h("p", { class: "complaint", id: `${id}-complaint`, role: "alert" });
  const described = hint(schema);
  if (described) described.id = `${id}-hint`;
  const describing = [described?.id, complaint.id].filter(Boolean).join(" ");
  for (const [name, value] of Object.entries({ id, "aria-describedby": describing })) control.setAttribute(name, value);
  control.classList.add("control");
  control.required = required && control.type !== "checkbox" && needsValue(schema);
  const named = label === "" ? null : h("label", { for: id }, label);
  return {
    element: h("div", { class: "field" }, named, control, described, complaint),
    read: () => read() ?? (required && !needsValue(schema) ? (isType(schema, "string") ? "" : null) : undefined),
    complain(path, message) {
      if (path.length > 0) return false;
      control.setAttribute("aria-invalid", "true");
      complaint.textContent = message;
      control.focus();
      return true;
    },
  };
}

/**
 * Whether a value is required. Null and an empty text may be left out.
 *
 * @param {Schema} schema
 */
function needsValue(schema) {
  const nullable = [schema.type ?? []].flat().includes("null");
  return !nullable && !(isType(schema, "string") && !schema.minLength && !schema.enum && !schema.format);
}

/**
 * Creates the control for a value.
 *
 * @param {string} name
 * @param {Schema} schema
 * @param {boolean} required
 * @param {any} value
 * @returns {{element: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement, read: () => any}}
 */
function control(name, schema, required, value) {
  if (schema.enum) return selectInput(schema.enum, required, value);
  if (isType(schema, "boolean")) {
    const element = h("input", { type: "checkbox", role: "switch", checked: value === true });
    return { element, read: () => element.checked };
  }
  if (isType(schema, "integer") || isType(schema, "number")) return numberInput(schema, value);
  if (isType(schema, "string")) return textInput(name, schema, value);
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    // Most values are one line. Enter that ends an input method's composition isn't meant for the form.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    element.form?.requestSubmit();
  };
  const element = h("textarea", { rows: 1, spellcheck: "false", onkeydown });
  element.value = value === undefined || typeof value === "string" ? value ?? "" : stringify(value);
  return { element, read: () => (element.value === "" ? undefined : parseLoosely(element.value)) };
}

/**
 * @param {any[]} values
 * @param {boolean} required
 * @param {any} value
 */
function selectInput(values, required, value) {
  const options = values.map((one, place) => h("option", { value: place, selected: sameId(one, value) }, one === null ? "–" : textOf(one)));
  const none = required && value !== undefined ? null : h("option", { value: "" }, "");
  const element = h("select", {}, none, ...options);
  return { element, read: () => (element.value === "" ? undefined : values[Number(element.value)]) };
}

/**
 * @param {Schema} schema
 * @param {any} value
 */
function numberInput(schema, value) {
  const { minimum, maximum } = schema;
  const step = isType(schema, "integer") ? 1 : "any";
  const bounds = { ...(minimum !== undefined && { min: minimum }), ...(maximum !== undefined && { max: maximum }) };
  const element = h("input", { type: "number", step, ...bounds, value: value ?? "" });
  // Parsed as JSON, so that integers of any size are kept.
  return { element, read: () => (element.value === "" ? undefined : parse(element.value)) };
}

/**
 * @param {string} name
 * @param {Schema} schema
 * @param {any} value
 */
function textInput(name, schema, value) {
  const { format, minLength, maxLength, pattern } = schema;
  const bounds = {
    ...(minLength !== undefined && { minlength: minLength }),
    ...(maxLength !== undefined && { maxlength: maxLength }),
    ...(pattern !== undefined && { pattern }),
  };
  /** @type {Record<string, string>} */
  const types = { date: "date", time: "time", "date-time": "datetime-local", email: "email", uri: "url", password: "password" };
  const type = types[format ?? ""] ?? "text";
  const long = type === "text" && (MULTILINE_NAMES.includes(name) || Number(maxLength) > MULTILINE_LENGTH);
  const element = long ? h("textarea", { rows: 4, ...bounds }) : h("input", { type, autocomplete: "off", ...bounds });
  element.value = format === "date-time" ? localTime(value) : textOf(value);
  const read = () => (format === "date-time" ? new Date(element.value).toISOString() : element.value);
  return { element, read: () => (element.value === "" ? undefined : read()) };
}

/**
 * Returns a date in local time, as the browser's control requires; empty if it isn't a date.
 *
 * @param {any} moment
 */
function localTime(moment) {
  const date = dateOf(moment);
  if (!date) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/**
 * Parses a value of unknown type: JSON, or otherwise a text.
 *
 * @param {string} text
 */
function parseLoosely(text) {
  try {
    return parse(text);
  } catch {
    return text;
  }
}

/** @param {Schema} schema */
function hint({ description }) {
  return description ? h("p", { class: "hint" }, description) : null;
}
