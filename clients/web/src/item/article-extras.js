// What an item has to read besides its words.
export { attachments } from "./attachments.js";
export { body } from "./body.js";
