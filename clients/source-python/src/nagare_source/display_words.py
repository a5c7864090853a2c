"""The names by which the display of an item is guessed."""

# Generated from clients/behaviour/display_words.json; make generate

TITLES = ("subject", "title", "name", "label")
"""Names of fields that hold an item's title. The first one that the item has is used."""
PEOPLE = ("sender", "from", "author", "user", "seller")
"""Names of fields that hold who wrote, sells or made an item."""
BADGES = ("status", "state", "stage", "kind", "type", "category", "priority")
"""Names of fields that hold an item's badge."""
TEXTS = ("body", "text", "message", "note", "description", "summary", "content")
"""Names of fields that hold a text to read, whatever its length."""
UNREAD_VALUES = {"unread": True, "read": False, "seen": False, "isRead": False, "is_read": False}
"""Names of fields that hold whether an item was read, each with its value while the item is unread."""
LONG_TEXT = 60
"""Texts with more characters than this are shown as a paragraph."""
