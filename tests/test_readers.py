"""The readers: what a document is in each format, and how a broken input ends."""

import codecs
import csv as python_csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.decoding import decoder
from nbtext.errors import DocumentError
from nbtext.readers import Document, csv, fasttext, jsonl, lines, text, tsv

READERS = [text, lines, jsonl, csv, tsv, fasttext]
RECORDS = [jsonl, csv, tsv, fasttext]
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
decode = decoder()


def documents(reader, data):
    return list(reader.read(io.BytesIO(data), "x", decode))


def pairs(reader, data):
    """(label, text) of each document of one part."""
    found = documents(reader, data)
    assert all([tag for tag, _ in document.parts] == [""] for document in found)
    return [(document.label, document.parts[0][1]) for document in found]


def ended(reader, data):
    """The documents before a broken record, and the error."""
    found = []
    with pytest.raises(DocumentError) as caught:
        found.extend(reader.read(io.BytesIO(data), "x", decode))
    return found, caught.value


def outcome(reader, data):
    """The documents, and the message of the error that ended them, or ""."""
    found = []
    try:
        found.extend(reader.read(io.BytesIO(data), "x", decode))
    except DocumentError as error:
        return found, str(error)
    return found, ""


# text


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ""),
        (b"one\ntwo\r\n", "one\ntwo\r\n"),
        (b"caf\xe9", "café"),
        ("né".encode("utf-16"), "né"),
        (b"good\n" * 1800 + b"good\0morning", "good\n" * 1800 + "good\0morning"),  # all or nothing: here all
    ],
)
def test_a_text_is_one_document_of_one_part(data, expected):
    assert documents(text, data) == [Document((("", expected),), None, "x")]


def test_a_long_text_is_read_to_its_end():
    assert documents(text, b"word " * 700_000)[0].parts[0][1] == "word " * 700_000


class Counting(io.BytesIO):
    taken = 0

    def read(self, size=-1):
        data = super().read(size)
        self.taken += len(data)
        return data


def test_a_text_too_large_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr("nbtext.readers._streams.LARGEST_BYTES", 10)
    monkeypatch.setattr("nbtext.readers._streams.STEP_BYTES", 4)
    stream = Counting(b"a" * 1000)
    with pytest.raises(DocumentError, match=r"^x: a document of over 10 bytes") as caught:
        list(text.read(stream, "x", decode))
    assert (caught.value.reason, stream.taken) == ("too large", 12)
    assert documents(text, b"a" * 10)[0].parts == (("", "a" * 10),)


# lines


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"blue harbour", ["blue harbour"]),
        (b"blue harbour\n", ["blue harbour"]),
        (b"blue harbour\r\n", ["blue harbour"]),
        (b"one\n\nthree\n \n", ["one", "", "three", " "]),
        (b"one\r\n\r\nthree", ["one", "", "three"]),
        ("a\x0bb\x85c\u2028d\n".encode(), ["a\x0bb\x85c\u2028d"]),  # no other character ends a line
        (codecs.BOM_UTF8 + b"one\ntwo", ["one", "two"]),
        ("één\r\ntwo\n".encode("utf-16"), ["één", "two"]),
        (b"caf\xe9\n" + "café\n".encode(), ["café", "café"]),
    ],
)
def test_each_line_is_a_document(data, expected):
    assert pairs(lines, data) == [(None, line) for line in expected]


def test_lines_are_numbered_from_one():
    assert [document.name for document in documents(lines, b"a\n\nc")] == ["x:1", "x:2", "x:3"]


