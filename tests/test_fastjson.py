"""JSON of many records by orjson: the same values as by `json`, read and written."""

import json
from io import BytesIO
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.corpus import batches
from nbtext.decoding import Decoder
from nbtext.readers import _fastjson as fastjson
from nbtext.readers import jsonl

ODD = (
    "NaN", '{"a": Infinity}', '"\\ud800"', "123456789012345678901", "18446744073709551616", "1e999", "-0", "[1,]", "{",
    "\ufeff1", '{"a": 1, "a": 2}', "[" * 2000 + "]" * 2000, '{"t": "x", "n": [-123456789012345678901234]}', "\t1 \r\n",
)  # fmt: skip
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def outcome(loads, text):
    try:
        return loads(text)
    except (ValueError, RecursionError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("text", ODD)
def test_what_orjson_refuses_or_rounds_is_read_as_by_json(text):
    assert repr(outcome(fastjson.loads, text)) == repr(outcome(json.loads, text))


@given(st.text() | st.builds(json.dumps, values))
def test_any_text_is_read_as_by_json(text):
    assert repr(outcome(fastjson.loads, text)) == repr(outcome(json.loads, text))


@given(values)
def test_what_is_written_has_the_value(value):
    text = fastjson.dumps(value)
    assert text is None or repr(json.loads(text)) == repr(value)


@pytest.mark.parametrize("value", [nan, {"a": [nan]}, "\ud800", 2**64, None])
def test_what_orjson_cannot_write_as_json_would_is_left_to_json(value):
    assert fastjson.dumps(value) is None


RECORDS = (
    '{"text": "lunch: at noon", "label": "ham", "id": 1}', '{"text": "nul \\u0000 half \\ud800", "label": ["spam"]}',
    '{"text": "a", "n": NaN, "label": true}', '{"text": "a", "big": 123456789012345678901, "label": "ham"}',
    '{"text": "a", "text": "b"}', '{"text": null, "body": "c"}', '{"text": 5}', "[]", "{", " ", '{"body": "d"}',
    '{"text": "big label", "label": 123456789012345678901}',
)  # fmt: skip


def test_records_beyond_the_first_hundred_are_read_alike(monkeypatch):
    lines = "\n".join(RECORDS * 20).encode()

    def read():
        return [item._replace(name="") for item in jsonl.read(BytesIO(lines), "", Decoder())]

    found = read()
    assert len(found) == len(RECORDS) * 20 - 20  # without blank lines
    monkeypatch.setattr(jsonl, "FEW", len(found) + 1)
    monkeypatch.setattr(fastjson, "loads", lambda _: pytest.fail("orjson was used"))
    slow = read()
    assert [each.message.partition(": ")[2] if hasattr(each, "message") else each for each in found] == [
        each.message.partition(": ")[2] if hasattr(each, "message") else each for each in slow
    ]


@pytest.mark.parametrize("options", [["--json"], ["--json", "--top", "1"], ["--to", "jsonl"], ["--to", "csv"]])
def test_answers_are_the_same_with_and_without_orjson(run, tmp_path, monkeypatch, options):
    text = (
        '{"text": "lunch at noon", "label": "ham", "id": 1}\n{"text": "win cash", "label": "spam", "id": "\\ud800"}\n'
    )
    (tmp_path / "t.jsonl").write_text(text)
    many = tmp_path / "many\udcff.jsonl"
    many.write_text("".join(text.replace("win", "win " * n) for n in range(60)))
    monkeypatch.setattr(batches, "WORTH_SHARING_BYTES", 1)
    run("train", "t.jsonl", "--id", "id")
    fast = run("classify", many, *options)
    monkeypatch.setattr(fastjson, "dumps", lambda _: None)
    monkeypatch.setattr(fastjson, "loads", json.loads)
    slow = run("classify", many, *options)
    assert (fast.status, fast.err) == (slow.status, slow.err) == (0, "")
    if "--json" in options:
        assert list(map(json.loads, fast.out.splitlines())) == list(map(json.loads, slow.out.splitlines()))
    else:
        assert fast.out == slow.out
