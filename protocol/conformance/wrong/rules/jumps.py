"""Section 4.4: jumps."""

from __future__ import annotations

from .rule import Message, Mishearing, Rule, Swallowing, notification, with_sources


class JumpsWithoutAWindow(Rule):
    """Takes a jump in a list that is held whole."""

    section, transcript = "4.4", "4.4-windows/opening.txt::no-jumps-in-whole-lists"

    def says(self, message: Message) -> list[Message]:
        return [{"jsonrpc": "2.0", "id": "j", "result": {}}] if message.get("id") == "j" else [message]


class ScrollsNowhere(Swallowing):
    """Doesn't say where a jump goes."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-a-row"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "scrollTo"


class ScrollsToAnUnreadItem(Rule):
    """Says the id of a row that isn't read."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-a-row"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "scrollTo":
            message["params"]["value"]["id"] = "m500"
        return [message]


class ScrollsToNoId(Rule):
    """Doesn't say the id of a row that is read."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-a-loaded-row"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "scrollTo":
            message["params"]["value"]["id"] = None
        return [message]


class ScrollsBeforeItKnows(Rule):
    """Says where to scroll to before the item's page is there."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-an-item"

    def hears(self, message: Message) -> list[Message]:
        is_jump = message.get("method") == "jump"
        return [notification("scrollTo", "v", {"index": 0, "id": message["params"]["id"]})] if is_jump else []


class JumpsPastTheEnd(Mishearing):
    """Goes to the last row where there is none at a position."""

    section, transcript = "4.4", "4.4-windows/jump.txt::beyond-the-list"

    def heard(self, message: Message) -> list[Message]:
        if message.get("method") == "jump" and message["params"].get("index") == 1000:
            message["params"]["index"] = 999
        return [message]


class AsksAroundNothing(Rule):
    """Asks for the first page where an item isn't read."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-an-item"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"].pop("around", None)
        return [message]


class AsksAroundWhoeverItIs(Rule):
    """Asks a source around an item that can't be asked so."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-an-item-of-a-source-without-around"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, around=True)


class NamesNoTriggerOfJumps(Rule):
    """Names another trigger than `jump`."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-a-row"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") == "state" and message["params"]["value"]["trigger"] == "jump":
            message["params"]["value"]["trigger"] = "viewport"
        return [message]


class FindsEveryItem(Swallowing):
    """Doesn't say that there is no such item."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-an-item-that-is-gone"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "error"


class LosesTheListForAnItem(Rule):
    """Empties the list for an item that it doesn't find."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-an-item-that-is-gone"

    def says(self, message: Message) -> list[Message]:
        if message.get("method") != "error":
            return [message]
        splices = [{"start": 0, "deleteCount": 6, "items": []}]
        params = {"view": "v", "base": 3, "revision": 4, "start": 0, "count": 0, "exact": False, "splices": splices}
        return [{"jsonrpc": "2.0", "method": "items", "params": params}, message]


class JumpsInSpiteOfAViewport(Swallowing):
    """Goes on with a jump's load when somebody looks elsewhere."""

    section, transcript = "4.4", "4.4-windows/jump.txt::another-viewport"

    def swallows(self, message: Message) -> bool:
        return message.get("method") == "$/cancelRequest"
