// Generated from clients/behaviour/display_words.json; make generate

/** Names of fields that hold an item's title. The first one that the item has is used. */
export const TITLES = ["subject", "title", "name", "label"];

/** Names of fields that hold who wrote, sells or made an item. */
export const PEOPLE = ["sender", "from", "author", "user", "seller"];

/** Names of fields that hold what an item costs. */
export const AMOUNTS = ["price", "amount", "total"];

/** Names of fields that hold a text to read, whatever its length. */
export const TEXTS = ["body", "text", "message", "note", "description", "summary", "content"];

/** Names of fields that hold whether an item was read, each with its value while the item is unread. */
export const UNREAD_VALUES = new Map([["unread", true], ["read", false], ["seen", false], ["isRead", false], ["is_read", false]]);

/** Texts with more characters than this are shown as a paragraph. */
export const LONG_TEXT = 60;
