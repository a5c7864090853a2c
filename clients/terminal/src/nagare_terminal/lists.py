"""Screens with a list."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import nagare

from . import filters
from .canvas import Canvas
from .commands import Command, command
from .display import Action
from .field import Field
from .item_actions import ItemActions
from .item_guess import noun
from .keys import Mouse
from .marks import marks_of
from .page import Page
from .row_moves import first_held_row, held_rows, id_key, item_key
from .rows import Rows, contains_text
from .screen import EDIT_INPUTS, Navigator, ViewScreen
from .shape import Shape
from .text import humanize, line

WINDOW_THRESHOLD = 50_000
"""The number of rows above which a list is reopened with a window, if the user loses nothing by that."""
RETRY_DELAY = 1.1
"""Seconds after which a dropped `reachTop` is sent again. Most lists drop repetitions within a second."""


class ListNavigator(Navigator):
    """The methods of the app that lists need, in addition to those of other screens."""

    @abstractmethod
    async def open_window_at(self, screen: ListScreen, index: int, above: int = 0) -> None:
        """Replaces a list by the same list with a window. The cursor is on row `index`, with `above` rows in sight above it."""

    @abstractmethod
    async def open_item(self, below: ListScreen, screen: str, id: Any) -> None:
        """Opens an item, even if its list hasn't loaded it."""

    @abstractmethod
    def show_item(self, below: ListScreen) -> None:
        """Shows the current item of a list that has no detail."""

    @abstractmethod
    def detail_of(self, below: ListScreen) -> dict[str, Any] | None:
        """Returns the list's item that is open, and its screen."""


