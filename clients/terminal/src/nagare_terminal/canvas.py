"""The terminal's cells, with text and style."""

from __future__ import annotations

from .cells import clusters, cut, width

Cell = tuple[str, str]
"""A character with its combining characters, and its style names. The cell after a wide character is empty."""


class Canvas:
    """A rectangle of cells. Text that doesn't fit is cut."""

    def __init__(self, columns: int, rows: int) -> None:
        self.width, self.height = max(0, columns), max(0, rows)
        self._left = self._top = 0
        self.cells: list[list[Cell]] = [[(" ", "")] * self.width for _ in range(self.height)]
        self.cursor: list[tuple[int, int]] = []
        """Positions for the terminal's cursor; the last one is used. The cursor is where the user types, because input
        methods compose characters there."""

    def part(self, x: int, y: int, columns: int, rows: int) -> Canvas:
        """Returns a part of the canvas, with its own origin."""
        part = Canvas(0, 0)
        part.width, part.height = max(0, min(columns, self.width - x)), max(0, min(rows, self.height - y))
        part._left, part._top = self._left + x, self._top + y
        part.cells, part.cursor = self.cells, self.cursor
        return part

    def write(self, x: int, y: int, text: str, style: str = "") -> int:
        """Writes a text, and returns the column after it."""
        if not 0 <= y < self.height:
            return x + width(text)
        row = self.cells[self._top + y]
        for cluster, cells in clusters(text):
            if x + cells > self.width:
                break
            if x >= 0 and cells:
                self._put(row, self._left + x, cluster, cells, style)
            x += cells
        return x

    def _put(self, row: list[Cell], x: int, cluster: str, cells: int, style: str) -> None:
        """Writes a character. If it covers half of a wide one, the other half is cleared."""
        if row[x][0] == "" and x > 0:
            row[x - 1] = (" ", row[x - 1][1])
        if x + cells < len(row) and row[x + cells][0] == "":
            row[x + cells] = (" ", row[x + cells][1])
        row[x] = (cluster, style)
        if cells == 2:
            row[x + 1] = ("", style)

    def line(self, y: int, text: str, style: str = "", x: int = 0) -> None:
        """Fills a line with a style, and writes a text into it."""
        self.fill(y, style)
        self.write(x, y, cut(text, self.width - x), style)

    def fill(self, y: int, style: str) -> None:
        """Clears a line."""
        self.write(0, y, " " * self.width, style)

    def cleared(self) -> Canvas:
        """Clears the canvas."""
        for y in range(self.height):
            self.fill(y, "")
        return self

    def highlight(self, x: int, y: int, text: str, search_text: str, style: str) -> None:
        """Highlights each occurrence of `search_text` in a text that was written at `x`, `y`."""
        folded, search_text = text.casefold(), search_text.casefold()
        if len(folded) != len(text):
            folded = text.lower()
        start = folded.find(search_text) if search_text else -1
        while start >= 0:
            end = start + len(search_text)
            self.write(x + width(text[:start]), y, text[start:end], style)
            start = folded.find(search_text, end)

    def frame(self, title: str, style: str) -> Canvas:
        """Draws a frame, and returns the part inside."""
        across = "─" * (self.width - 2)
        for y in range(self.height):
            self.write(0, y, f"│{' ' * (self.width - 2)}│", style)
        self.write(0, 0, f"╭{across}╮", style)
        self.write(0, self.height - 1, f"╰{across}╯", style)
        if title:
            self.write(2, 0, f" {cut(title, self.width - 6)} ", f"{style} title")
        return self.part(2, 1, self.width - 4, self.height - 2)

    def put_cursor(self, x: int, y: int) -> None:
        """Puts the terminal's cursor into a cell."""
        if 0 <= x < self.width and 0 <= y < self.height:
            self.cursor.append((self._left + x, self._top + y))

    def text(self) -> str:
        """Returns the text without styles."""
        return "\n".join("".join(text for text, _ in row) for row in self.cells)
