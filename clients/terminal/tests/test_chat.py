"""The team chat: lists that open lists, a pager, a form and a log-out."""

from __future__ import annotations

from conftest import Glass, before, binary, run
from nagare_terminal import Terminal


def test_a_message_is_sent_by_a_user_who_has_signed_in() -> None:
    async def test() -> None:
        glass = Glass((90, 30))
        async with before(Terminal([binary("ChatExample")], device=glass), glass) as me:
            await me.until(lambda: "Streams and lists" in me.text)
            await me.press("s")
            assert "Profile" in me.text and "Image" not in me.text and "Messages" not in me.text
            await me.press(*"profile", "enter")
            await me.until(lambda: me.screen.name == "Profile")
            await me.press("enter", *"Kai", "enter")
            await me.press(":", *"submit", "enter")
            await me.until(lambda: me.view["user"])

            await me.press(":", *"channels", "enter")
            await me.until(lambda: me.screen.name == "Channels")
            await me.press("enter")
            await me.until(lambda: me.screen.name == "Messages" and "Look at this" in me.text)
            await me.press(":", *"send", "enter", *"Hello", "enter")
            await me.until(lambda: any(item["author"] == "Kai" for item in me.view["items"]))

            await me.press("escape", ":", *"profile", "enter")
            await me.until(lambda: me.screen.name == "Profile")
            await me.press(":", *"log out", "enter")
            await me.until(lambda: me.screen.name == "Profile" and me.view["user"] is None)

    run(test())
