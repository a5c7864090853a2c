// Generated from clients/behaviour/display_words.json; make generate

/** Names of fields that hold an item's title. The first one that the item has is used. */
export const TITLES = ["subject", "title", "name", "label"];

/** Names of fields that hold the author, the seller or the maker of an item. */
export const PEOPLE = ["sender", "from", "author", "user", "seller"];

/** Names of fields that hold the price of an item. */
export const AMOUNTS = ["price", "amount", "total"];

/** Names of fields that hold a text to read, however short it is. */
export const TEXTS = ["body", "text", "message", "note", "description", "summary", "content"];

/** Names of fields that hold whether an item was read, each with the value of the field for an unread item. */
export const UNREAD_VALUES = new Map([["unread", true], ["read", false], ["seen", false], ["isRead", false], ["is_read", false]]);

/** The number of characters above which a text is shown as a paragraph. */
export const LONG_TEXT = 60;
