// What articles need only for formatted texts and attachments.
export { renderAttachments } from "./attachments.js";
export { renderBody } from "./body.js";
