"""The names of fields from which the display of an item is guessed."""

# Generated from clients/behaviour/display_words.json; make generate

TITLES = ("subject", "title", "name", "label")
"""Names of fields that hold an item's title. The first one that the item has is used."""
PEOPLE = ("sender", "from", "author", "user", "seller")
"""Names of fields that hold the author, the seller or the maker of an item."""
BADGES = ("status", "state", "stage", "kind", "type", "category", "priority")
"""Names of fields that hold an item's badge."""
TEXTS = ("body", "text", "message", "note", "description", "summary", "content")
"""Names of fields that hold a text to read, however short it is."""
UNREAD_VALUES = {"unread": True, "read": False, "seen": False, "isRead": False, "is_read": False}
"""Names of fields that hold whether an item was read, each with the value of the field for an unread item."""
LONG_TEXT = 60
"""The number of characters above which a text is shown as a paragraph."""
