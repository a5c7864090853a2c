"""What a terminal shows: cells with text and style."""

from __future__ import annotations

from .cells import clusters, cut, width

Cell = tuple[str, str]
"""A character, with what combines with it, and the names of its styles. What follows a wide one is empty."""


class Canvas:
    """Cells to write into, or a part of them. Whatever doesn't fit is left out."""

    def __init__(self, columns: int, rows: int) -> None:
        self.width, self.height = max(0, columns), max(0, rows)
        self._left = self._top = 0
        self.cells: list[list[Cell]] = [[(" ", "")] * self.width for _ in range(self.height)]
        self.cursor: list[tuple[int, int]] = []
        """Where the terminal's own cursor stands, from the first cell of all: where the user types, for the sake of what composes
        characters there. The last one counts."""

    def part(self, x: int, y: int, columns: int, rows: int) -> Canvas:
        """The cells of a rectangle, which has its own first one."""
        part = Canvas(0, 0)
        part.width, part.height = max(0, min(columns, self.width - x)), max(0, min(rows, self.height - y))
        part._left, part._top = self._left + x, self._top + y
        part.cells, part.cursor = self.cells, self.cursor
        return part

    def write(self, x: int, y: int, text: str, style: str = "") -> int:
        """Writes a text from a cell on, and gives the cell behind it."""
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
        """Puts a character into a row. Of a wide one that it covers by half, the other half is empty."""
        if row[x][0] == "" and x > 0:
            row[x - 1] = (" ", row[x - 1][1])
        if x + cells < len(row) and row[x + cells][0] == "":
            row[x + cells] = (" ", row[x + cells][1])
        row[x] = (cluster, style)
        if cells == 2:
            row[x + 1] = ("", style)

    def line(self, y: int, text: str, style: str = "", x: int = 0) -> None:
        """Writes a text in one line, and gives the whole line its style."""
        self.fill(y, style)
        self.write(x, y, cut(text, self.width - x), style)

    def fill(self, y: int, style: str) -> None:
        """Empties a line."""
        self.write(0, y, " " * self.width, style)

    def cleared(self) -> Canvas:
        """Empties all of it."""
        for y in range(self.height):
            self.fill(y, "")
        return self

    def mark(self, x: int, y: int, text: str, sought: str, style: str) -> None:
        """Gives a style to each place in a text, written from a cell on, where something that is looked for stands."""
        looked, sought = text.casefold(), sought.casefold()
        if len(looked) != len(text):
            looked = text.lower()
        start = looked.find(sought) if sought else -1
        while start >= 0:
            end = start + len(sought)
            self.write(x + width(text[:start]), y, text[start:end], style)
            start = looked.find(sought, end)

    def frame(self, title: str, style: str) -> Canvas:
        """Draws a frame, and gives what is inside."""
        across = "─" * (self.width - 2)
        for y in range(self.height):
            self.write(0, y, f"│{' ' * (self.width - 2)}│", style)
        self.write(0, 0, f"╭{across}╮", style)
        self.write(0, self.height - 1, f"╰{across}╯", style)
        if title:
            self.write(2, 0, f" {cut(title, self.width - 6)} ", f"{style} title")
        return self.part(2, 1, self.width - 4, self.height - 2)

    def put_cursor(self, x: int, y: int) -> None:
        """Has the terminal's own cursor stand in a cell."""
        if 0 <= x < self.width and 0 <= y < self.height:
            self.cursor.append((self._left + x, self._top + y))

    def text(self) -> str:
        """What is written, without styles."""
        return "\n".join("".join(text for text, _ in row) for row in self.cells)