def test_a_line_leaves_before_the_next_has_come():
    to_come = [b"one\n", b"two\n"]

    class Slow(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            piece = to_come.pop(0)
            buffer[: len(piece)] = piece
            return len(piece)

    found = lines.read(io.BufferedReader(Slow()), "x", decode)
    assert next(found).parts[0][1] == "one"
    assert to_come == [b"two\n"]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("stream", [io.BytesIO, lambda data: io.BufferedReader(io.BytesIO(data))])
def test_binary_gives_no_document_at_all(reader, stream):
    with pytest.raises(DocumentError, match=r"^x: binary") as caught:
        next(reader.read(stream(PNG), "x", decode))
    assert caught.value.reason == "binary"


@pytest.mark.parametrize("reader", [lines, *RECORDS])
def test_a_line_too_large_is_not_read_to_its_end(reader, monkeypatch):
    monkeypatch.setattr("nbtext.readers._streams.LARGEST_BYTES", 10)
    found, error = ended(reader, b"a" * 100)
    assert (found, error.reason) == ([], "too large")


# jsonl


@pytest.mark.parametrize(
    ("line", "label", "expected"),
    [
        ('{"text": "lunch", "label": "ham"}', "ham", "lunch"),
        ('{"label": "not spam", "body": "lunch"}', "not spam", "lunch"),
        ('{"content": "lunch", "id": 7, "more": [1]}', None, "lunch"),
        ('{"content": "no", "text": "yes"}', None, "yes"),
        ('{"text": null, "body": "yes"}', None, "yes"),
        ('{"text": "", "label": ""}', None, ""),
        ('{"text": "a", "label": null}', None, "a"),
        ('{"text": "a", "label": 0}', "0", "a"),
        ('{"text": "a", "label": true}', "true", "a"),
        (r'{"text": "a\u0000b\ud83dc\ufffdd"}', None, "a b c d"),
        (r'{"text": "\ud83d\ude00", "label": "\udcff"}', " ", "😀"),
    ],
)
def test_a_json_object_is_a_document(line, label, expected):
    assert pairs(jsonl, line.encode()) == [(label, expected)]


def test_subject_and_title_are_parts_of_their_own():
    data = b'{"text": "at noon", "subject": "Lunch"}\n{"text": "b", "title": "A"}'
    assert [document.parts for document in documents(jsonl, data)] == [
        [("subject", "Lunch"), ("", "at noon")],
        [("title", "A"), ("", "b")],
    ]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("lunch at noon", "not JSON"),
        ('{"text": "a"', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("1" * 5000, "not JSON"),
        ('["a"]', "not a JSON object"),
        ("null", "not a JSON object"),
        ('{"label": "ham"}', "no field text, body or content among ['label']"),
        ('{"text": ["a"]}', "the field text is no string"),
        ('{"text": "a", "label": 1.5}', "the field label is no string"),
        ('{"text": "a", "subject": {}}', "the field subject is no string"),
    ],
)
def test_the_first_line_that_is_no_such_object_ends_the_reading(line, found):
    before, error = ended(jsonl, f'{{"text": "a"}}\n\n{line}\n{{"text": "b"}}'.encode())
    assert [document.name for document in before] == ["x:1"]
    assert str(error).startswith(f"x:3: {found}")
    assert error.reason == "damaged"
    assert str(error).endswith("; reading stopped here, mend or remove this record")


# csv


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"label,text\n", []),
        (b"label,text\nham,lunch\nspam,win", [("ham", "lunch"), ("spam", "win")]),
        (b"\n Text , LABEL \r\nlunch,ham\r\n\r\n", [("ham", "lunch")]),
        (codecs.BOM_UTF8 + b"label,text\nham,lunch\n", [("ham", "lunch")]),
        ("label,text\nham,één\n".encode("utf-16"), [("ham", "één")]),
        (b'label,text\nham,"one, ""two""\r\n\nthree"\n', [("ham", 'one, "two"\n\nthree')]),
        (b"text\nlunch\n", [(None, "lunch")]),
        (b"id,label,body\n7,,lunch\n", [(None, "lunch")]),
        (b"label,text\nham,lunch\rnoon\n", [("ham", "lunch noon")]),
        (b"label,text\nham,5' 3\" tall\n", [("ham", "5' 3\" tall")]),
        (b"label,text\nham," + b"a" * 200_000, [("ham", "a" * 200_000)]),
    ],
)
def test_a_row_below_the_header_is_a_document(data, expected):
    assert pairs(csv, data) == expected


def test_a_row_is_named_after_its_first_line():
    data = b'text,label\n"a\nb",ham\n\nc,spam\n'
    assert [document.name for document in documents(csv, data)] == ["x:2", "x:5"]


