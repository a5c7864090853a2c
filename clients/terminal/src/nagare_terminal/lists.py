"""Lists."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import nagare

from . import filters
from .canvas import Canvas
from .display import Action
from .field import Field
from .item_actions import ItemActions
from .keys import Mouse
from .commands import Command, command
from .marks import marks_of
from .row_moves import first_held, held
from .page import Page
from .rows import Rows, stands
from .screen import PASSING, Navigator, ViewScreen
from .shape import Shape
from .item_guess import noun
from .text import humane, line

WHOLE = 50_000
"""Rows from which on a list isn't held whole, as long as nothing is lost by that."""


class ListNavigator(Navigator):
    """What lists need of the app besides."""

    @abstractmethod
    async def go_far(self, screen: ListScreen, index: int, above: int = 0) -> None:
        """Replaces a list by a window on it that begins at a row, with `above` rows in sight above that."""

    @abstractmethod
    async def open_item(self, below: ListScreen, screen: str, id: Any) -> None:
        """Opens an item that its list may not have loaded."""

    @abstractmethod
    def show_item(self, below: ListScreen) -> None:
        """Shows the current item of a list that has no detail."""

    @abstractmethod
    def detail_of(self, below: ListScreen) -> dict[str, Any] | None:
        """The item of a list that is open, and its screen."""


