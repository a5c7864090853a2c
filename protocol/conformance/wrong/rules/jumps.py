"""Section 4.4: jumps."""

from __future__ import annotations

from .rule import ChangesInput, DropsOutput, Message, Rule, notification, with_sources


class JumpsWithoutAWindow(Rule):
    """Accepts `jump` in a view without a window."""

    section, transcript = "4.4", "4.4-windows/opening.txt::no-jumps-in-whole-lists"

    def sends(self, message: Message) -> list[Message]:
        return [{"jsonrpc": "2.0", "id": "j", "result": {}}] if message.get("id") == "j" else [message]


class OmitsScrollTo(DropsOutput):
    """Doesn't send `scrollTo` after a jump."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-a-row"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "scrollTo"


class ScrollsToUnloadedIds(Rule):
    """Sends an id with `scrollTo` though the row isn't loaded."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-a-row"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "scrollTo":
            message["params"]["value"]["id"] = "m500"
        return [message]


class OmitsIdsFromScrollTo(Rule):
    """Sends no id with `scrollTo` though the row is loaded."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-a-loaded-row"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "scrollTo":
            message["params"]["value"]["id"] = None
        return [message]


class ScrollsBeforeThePageArrives(Rule):
    """Sends `scrollTo` before the item's page has arrived."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-an-item"

    def answers(self, message: Message) -> list[Message]:
        is_jump = message.get("method") == "jump"
        return [notification("scrollTo", "v", {"index": 0, "id": message["params"]["id"]})] if is_jump else []


class JumpsToTheLastRow(ChangesInput):
    """Jumps to the last row if the position is beyond the end."""

    section, transcript = "4.4", "4.4-windows/jump.txt::beyond-the-list"

    def received(self, message: Message) -> list[Message]:
        if message.get("method") == "jump" and message["params"].get("index") == 1000:
            message["params"]["index"] = 999
        return [message]


class OmitsAround(Rule):
    """Requests the first page instead of the page around an item."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-an-item"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "source/page":
            message["params"].pop("around", None)
        return [message]


class SendsUnsupportedAround(Rule):
    """Requests a page around an item from a source that doesn't support this."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-an-item-of-a-source-without-around"

    def options(self, command: list[str]) -> list[str]:
        return with_sources(command, around=True)


class SendsTheWrongTriggerOfJumps(Rule):
    """Sends the trigger `viewport` instead of `jump`."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-a-row"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") == "state" and message["params"]["value"]["trigger"] == "jump":
            message["params"]["value"]["trigger"] = "viewport"
        return [message]


class HidesFailedJumps(DropsOutput):
    """Doesn't report that a jump's item doesn't exist."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-an-unknown-item"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "error"


class EmptiesTheListAfterAFailedJump(Rule):
    """Empties the list if a jump's item doesn't exist."""

    section, transcript = "4.4", "4.4-windows/jump.txt::to-an-unknown-item"

    def sends(self, message: Message) -> list[Message]:
        if message.get("method") != "error":
            return [message]
        splices = [{"start": 0, "deleteCount": 6, "items": []}]
        params = {"view": "v", "base": 3, "revision": 4, "start": 0, "count": 0, "exact": False, "splices": splices}
        return [{"jsonrpc": "2.0", "method": "items", "params": params}, message]


class NeverDropsJumps(DropsOutput):
    """Continues the load of a jump after the user has scrolled elsewhere."""

    section, transcript = "4.4", "4.4-windows/jump.txt::another-viewport"

    def drops(self, message: Message) -> bool:
        return message.get("method") == "$/cancelRequest"