@pytest.mark.parametrize(
    ("data", "given_before", "message"),
    [
        (b"lunch,ham\nwin,spam\n", 0, "x:1: no field text, body or content among ['lunch', 'ham']"),
        (b"label;text\nham;lunch\n", 0, "x:1: no field text, body or content among ['label;text']"),
        (b"label,text\nham,a\nspam,a,b\n", 1, "x:3: 3 columns, not the 2 of the first row"),
        (b"label,text\nham\n", 0, "x:2: 1 columns, not the 2 of the first row"),
        (b'label,text\nham,a\nspam,"win\nham,b\n', 1, "x:3: not CSV (unexpected end of data)"),
        (b'label,text\nham,"a"b\n', 0, "x:2: not CSV ("),
    ],
)
def test_the_first_row_that_cannot_be_read_ends_the_reading(data, given_before, message):
    before, error = ended(csv, data)
    assert len(before) == given_before
    assert str(error).startswith(message)


# tsv

FOUR = b'ham\tok\nspam\t"win now\nham\tsee you\nspam\tcash"\n'


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (FOUR, [("ham", "ok"), ("spam", '"win now'), ("ham", "see you"), ("spam", 'cash"')]),
        (b"label\ttext\nham\tok", [("ham", "ok")]),
        (codecs.BOM_UTF8 + b"label\ttext\nham\tok", [("ham", "ok")]),
        (b"\n\tid\tText\tLabel\r\n1\t7\tok\tham\r\n", [("ham", "ok")]),
        (b"ham\tone\ttwo\n", [("ham", "one\ttwo")]),
        (b"not spam\tok\n\n \n\tno label\n", [("not spam", "ok"), (None, "no label")]),
        ("ham\téén\n".encode("utf-16"), [("ham", "één")]),
        (b"text\tlunch\n", [("text", "lunch")]),
    ],
)
def test_a_line_with_a_tab_is_a_document(data, expected):
    assert pairs(tsv, data) == expected


def test_a_line_without_a_tab_ends_the_reading():
    before, error = ended(tsv, b"ham\tok\nlunch\n")
    assert len(before) == 1
    assert str(error).startswith("x:2: 1 of 2 columns (label, text), separated by tabs")


# fasttext


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"__label__ham lunch at noon\r\n\n__label__spam win", [("ham", "lunch at noon"), ("spam", "win")]),
        (codecs.BOM_UTF8 + b"__label__ham lunch\n", [("ham", "lunch")]),
        (b"lunch __label__ham at noon\n", [("ham", "lunch at noon")]),
        (b"__label__ham __label__ham lunch\n", [("ham", "lunch")]),
        (b"__label__ham\n", [("ham", "")]),
        (b"__label__ lunch\n", [(None, "lunch")]),
        (b"lunch\n", [(None, "lunch")]),
    ],
)
def test_a_line_is_a_document_with_its_label_among_the_words(data, expected):
    assert pairs(fasttext, data) == expected


def test_a_line_of_two_labels_ends_the_reading():
    before, error = ended(fasttext, b"__label__a x\n__label__b __label__a y\n")
    assert len(before) == 1
    assert str(error).startswith("x:2: the labels ['a', 'b'], where a document has one")


# Properties

plain = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufffd\ufeff"))
rows = st.lists(st.tuples(plain.filter(str.strip), plain))


def as_jsonl(pairs):
    return "".join(json.dumps({"text": text, "label": label}) + "\n" for label, text in pairs)


def as_csv(pairs):
    out = io.StringIO()
    python_csv.writer(out).writerows([("label", "text"), *pairs])
    return out.getvalue()


def as_tsv(pairs):
    return "label\ttext\n" + "".join(f"{label}\t{text}\n" for label, text in pairs)


@pytest.mark.parametrize(("reader", "written"), [(jsonl, as_jsonl), (csv, as_csv), (tsv, as_tsv)])
@given(rows=rows)
def test_what_is_written_is_read(reader, written, rows):
    assert pairs(reader, written(rows).encode()) == rows
    assert pairs(reader, written(rows).encode("utf-16")) == rows


@pytest.mark.parametrize("reader", READERS)
@given(data=st.binary() | st.text('{}[]",:\\u0d8atex\t\r\nlbody_ ').map(str.encode))
def test_any_bytes_give_documents_or_a_document_error(reader, data):
    for start in (b"", b"label,text\n", b"label\ttext\n", b'{"text": "', codecs.BOM_UTF16_LE):
        found, error = outcome(reader, start + data)
        assert re.fullmatch(r"(x(:\d+)?: .+)?", error)  # one line that begins with the place
        for document in found:
            "".join([document.label or "", *(part for _, part in document.parts)]).encode()
