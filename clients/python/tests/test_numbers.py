"""Numbers of any size, which are received and sent without loss."""

from __future__ import annotations

import asyncio
import json
import random
import struct
from decimal import Decimal
from typing import Any

import nagare
import pytest
from conftest import run
from fake import fake_server
from nagare.wire import decode, encode

HUGE = "7" * 5000
WRITTEN = f"[9007199254740993,{HUGE},1e400,-1e-400,1.0,1.50,-0,0.12345678901234567890123,1e5]"


def test_numbers_that_int_and_float_cannot_represent_become_decimals() -> None:
    numbers = decode(WRITTEN.encode())
    told = [(type(number).__name__, str(number)) for number in numbers if number != numbers[1]]
    assert told == [
        ("int", "9007199254740993"),
        ("Decimal", "1E+400"),
        ("Decimal", "-1E-400"),
        ("float", "1.0"),
        ("float", "1.5"),
        ("int", "0"),
        ("Decimal", "0.12345678901234567890123"),
        ("float", "100000.0"),
    ]
    assert isinstance(numbers[1], Decimal) and numbers[1] == Decimal(HUGE)
    assert encode(numbers).decode() == f"[9007199254740993,{HUGE},1E+400,-1E-400,1.0,1.5,0,0.12345678901234567890123,100000.0]"
    assert encode(decode(b"[1e999999999999999999]")) == b"[1E+999999999999999999]"
    beyond = b"[1e9999999999999999999,1e-9999999999999999999]"
    assert encode(decode(beyond)) == beyond


def test_a_fraction_becomes_a_float_only_if_no_digit_is_lost() -> None:
    numbers = random.Random(1)
    for _ in range(20_000):
        [number] = struct.unpack("d", numbers.randbytes(8))
        if number - number == 0:
            text = repr(number)
            assert decode(text.encode()) == number and type(decode(text.upper().encode())) is float, text
            for text in (f"{number:.17g}", f"{number:.16e}".upper()):
                read = decode(text.encode())
                exact = Decimal(text) == Decimal(repr(number))
                assert type(read) is (int if set(text).isdisjoint(".eE") else float if exact else Decimal), text
                assert float(read) == number and Decimal(str(read)) == Decimal(text), text


def test_values_are_encoded_as_json_encodes_them_except_for_numbers() -> None:
    value: dict[Any, Any] = {"a": [None, True, 1.5, "é\ud800", (1, 2), {}], 1: 2, None: 3, False: 4, 1.5: 5, "": []}
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    assert encode(value) == written
    assert encode([value, Decimal("1.10"), 10**5000]) == b"[" + written + b",1.10,1" + b"0" * 5000 + b"]"
    for wrong in (float("nan"), float("inf"), Decimal("Infinity"), Decimal("NaN"), {1, 2}, {(1, 2): 3}):
        for wrapped in (wrong, [Decimal(1), wrong]):
            with pytest.raises((TypeError, ValueError)):
                encode(wrapped)


def test_an_item_with_a_huge_number_can_be_received_and_sent_back() -> None:
    async def test() -> None:
        async with fake_server() as (app, fake), app:
            view = await fake.open(app)
            items = f'[{{"id":{HUGE}}},{{"id":9007199254740993,"n":[1e400]}}]'
            said = f'{{"jsonrpc":"2.0","method":"items","params":{{"view":"v","value":{items},"revision":1}}}}'
            fake.writer.write(said.encode() + b"\n")
            await fake.settle(app)
            first, second = view.items
            view.send("remove", id=first["id"])
            view.send("change", item={**second, "read": True})
            lines = [await fake.reader.readline() for _ in range(2)]
            assert f'"params":{{"id":{HUGE},"view":"v"}}'.encode() in lines[0]
            assert b'"item":{"id":9007199254740993,"n":[1E+400],"read":true}' in lines[1]
            calling = asyncio.ensure_future(view.call("remove", id=float("inf")))
            with pytest.raises(ValueError):
                await calling

    run(test())


def test_ids_are_compared_by_value() -> None:
    one, other, fraction = decode(b"[1e400, 10.0e399, 1.1e400]")
    assert one == other and len({one, other, fraction}) == 2 and one != fraction
    assert isinstance(one, Decimal) and nagare.Items([one])[0] == other
