// What an item has to read besides its words.
export { renderAttachments } from "./attachments.js";
export { renderBody } from "./body.js";