class ListScreen(ViewScreen):
    """Items that grow as the user comes to their end."""

    app: ListNavigator

    spoken = frozenset(
        "viewWillAppear viewDidAppear appear reachBottom loadMore refresh retry change select remove reachTop viewport showArrivals search "
        "cancelSearch filter choose jump".split()
    )

    def __init__(self, view: nagare.View, shape: Shape) -> None:
        super().__init__(view, shape)
        self.output = "items" if shape.is_list else str(shape.rows)
        self.rows = Rows(self.display, chosen=self._choose, moved=self._moved, pulled=self._pull)
        self.actions = ItemActions(self, self.display, self._show)
        self.marks = marks_of(self)
        self.rows.marked = lambda item: item in self.marks
        self.finding: Field | None = None
        """Where the user types what is looked for among the rows."""
        self._read: Any = None
        self._told = 0
        self._asked_earlier = False
        self._is_other = False
        """Whether something else is looked for than what is shown."""
        self._going = False
        """Whether another takes its place, which holds a part."""
        self._said: tuple[Any, Any] = None, None
        self.filtered_by: dict[str, set[Any]] = {}
        """The values that items were seen to have, by the filters' names."""
        self.place: dict[str, Any] = {}
        """Where the user was when this was left, until that is reached."""

    def begin(self) -> None:
        if wanted := {name: value for name, value in self.place.get("filters", {}).items() if self._filters().get(name) != value}:
            self.tell("filter", set=wanted)
        super().begin()
        self._show()

    def press(self, key: str) -> None:
        self.place = {}  # Who goes on doesn't wait to come back.
        super().press(key)

    def end(self) -> None:
        self.actions.finish()
        super().end()

    def commands(self) -> Iterator[Command]:
        if self.finding is not None:
            yield command("enter down", "Next", lambda: self._find(1))
            yield command("up", "Previous", lambda: self._find(-1))
            yield command("escape", "End search", self._end_finding)
            return
        if self.rows.anchor is not None:
            yield from self._marking()
        yield from self.rows.opening()
        yield from self.actions.commands(self._act, lambda action: self.item() is not None or (action.many and self.marks.any))
        yield from self.rows.commands()
        if self.new:
            yield command("n", "New", self._show_new)
        yield from self._searching()
        if "filters" in self.view and self.has("filter"):
            yield command("f", "Filter", self._ask_filters)
        yield from self._marking()
        yield from super().commands()
        yield from self._marking_many()

    def _marking(self) -> Iterator[Command]:
        if not any(action.many and self.has(action.input) for action in self.actions.all) or not self.rows.items:
            return
        if self.rows.anchor is not None:
            yield command("V x enter", "Mark these", self._mark_span)
            yield command("escape", "Mark none of these", self._leave_span)
            return
        yield command("x", "Mark", self._mark)
        if self.marks.any:
            yield command("escape", "Unmark", self.marks.clear)

    def _marking_many(self) -> Iterator[Command]:
        if any(action.many and self.has(action.input) for action in self.actions.all) and self.rows.items:
            yield command("V", "Mark from here", self._begin_span)
            yield command("A", "Mark all", lambda: self._marked(lambda: self.marks.every(self.rows.items)))

    def typed(self, text: str) -> Iterator[Command]:
        if (digits := text.replace(",", "")).isdecimal() and (row := int(digits)) and self.rows.items:
            if row > len(self.rows.items) and self._can_go_further:
                yield Command((), f"Go to row {row:,}", lambda: self.app.go_far(self, row - 1))
            else:
                yield Command((), f"Go to row {min(row, len(self.rows.items)):,}", lambda: self.rows.move_to(row - 1))

    @property
    def _can_go_further(self) -> bool:
        """Whether rows may follow that can be gone to without those before them."""
        return self.shape.has_window and not isinstance(self.listed, nagare.Window) and self.phase != "reachedBottom"

    @property
    def _is_idle(self) -> bool:
        """Whether the user is on a row, and neither marks, finds nor undoes any."""
        return self.app.top is self and not self.marks.any and self.rows.anchor is None and self.finding is None and not self.actions.offer

    def _searching(self) -> Iterator[Command]:
        yield command("/", "Find", self._begin_finding)

    def type(self, key: str) -> None:
        if self.finding is not None and self.finding.type(key):
            self.rows.sought = self.finding.text
            self._find(0)

    def paste(self, text: str) -> None:
        if self.finding is not None:
            self.finding.paste(text)

    def item(self) -> Any:
        return self.rows.current

    def heading(self) -> str:
        """Beside the name it takes no line from the rows, which stay where they are."""
        items, count = self.rows.items, self.new
        parts = [f"{humane(name)}: {line(filters.shown(value))}" for name, value in self._filters().items() if value is not None]
        if self.marks.any:
            parts.append(f"✓ {'all' if self.marks.count is None else self.marks.count} marked")
        if count:
            parts.append(f"↑ {count} new {noun(items[0] if items else None, count)}, n shows {'it' if count == 1 else 'them'}")
        return "".join(f"  {part}" for part in parts)

    def draw_body(self, canvas: Canvas, *, active: bool) -> None:
        if self.finding is not None and active:
            canvas.write(0, canvas.height - 1, "/", "accent")
            self.finding.draw(canvas, 1, canvas.height - 1, canvas.width - 1, active=True)
            canvas = canvas.part(0, 0, canvas.width, canvas.height - 1)
        # What was there before a search or a filter stays until there is something else.
        self.rows.stale = self.phase == "requesting" and self.load.get("trigger") in ("search", "filter")
        self.rows.headings = self._headings()
        self.rows.draw(canvas, self.failure() or self.emptiness(), active=active)

    def _headings(self) -> dict[int, str]:
        """The sections' keys, by the rows that they begin with."""
        said = self.view["sections"] if "sections" in self.view else None
        sections = [one for one in said if isinstance(one, Mapping)] if isinstance(said, Sequence) else []
        return {one["start"]: line(one.get("key")) or "–" for one in sections if isinstance(one.get("start"), int)}

    @property
    def _arrivals(self) -> int:
        """How many items the server holds back above the list."""
        said = self.view["arrivals"] if "arrivals" in self.view else None
        count = said.get("count") if isinstance(said, Mapping) else None
        return count if isinstance(count, int) else 0

    @property
    def total(self) -> int | None:
        """How many items the source has, where that is known."""
        total = self.load.get("total")
        return total if isinstance(total, int) else None

    def drawn(self) -> None:
        """Tells the view which rows are in sight, if that is news to it."""
        items, sight = self.listed, self.rows.sight
        if len(items) > WHOLE and self._can_go_further and not self._going and self._is_idle:
            self._going = True
            self.app.do(lambda: self.app.go_far(self, self.rows.cursor, self.rows.cursor - self.rows.top))
        if not len(items) or (items is self._said[0] and sight == self._said[1]):
            return
        self._said, (start, end) = (items, sight), sight
        if self.has("viewport"):
            # Items that are on their way out are the list's still.
            hidden = len(items) - len(self.rows.items)
            with suppress(nagare.NagareError):  # The server is gone, of which the app hears, too.
                self.view.send("viewport", start=start, end=end + max(0, hidden))
        elif end == len(self.rows.items) and self.has("reachBottom"):
            self.tell("reachBottom")

    @property
    def new(self) -> int:
        """How many items have come above those in sight."""
        return self._arrivals + self.rows.above

    @property
    def phase(self) -> str:
        """How far the newest load has come; nothing where the view doesn't say."""
        return str(self.load.get("phase", ""))

    def done(self) -> str:
        return self.actions.offer

    def heard(self, output: str, value: Any) -> None:
        if output == "state" and isinstance(value, dict) and value.get("trigger") == "reachTop" and value.get("phase") == "requesting":
            self._asked_earlier = True
        if output == self.output:
            self._show()
        elif output == "scrollToTop":
            self.rows.move_to(0)
        elif output == "error":
            self._tell_failure()
        elif output in ("query", "filters"):
            self.marks.clear()
            self._is_other = True

    def body_clicked(self, mouse: Mouse) -> None:
        if self.rows.click(mouse):
            if mouse.button == "right":
                self.app.do(lambda: self.app.choose_command(self.menu(), self.display.title(self.rows.current)))
            else:
                self._choose(self.rows.current)

    def menu(self) -> Iterator[Command]:
        if self.item() is not None:
            yield from self.actions.commands(self._act)
        yield from super().menu()

    def show_row(self, id: Any, index: int) -> None:
        """Puts the cursor on an item, at this place or, where others before it aren't shown, near it."""
        items = self.rows.items
        near = [row for row in (index, index - 1) if 0 <= row < len(items) and self.display.identity(items[row]) == id]
        self.rows.move_to(near[0] if near else index)

    def lists(self, page: Page) -> bool:
        """Whether a detail's page shows a row of this list: same index, same id, and the same item or its full version."""
        rows, index = self.listed, page.index
        row = rows[index] if index is not None and 0 <= index < len(rows) else None
        try:
            return row is not None and self.display.identity(row) == page.id and (page.is_whole or row == page.item)
        except RecursionError:
            return False  # Nested deeper than values can be compared.

    def mark_as_read(self, id: Any) -> None:
        """What is open has been read, and the source is told so, once: whoever marks it as unread later means it."""
        if id == self._read or not self.has("change"):
            return
        self._read = id
        items, near = self.listed, self.rows.cursor
        near_by = (items[row] for row in range(max(0, near - 2), min(len(items), near + 3)))
        item = next((item for item in near_by if self.display.identity(item) == id), None)
        item = item or next((item for item in held(items) if self.display.identity(item) == id), None)
        read = self.display.as_read(item) if item is not None else None
        if read is not None:
            self.tell("change", item=read)

    def emptiness(self) -> str:
        """What to say while nothing is listed."""
        loading = self.loading_now or self.phase in ("nothing", "requesting")
        return "loading…" if loading else "nothing here"

    def position(self) -> str:
        items, count = self.rows.items, len(self.rows.items)
        at = min(self.rows.cursor + 1, count)
        if (total := self.total) is not None and total > count:
            return f"{at:,} of {total:,}"
        is_all = items.exact if isinstance(items, nagare.Window) else self.phase in ("", "reachedBottom")
        more = "+" if count and not is_all else ""
        return f"{at:,} of {count:,}{more}"

    # Where the user was

    def where(self) -> dict[str, Any]:
        """Where the user is, to come back to."""
        if self.place:
            return self.place
        rows, page = self.rows, self.app.detail_of(self)
        return {
            "query": self.view["query"] if "query" in self.view else None,
            "filters": self._filters(),
            "row": self.display.identity(rows.current),
            "index": rows.cursor,
            "above": rows.cursor - rows.top,
            "item": page,
            "marked": sorted(self.marks.keys),
        }

    def _come_back(self) -> None:
        """Goes where the user was, page after page, until what was there is here."""
        place, items = self.place, self.rows.items
        if not place or not items:
            return
        index, row = place.get("index") or 0, place.get("row")
        is_window = isinstance(items, nagare.Window)
        is_all = is_window or self.phase in ("reachedBottom", "") or self.output not in ("items",)
        found = next((at for at, item in enumerate(held(items), first_held(items)) if self.display.identity(item) == row), None)
        if found is None and index >= len(items) and not is_all:
            self.rows.move_to(len(items) - 1)
            return
        self.place = {}
        self.rows.move_to(index if found is None else found)
        self.rows.put_at(place.get("above") or 0)
        self.marks.restore(place.get("marked", []))
        if (item := place.get("item")) is not None:
            self.app.do(lambda: self._open_again(item))

    async def _open_again(self, item: dict[str, Any]) -> None:
        """Opens what was open, listed or not."""
        listed = next((one for one in held(self.listed) if one is not None and self.display.identity(one) == item["id"]), None)
        if listed is not None:
            await self.select(listed)
        elif item.get("screen"):
            await self.app.open_item(self, item["screen"], item["id"])

    # Inside

    def _show(self, at: Any = None) -> None:
        """Shows what the view has, without what is on its way out, and puts the cursor on an item that is back."""
        items = self.actions.without(self.listed)
        if items is not self.rows.items:
            if items:
                self.display.learn(items[0])
            self.rows.set_items(items, self._asked_earlier, self._is_other)
            self._is_other = False
            self._asked_earlier &= self.phase == "requesting"
        if at is not None and (row := next((row for row, item in enumerate(held(items), first_held(items)) if item is at), None)) is not None:
            self.rows.move_to(row)
        self.app.redraw()

    def _hear(self, output: str, value: Any) -> None:
        super()._hear(output, value)
        if output in (self.output, "state", "loading"):
            self._come_back()

    @property
    def listed(self) -> Sequence[Any]:
        """All that the view lists."""
        listed = self.view[self.output] if self.output in self.view else ()
        return listed if isinstance(listed, Sequence) and not isinstance(listed, str) else ()

    def _act(self, action: Action) -> None:
        """Does it to the items that are marked, if it can be done with many; else to the one that the user is on."""
        if self.rows.anchor is not None:
            self._mark_span()
        if not (action.many and self.marks.any):
            items = [] if self.rows.current is None else [self.rows.current]
            self.app.do(lambda: self.actions.perform(action, items))
            return
        marked, told = self.marks.of(self.rows.items), self.marks.told
        if told is not None:
            self.app.do(lambda: self.actions.perform(action, marked, marks=told))
            return
        keys = {*self.marks.keys}

        async def unmark() -> None:
            self.marks.clear()

        self.app.do(lambda: self.actions.perform(action, marked, unmark, undone=lambda: self.marks.restore(keys)))

    def _marked(self, mark: Callable[[], object]) -> None:
        """Marks otherwise, when what is still to be done with those that are marked is done."""
        self.actions.finish()
        mark()

    def _mark(self) -> None:
        if (item := self.rows.current) is not None:
            self._marked(lambda: self.marks.toggle(item))
            self.rows.move_to(self.rows.cursor + 1)

    def _begin_span(self) -> None:
        self.rows.anchor = self.rows.cursor

    def _leave_span(self) -> None:
        self.rows.anchor = None

    def _mark_span(self) -> None:
        anchor, self.rows.anchor = self.rows.anchor, None
        if anchor is not None:
            self._marked(lambda: self.marks.span(self.rows.items, anchor, self.rows.cursor))

    def _filters(self) -> dict[str, Any]:
        return dict(self.view["filters"]) if "filters" in self.view and isinstance(self.view["filters"], dict) else {}

    def _ask_filters(self) -> None:
        self.app.put(filters.form(self._filters(), held(self.listed), self.display, self.filtered_by, self._set_filters))

    async def _set_filters(self, values: dict[str, Any]) -> nagare.NagareError | None:
        result = await self.attempt("filter", {"set": values})
        return result if isinstance(result, nagare.NagareError) else None

    def _begin_finding(self) -> None:
        self.finding = Field(self.rows.sought)

    def _end_finding(self) -> None:
        self.finding, self.rows.sought = None, ""

    def _find(self, by: int) -> None:
        """Goes to the next row in which it stands; behind the last one that there is, for more."""
        sought, items, first = self.rows.sought, held(self.rows.items), first_held(self.rows.items)
        count, before, cursor = len(items), self.rows.cursor, self.rows.cursor - first
        if not sought or not count:
            return
        steps = range(0, count) if by == 0 else range(1, count + 1)
        found = next((first + row for step in steps if stands(items[row := (cursor + (by or 1) * step) % count], sought)), None)
        if found is not None:
            self.rows.move_to(found)
        if (found is None or (by > 0 and found <= before)) and self.phase != "reachedBottom":
            self._pull()

    def _show_new(self) -> None:
        if self._arrivals:
            self.tell("showArrivals")
        else:
            self.rows.move_to(0)

    def _tell_failure(self) -> None:
        """Tells what could not be done to an item. Of what was done here whoever did it tells."""
        error = self.error
        if error is not None and error.get("trigger") in PASSING and error.get("number") != self._told:
            self._told = error.get("number", 0)
            if error["trigger"] not in {action.input for action in self.actions.all}:
                self.app.complain(line(error.get("message")))

    def _moved(self) -> None:
        self.app.moved()

    def _pull(self) -> None:
        if self.has("reachBottom"):
            self.tell("reachBottom")

    def _choose(self, item: Any) -> None:
        if item is None:
            return  # It isn't read yet.
        self.app.do(lambda: self.select(item))

    async def select(self, item: Any) -> None:
        """Opens the list's detail. Of a list that has none, the item is shown as it is."""
        if not self.has("select"):
            self.app.show_item(self)
            return
        self._read = None
        opened = await self.ask("select", id=self.display.identity(item))
        if not isinstance(opened, nagare.NagareError):
            self.mark_as_read(self.display.identity(item))
        if opened is None and self.app.top is self:
            self.app.show_item(self)
