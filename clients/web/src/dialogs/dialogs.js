import { describe, idOf } from "../text/item-display.js";
import { button, h } from "../ui/dom.js";
import { Form } from "./form.js";
import { openModal } from "./modal.js";
import { openMenu } from "./popup-menu.js";

/** The largest picture in bytes. A message to the server has at most 16 MiB, and encoding makes the picture a third longer. */
const MAX_PICTURE_BYTES = 10 * 1024 * 1024;

// The page loads forms and menus with this module.
export { Form, openMenu };

let dialogs = 0;

/**
 * @typedef {import("../../../javascript/src/types.js").Task} Task
 * @typedef {import("../../../javascript/src/types.js").PresentContext} Context
 * @typedef {"alert" | "confirm" | "prompt" | "login" | "choose" | "pickImage"} Kind
 * @typedef {(value: unknown) => void} Answer
 */

/**
 * Presents the tasks of the server, by their kinds. A presenter returns null if the user cancels.
 *
 * @type {Record<Kind, (task: Task, context: Context) => Promise<unknown>>}
 */
export const presenters = {
  alert: (task, context) => ask(task, context, () => [], { yes: "OK", no: null, value: () => undefined }),
  confirm: (task, context) => ask(task, context, () => [], { yes: "Yes", no: "No", value: () => true }),
  prompt: (task, context) => askText(task, context, "text"),
  login: (task, context) => askText({ title: "Log in", ...task }, context, "password"),
  choose: (task, context) =>
    ask(task, context, (answer) => [choiceList(task, answer)], { yes: null, no: "Cancel", value: () => null }),
  pickImage: askPicture,
};

/**
 * Asks for confirmation.
 *
 * @param {string} question
 * @returns {Promise<boolean>}
 */
export async function confirm(question) {
  const { signal } = new AbortController();
  return Boolean(await ask({ kind: "confirm", title: question }, { signal }, () => [], { yes: "Yes", no: "No", value: () => true }));
}

/**
 * Asks for the parameters that an action lacks.
 *
 * @param {string} name of the action
 * @param {import("../net/discovery.js").Input} input
 * @param {string[]} missing parameters
 * @returns {Promise<Record<string, any> | null>} null if the user cancels
 */
export function fillIn(name, { params: { properties = {}, required = [] } }, missing) {
  return new Promise((resolve) => {
    const schema = { properties: Object.fromEntries(missing.map((name) => [name, properties[name] ?? {}])), required };
    const send = async (/** @type {Record<string, any>} */ given) => {
      resolve(given);
      dialog.close();
      return null;
    };
    const { element } = new Form({ schema, label: name, send });
    element.prepend(h("h2", {}, name));
    element.querySelector(".buttons")?.prepend(button("button", () => dialog.close(), "Cancel"));
    element.querySelector(".control")?.setAttribute("autofocus", "");
    const dialog = openModal({ "aria-label": name }, element);
    dialog.addEventListener("close", () => resolve(null));
  });
}

/**
 * Shows a dialog until the user answers or the server no longer needs the answer.
 *
 * @param {Task} task
 * @param {Pick<Context, "signal">} context
 * @param {(answer: Answer) => HTMLElement[]} content
 * @param {object} options
 * @param {string | null} options.yes
 * @param {string | null} options.no
 * @param {() => unknown} options.value returns the answer if the user confirms
 * @returns {Promise<unknown>}
 */
function ask(task, { signal }, content, { yes, no, value }) {
  return new Promise((resolve) => {
    const id = `dialog-${++dialogs}`;
    /** @type {Answer} */
    const answer = (value) => {
      resolve(value);
      dialog.close();
    };
    const fields = content(answer);
    const buttons = h(
      "div",
      { class: "buttons" },
      no === null ? null : button("button", () => answer(null), no),
      // Otherwise the field has the focus.
      yes === null ? null : h("button", { class: "button primary", autofocus: fields.length === 0 }, yes),
    );
    const message = task.message ? h("p", { id: `${id}-message` }, task.message) : null;
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      answer(value());
    };
    const heading = h("h2", { id }, task.title ?? task.kind);
    const form = h("form", { onsubmit: submit }, heading, message, ...fields, buttons);
    const dialog = openModal({ "aria-labelledby": id, ...(message && { "aria-describedby": message.id }) }, form);
    // Escape closes it without an answer. A promise keeps its first.
    dialog.addEventListener("close", () => resolve(no === null ? undefined : null));
    signal.addEventListener("abort", () => dialog.close(), { once: true });
  });
}

/**
 * @param {Task} task
 * @param {Context} context
 * @param {"text" | "password"} type
 */
function askText(task, context, type) {
  const secret = type === "password";
  const label = secret ? "Password or token" : task.title ?? "Text";
  const autocomplete = secret ? "current-password" : "off";
  const field = h("input", { type, "aria-label": label, autocomplete, value: task.text ?? "", autofocus: true });
  return ask(task, context, () => [field], { yes: "OK", no: "Cancel", value: () => field.value });
}

/**
 * @param {Task} task
 * @param {Answer} answer
 */
function choiceList(task, answer) {
  const rows = (task.choices ?? []).map((choice) =>
    h("li", {}, button("choice", () => answer(idOf(choice)), describe(choice).title)),
  );
  return h("ul", { class: "choices" }, ...rows);
}

/**
 * Asks for a picture. The answer is a data URL.
 *
 * @param {Task} task
 * @param {Context} context
 */
function askPicture(task, context) {
  let reading = Promise.resolve("");
  const preview = h("img", { class: "picture", alt: "The chosen picture", hidden: true });
  const complaint = h("p", { class: "complaint", role: "alert" });
  const field = h("input", { type: "file", accept: "image/*", "aria-label": "Picture", required: true });
  field.addEventListener("change", async () => {
    const file = field.files?.[0];
    const wrong = file ? problemWith(file) : "";
    complaint.textContent = wrong;
    field.setCustomValidity(wrong);
    reading = file && !wrong ? dataURL(file) : Promise.resolve("");
    const url = await reading;
    preview.hidden = url === "";
    if (url) preview.src = url;
  });
  const title = task.title ?? "Choose a picture";
  const content = () => [field, complaint, preview];
  return ask({ ...task, title }, context, content, { yes: "OK", no: "Cancel", value: () => reading });
}

/** @param {File} file */
function problemWith(file) {
  if (!file.type.startsWith("image/")) return `${file.name} isn’t a picture. Choose a PNG or JPEG file, for example.`;
  const size = (/** @type {number} */ bytes) => `${Math.ceil(bytes / 1024 / 1024)} MB`;
  if (file.size <= MAX_PICTURE_BYTES) return "";
  return `${file.name} has ${size(file.size)}. Choose a picture of at most ${size(MAX_PICTURE_BYTES)}.`;
}

/**
 * @param {File} file
 * @returns {Promise<string>}
 */
function dataURL(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
