from nagare_source import Page, run

ROWS = [{"id": number, "title": f"Row {number}"} for number in range(1000)]

def load(key: int | None, query: str | None, size: int) -> Page:
    found = [row for row in ROWS if (query or "") in str(row["title"])]
    first, end = key or 0, (key or 0) + size
    return Page(found[first:end], next=end if end < len(found) else None, total=len(found))

run(load)
