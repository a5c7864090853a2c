"""The layout of messages in a terminal."""

from __future__ import annotations

import json
import random
from typing import Any

from nagare_repl.pretty import Line, layout
from nagare_repl.style import printable, width, wrapped


def texts(lines: list[Line]) -> list[str]:
    return ["".join(text for _, text in line) for line in lines]


def laid_out(value: Any, room: int = 40, height: int = 100) -> list[str]:
    return texts(layout(value, 0, room, height)[0])


def test_a_value_that_fits_stays_in_one_line() -> None:
    assert laid_out({"id": 1, "a": [True, None, 1.5, "流れ"]}) == ['{"id":1,"a":[true,null,1.5,"流れ"]}']
    assert laid_out({"id": 1, "result": {}}) == ['{"id":1,"result":{}}']


def test_each_line_has_as_many_members_as_fit() -> None:
    assert laid_out({"method": "items", "params": {"view": "v1", "value": [{"id": "m001", "subject": "議事録: 検索画面定例"}, {"id": 2}]}}) == [
        '{"method":"items","params":{"view":"v1",',
        '  "value":[',
        '    {"id":"m001",',
        '      "subject":"議事録: 検索画面定例"},',
        '    {"id":2}]}}',
    ]


def any_value(random: random.Random, depth: int = 0) -> Any:
    kind = random.randrange(7 if depth < 5 else 4)
    if kind == 0:
        return random.choice([True, None, -1, 2.5, 10**20])
    if kind < 4:
        return "".join(random.choice("a b流れ\u0301\u200b🗄") for _ in range(random.randrange(12)))
    if kind < 6:
        return {str(number): any_value(random, depth + 1) for number in range(random.randrange(6))}
    return [any_value(random, depth + 1) for _ in range(random.randrange(8))]


def test_every_layout_is_the_same_json_and_fits_where_it_can() -> None:
    generator = random.Random(1)
    for _ in range(500):
        value = any_value(generator)
        room = generator.randrange(20, 80)
        lines = laid_out(value, room, 10_000)
        assert json.loads("".join(line.strip() for line in lines)) == value
        # Only a line with a single value may be wider: a long text, or one that is nested deeply.
        for line in lines:
            assert width(line) <= room or len(line.split(",")) <= 2 or line.startswith(" " * (room - 20)), (room, lines)


def test_a_long_message_is_shortened() -> None:
    items = [{"id": number, "text": "長い" * 40} for number in range(20)]
    lines, has_omitted = layout({"value": items, "revision": 1}, 0, 76, 10)
    assert has_omitted and len(lines) < 10
    assert texts(lines)[-1].strip() == '… 18 more],"revision":1}'
    assert '"…' in texts(lines)[1] or '"…' in texts(lines)[2]


def test_a_message_that_stays_long_is_cut() -> None:
    lines, has_omitted = layout({str(number): "text" * 10 for number in range(50)}, 0, 76, 10)
    assert has_omitted and len(lines) == 10 and texts(lines)[-1] == "… 41 more lines"


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert laid_out("\x1b[31m\x9b\u202e\x7f\n") == ['"\\u001b[31m\\u009b\\u202e\\u007f\\n"']
    assert printable("a\tb\x07\u2028") == "a\tb\\u0007\\u2028"


def test_texts_are_wrapped_between_words() -> None:
    assert wrapped("  the quick 流れ fox", 13) == ["  the quick", "  流れ fox"]
    assert wrapped("overlongword", 4) == ["overlongword"]