class ListScreen(ViewScreen):
    """A list. It loads more items when the user reaches its end."""

    app: ListNavigator

    own_inputs = frozenset(
        "viewWillAppear viewDidAppear appear disappear reachBottom loadMore refresh retry change select remove reachTop viewport showArrivals "
        "search cancelSearch filter choose jump".split()
    )

    def __init__(self, view: nagare.View, shape: Shape) -> None:
        super().__init__(view, shape)
        self.output = "items" if shape.is_list else str(shape.rows)
        self.rows = Rows(self.display, on_choose=self._choose, on_move=self._user_moved, on_pull=self._load_more)
        self.actions = ItemActions(self, self.display, lambda: self.listed, self._undone)
        self.marks = marks_of(self)
        self.rows.marked = lambda item: item in self.marks
        self.rows.removed_keys = self.actions.removed_keys
        self.rows.pending = lambda item: self._pending.get(item_key(item, self.display.id), "")
        self._pending = self._pending_states()
        """The states of unfinished edits, by the keys of their items."""
        if self.actions.can_undo:
            self.own_inputs |= {"undo"}
        self.find_field: Field | None = None
        """The field for finding text in the rows, while it is open."""
        self._read: Any = None
        self._reported_failure = 0
        self._is_loading_previous = False
        self._previous_requests = 0
        """The number of running requests that may load the previous page."""
        self._is_asking_previous = False
        self._is_other_query = False
        """Whether a search or filter was changed and its items haven't arrived yet."""
        self._is_reopening = False
        """Whether the list is being replaced by one with a window."""
        self._reported_viewport: tuple[Any, Any] = None, None
        self.filtered_by: dict[str, set[Any]] = {}
        """The values of each filter that items were seen to have."""
        self.restoring: dict[str, Any] = {}
        """The saved place, until it is reached."""

    def begin(self) -> None:
        if wanted := {name: value for name, value in self.restoring.get("filters", {}).items() if self._filters().get(name) != value}:
            self.send("filter", set=wanted)
        super().begin()
        self._show()

    def press(self, key: str) -> None:
        self.restoring = {}  # A key ends the restoring.
        super().press(key)

    def commands(self) -> Iterator[Command]:
        if self.find_field is not None:
            yield command("enter down", "Next", lambda: self._find(1))
            yield command("up", "Previous", lambda: self._find(-1))
            yield command("escape", "End search", self._end_finding)
            return
        if self.rows.anchor is not None:
            yield from self._marking()
        yield from self.rows.open_command()
        yield from self.item_commands(self.item(), self._perform, lambda action: self.item() is not None or (action.many and self.marks.any))
        yield from self.rows.commands()
        if self.new_count:
            yield command("n", "New", self._show_new)
        yield from self._searching()
        if "filters" in self.view and self.has_input("filter"):
            yield command("f", "Filter", self._ask_filters)
        yield from self._marking()
        yield from super().commands()
        yield from self._marking_many()

    def _marking(self) -> Iterator[Command]:
        if not any(action.many and self.has_input(action.input) for action in self.actions.all) or not self.rows.items:
            return
        if self.rows.anchor is not None:
            yield command("V x enter", "Mark these", self._mark_span)
            yield command("escape", "Unmark these", self._leave_span)
            return
        yield command("x", "Mark", self._mark)
        if self.marks.any:
            yield command("escape", "Unmark", self.marks.clear)

    def _marking_many(self) -> Iterator[Command]:
        if any(action.many and self.has_input(action.input) for action in self.actions.all) and self.rows.items:
            yield command("V", "Mark from here", self._begin_span)
            yield command("A", "Mark all", lambda: self.marks.mark_all(self.rows.items))

    def palette_for(self, text: str) -> Iterator[Command]:
        if (digits := text.replace(",", "")).isdecimal() and (row := int(digits)) and self.rows.items:
            if row > len(self.rows.items) and self._can_go_further:
                yield Command((), f"Go to row {row:,}", lambda: self.app.open_window_at(self, row - 1))
            else:
                yield Command((), f"Go to row {min(row, len(self.rows.items)):,}", lambda: self.rows.move_to(row - 1))

    @property
    def _can_go_further(self) -> bool:
        """Whether the list can show later rows without loading all rows before them."""
        return self.shape.has_window and not isinstance(self.listed, nagare.Window) and self.phase != "reachedBottom"

    @property
    def _is_idle(self) -> bool:
        """Whether the user only browses, and isn't marking, finding or undoing anything."""
        return self.app.top is self and not self.marks.any and self.rows.anchor is None and self.find_field is None and not any(self.actions.hint)

    def _searching(self) -> Iterator[Command]:
        yield command("/", "Find", self._begin_finding)

    def type(self, key: str) -> None:
        if self.find_field is not None and self.find_field.type(key):
            self.rows.search_text = self.find_field.text
            self._find(0)

    def paste(self, text: str) -> None:
        if self.find_field is not None:
            self.find_field.paste(text)

    def item(self) -> Any:
        return self.rows.current

    def heading(self) -> str:
        """The filters, marks and new items. They stand next to the name, so that they don't move the rows."""
        items, count = self.rows.items, self.new_count
        parts = [f"{humanize(name)}: {line(filters.shown(value))}" for name, value in self._filters().items() if value is not None]
        if self.marks.any:
            parts.append(f"✓ {'all' if self.marks.count is None else self.marks.count} marked")
        if count:
            parts.append(f"↑ {count} new {noun(items[0] if items else None, count)}, n shows {'it' if count == 1 else 'them'}")
        return "".join(f"  {part}" for part in parts)

    def draw_body(self, canvas: Canvas, *, active: bool) -> None:
        if self.find_field is not None and active:
            canvas.write(0, canvas.height - 1, "/", "accent")
            self.find_field.draw(canvas, 1, canvas.height - 1, canvas.width - 1, active=True)
            canvas = canvas.part(0, 0, canvas.width, canvas.height - 1)
        # The old rows stay until the new ones arrive.
        self.rows.is_stale = self.phase == "requesting" and self.load_state.get("trigger") in ("search", "filter")
        self.rows.headings = self._headings()
        self.rows.draw(canvas, self.failure_text() or self.empty_text(), active=active)

    def _headings(self) -> dict[int, str]:
        """The section headings, by their first row."""
        sections = self.view["sections"] if "sections" in self.view else None
        sections = [one for one in sections if isinstance(one, Mapping)] if isinstance(sections, Sequence) else []
        return {one["start"]: line(one.get("key")) or "–" for one in sections if isinstance(one.get("start"), int)}

    @property
    def _arrivals(self) -> int:
        """The number of arrivals that the server defers."""
        state = self.view["arrivals"] if "arrivals" in self.view else None
        count = state.get("count") if isinstance(state, Mapping) else None
        return count if isinstance(count, int) else 0

    @property
    def total(self) -> int | None:
        """The number of items in the source; None if unknown."""
        total = self.load_state.get("total")
        return total if isinstance(total, int) else None

    def drawn(self) -> None:
        """Reports the rows in sight to the view, if they have changed."""
        items, sight = self.listed, self.rows.rows_in_sight
        if len(items) > WINDOW_THRESHOLD and self._can_go_further and not self._is_reopening and self._is_idle:
            self._is_reopening = True
            self.app.do(lambda: self.app.open_window_at(self, self.rows.cursor, self.rows.cursor - self.rows.top))
        if not len(items) or (items is self._reported_viewport[0] and sight == self._reported_viewport[1]):
            return
        self._reported_viewport, (start, end) = (items, sight), sight
        # In the built-in lists, which have the state `state`, `viewport` loads pages. Other lists may use it for
        # something else.
        if not (self.has_input("viewport") and self.load_state):
            if start == 0 and self.has_input("reachTop"):
                self.app.do(self._load_previous)
            if end == len(self.rows.items) and self.has_input("reachBottom"):
                self.send("reachBottom")
        if self.has_input("viewport"):
            self._send_viewport(start, end)

    def _send_viewport(self, start: int, end: int) -> None:
        """Reports the rows in sight. Without the state `state`, rows that are inserted above soon afterwards count as the previous page."""
        if self.load_state or 2 * start > end:
            with suppress(nagare.NagareError):  # The server has died. The app notices that elsewhere.
                self.view.send("viewport", start=start, end=end)
        else:
            self.app.do(lambda: self._ask_previous("viewport", start=start, end=end))

    async def _load_previous(self) -> None:
        """Loads the page before the first row.

        The list may drop the input, because it comes too soon or another load is running. In that case it is sent
        again, once.
        """
        if self._is_asking_previous:
            return
        self._is_asking_previous = True
        if await self._ask_previous("reachTop") == "nothing" and self._shows_first_row:
            await asyncio.sleep(RETRY_DELAY)
            if self._shows_first_row:
                await self._ask_previous("reachTop")
        self._is_asking_previous = False

    @property
    def _shows_first_row(self) -> bool:
        return self.rows.rows_in_sight[0] == 0 and not self.view.closed

    async def _ask_previous(self, input: str, **params: int) -> str:
        """Sends an input that may load the previous page. That page may arrive without a `state` that announces it."""
        outcome = "dropped"
        self._previous_requests += 1
        with suppress(nagare.NagareError):
            outcome = await self.view.call(input, **params)
        self._previous_requests -= 1
        return outcome

    @property
    def new_count(self) -> int:
        """The number of new items above the rows in sight."""
        return self._arrivals + self.rows.new_above

    @property
    def phase(self) -> str:
        """The phase of the newest load; empty if unknown."""
        return str(self.load_state.get("phase", ""))

    def undo_hint(self) -> tuple[str, str]:
        return self.actions.hint

    def on_output(self, output: str, value: Any) -> None:
        if output == "state" and isinstance(value, dict) and value.get("trigger") == "reachTop" and value.get("phase") == "requesting":
            self._is_loading_previous = True
        if output == self.output:
            self._show()
        elif output == "scrollToTop":
            self.rows.move_to(0)
        elif output == "scrollTo":
            self._scroll_to(value)
        elif output == "error":
            self._report_failure()
        elif output == "undoable":
            self.actions.undoable_changed()
        elif output == "pending":
            self._pending = self._pending_states()
        elif output in ("query", "filters"):
            self.marks.clear()
            self._is_other_query = True
        if output in ("query", "filters", "state"):
            self._begin_again()

    def _scroll_to(self, target: Any) -> None:
        """Moves the cursor to the row that the view names."""
        index = target.get("index") if isinstance(target, Mapping) else None
        if isinstance(index, int):
            self.rows.move_to(index)
            self.app.redraw()

    def _begin_again(self, is_shown: bool = False) -> None:
        """Moves to the first row when the items of another search or filter have arrived. The list sends `state` after
        these items, if it has that state."""
        if self._is_other_query and (is_shown or self.phase in ("requestFinished", "reachedBottom")):
            self._is_other_query = False
            self.rows.begin_again()

    def body_clicked(self, mouse: Mouse) -> None:
        if self.rows.click(mouse):
            if mouse.button == "right":
                self.app.do(lambda: self.app.choose_command(self.menu(), self.display.title(self.rows.current)))
            else:
                self._choose(self.rows.current)

    def menu(self) -> Iterator[Command]:
        if self.item() is not None:
            yield from self.item_commands(self.item(), self._perform)
        yield from super().menu()

    def item_commands(
        self, item: Any, do: Callable[[Action], object], fits: Callable[[Action], bool] = lambda action: True
    ) -> Iterator[Command]:
        """The actions for an item. `do` performs an action. `fits` is whether there is something to perform it on."""
        yield from self.actions.commands(do, fits)
        if item is not None and self.rows.pending(item) == "failed" and "id" in self.shape.inputs.get("retry", {}).get("properties", {}):
            yield Command((), "Send again", lambda: self.send("retry", id=self.display.item_id(item)))

    def _pending_states(self) -> dict[str, str]:
        state = self.view["pending"] if "pending" in self.view else None
        edits = [one for one in state if isinstance(one, Mapping)] if isinstance(state, Sequence) else []
        return {id_key(one["id"]): state for one in edits if "id" in one and isinstance(state := one.get("state"), str)}

    def contains(self, page: Page) -> bool:
        """Whether a detail's page shows a row of this list: same index, same id, and the same item or its full version."""
        rows, index = self.listed, page.index
        row = rows[index] if index is not None and 0 <= index < len(rows) else None
        try:
            return row is not None and self.display.item_id(row) == page.id and (page.is_whole or row == page.item)
        except RecursionError:
            return False  # The values are nested too deeply to be compared.

    def mark_as_read(self, id: Any) -> None:
        """Reports an opened item as read, but only once, because the user may mark it as unread later."""
        if id == self._read or not self.has_input("change"):
            return
        self._read = id
        items, near = self.listed, self.rows.cursor
        near_by = (items[row] for row in range(max(0, near - 2), min(len(items), near + 3)))
        item = next((item for item in near_by if self.display.item_id(item) == id), None)
        item = item or next((item for item in held_rows(items) if self.display.item_id(item) == id), None)
        read = self.display.as_read(item) if item is not None else None
        if read is not None:
            self.send("change", item=read)

    def empty_text(self) -> str:
        """The text of an empty list."""
        loading = self.is_loading or self.phase in ("nothing", "requesting")
        return "loading…" if loading else "nothing here"

    def position(self) -> str:
        items, count = self.rows.items, len(self.rows.items)
        at = min(self.rows.cursor + 1, count)
        if (total := self.total) is not None and total > count:
            return f"{at:,} of {total:,}"
        is_all = items.exact if isinstance(items, nagare.Window) else self.phase in ("", "reachedBottom")
        more = "+" if count and not is_all else ""
        return f"{at:,} of {count:,}{more}"

    # The user's place

    def current_place(self) -> dict[str, Any]:
        """Returns the user's place, for restoring it later."""
        if self.restoring:
            return self.restoring
        rows, page = self.rows, self.app.detail_of(self)
        return {
            "query": self.view["query"] if "query" in self.view else None,
            "filters": self._filters(),
            "row": self.display.item_id(rows.current),
            "index": rows.cursor,
            "above": rows.cursor - rows.top,
            "item": page,
            "marked": sorted(self.marks.keys),
        }

    def _restore_place(self) -> None:
        """Moves to the saved place. Loads pages until it is reached."""
        place, items = self.restoring, self.rows.items
        filters = self._filters()
        is_other = any(filters[name] != value for name, value in (place.get("filters") or {}).items() if name in filters)
        if not place or not items or is_other or self._is_other_query:
            return
        index, row = place.get("index") or 0, place.get("row")
        is_window = isinstance(items, nagare.Window)
        is_all = is_window or self.phase in ("reachedBottom", "") or self.output not in ("items",)
        found = next((at for at, item in enumerate(held_rows(items), first_held_row(items)) if self.display.item_id(item) == row), None)
        if found is None and index >= len(items) and not is_all:
            self.rows.move_to(len(items) - 1)
            return
        self.restoring = {}
        self.rows.move_to(index if found is None else found)
        self.rows.scroll_to(place.get("above") or 0)
        self.marks.restore(place.get("marked", []))
        if (item := place.get("item")) is not None:
            self.app.do(lambda: self._reopen_item(item))

    async def _reopen_item(self, item: dict[str, Any]) -> None:
        """Reopens an item, whether it is listed or not."""
        listed = next((one for one in held_rows(self.listed) if one is not None and self.display.item_id(one) == item["id"]), None)
        if listed is not None:
            await self.select(listed)
        elif item.get("screen"):
            await self.app.open_item(self, item["screen"], item["id"])

    # Private methods

    def _show(self) -> None:
        """Shows the view's current items."""
        items = self.listed
        if items is not self.rows.items:
            self.actions.listed_before = self.rows.items
            if items:
                self.display.guess_columns(items[0])
            self.rows.set_items(items, self._is_loading_previous or self._previous_requests > 0)
            self._begin_again(is_shown=not self.load_state)
            self._is_loading_previous &= self.phase == "requesting"
        self.app.redraw()

    def _undone(self, item: Any) -> None:
        """Moves the cursor to an item that is back in the list, unless a detail is open."""
        if item is None or self.app.top is not self:
            return
        items, key = self.rows.items, item_key(item, self.display.id)
        rows = enumerate(held_rows(items), first_held_row(items))
        if (row := next((row for row, one in rows if one is not None and item_key(one, self.display.id) == key), None)) is not None:
            self.rows.move_to(row)

    def _on_output(self, output: str, value: Any) -> None:
        super()._on_output(output, value)
        if output in (self.output, "state", "loading", "filters"):
            self._restore_place()

    @property
    def listed(self) -> Sequence[Any]:
        """The view's items."""
        listed = self.view[self.output] if self.output in self.view else ()
        return listed if isinstance(listed, Sequence) and not isinstance(listed, str) else ()

    def _perform(self, action: Action) -> None:
        """Performs an action on the marked items if it supports several items, otherwise on the current item."""
        if self.rows.anchor is not None:
            self._mark_span()
        if not (action.many and self.marks.any):
            items = [] if self.rows.current is None else [self.rows.current]
            self.app.do(lambda: self.actions.perform(action, items))
            return
        marked, server_marks = self.marks.of(self.rows.items), self.marks.server_marks
        if server_marks is not None:
            self.app.do(lambda: self.actions.perform(action, marked, marks=server_marks))
            return

        async def unmark() -> None:
            self.marks.clear()

        self.app.do(lambda: self.actions.perform(action, marked, unmark, mark_again=self.marks.mark))

    def _mark(self) -> None:
        if (item := self.rows.current) is not None:
            self.marks.toggle(item)
            self.rows.move_to(self.rows.cursor + 1)

    def _begin_span(self) -> None:
        self.rows.anchor = self.rows.cursor

    def _leave_span(self) -> None:
        self.rows.anchor = None

    def _mark_span(self) -> None:
        anchor, self.rows.anchor = self.rows.anchor, None
        if anchor is not None:
            self.marks.span(self.rows.items, anchor, self.rows.cursor)

    def _filters(self) -> dict[str, Any]:
        return dict(self.view["filters"]) if "filters" in self.view and isinstance(self.view["filters"], dict) else {}

    def _ask_filters(self) -> None:
        self.app.push(filters.form(self._filters(), held_rows(self.listed), self.display, self.filtered_by, self._set_filters))

    async def _set_filters(self, values: dict[str, Any]) -> nagare.NagareError | None:
        result = await self.try_call("filter", {"set": values})
        return result if isinstance(result, nagare.NagareError) else None

    def _begin_finding(self) -> None:
        self.find_field = Field(self.rows.search_text)

    def _end_finding(self) -> None:
        self.find_field, self.rows.search_text = None, ""

    def _find(self, by: int) -> None:
        """Moves to the next row with the text. After the last row, more rows are loaded."""
        search_text, items, first = self.rows.search_text, held_rows(self.rows.items), first_held_row(self.rows.items)
        count, before, cursor = len(items), self.rows.cursor, self.rows.cursor - first
        if not search_text or not count:
            return
        steps = range(0, count) if by == 0 else range(1, count + 1)
        found = next((first + row for step in steps if contains_text(items[row := (cursor + (by or 1) * step) % count], search_text)), None)
        if found is not None:
            self.rows.move_to(found)
        if (found is None or (by > 0 and found <= before)) and self.phase != "reachedBottom":
            self._load_more()

    def _show_new(self) -> None:
        if self._arrivals:
            self.send("showArrivals")
        else:
            self.rows.move_to(0)

    def _report_failure(self) -> None:
        """Shows the reason for a failed edit, once."""
        error = self.error
        if error is not None and error.get("trigger") in EDIT_INPUTS and error.get("number") != self._reported_failure:
            self._reported_failure = error.get("number", 0)
            self.actions.edit_failed(error)

    def _user_moved(self) -> None:
        self.app.user_moved()

    def _load_more(self) -> None:
        if self.has_input("reachBottom"):
            self.send("reachBottom")

    def _choose(self, item: Any) -> None:
        if item is None:
            return  # The row isn't loaded yet.
        self.app.do(lambda: self.select(item))

    async def select(self, item: Any) -> None:
        """Opens the detail of an item. In a list without details, shows the item itself."""
        if not self.has_input("select"):
            self.app.show_item(self)
            return
        self._read = None
        opened = await self.call("select", id=self.display.item_id(item))
        if not isinstance(opened, nagare.NagareError):
            self.mark_as_read(self.display.item_id(item))
        if opened is None and self.app.top is self:
            self.app.show_item(self)
