"""The readers: what a document is in each format, and that a broken record is skipped alone."""

import codecs
import csv as python_csv
import io
import json
import re
import tracemalloc
from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.decoding import READ, Decoder, Limits, decoder
from nbtext.errors import DocumentError
from nbtext.readers import Document, csv, fasttext, jsonl, lines, text, tsv

from ..timing import seconds

READERS = [text, lines, jsonl, csv, tsv, fasttext]
RECORDS = [jsonl, csv, tsv, fasttext]
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
MARKS = [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE]
decode = decoder()


def documents(reader, data):
    return list(reader.read(io.BytesIO(data), "x", decode))


def pairs(reader, data):
    """(label, text) of each document of one part."""
    found = documents(reader, data)
    assert all([tag for tag, _ in document.parts] == [""] for document in found)
    return [(document.label, document.parts[0][1]) for document in found]


def texts(found):
    """The text of each document of one part."""
    return [document.parts[0][1] for document in found]


def told(reader, data, limits=Limits()):
    """The name of each document, and the reason and message of each record that was skipped, in order."""
    found = reader.read(io.BytesIO(data), "x", Decoder(limits=limits))
    return [item.name if isinstance(item, Document) else (item.reason, item.message) for item in found]


def refused(reader, data, limits=Limits()):
    """The error that ends the reading."""
    with pytest.raises(DocumentError) as caught:
        told(reader, data, limits)
    return caught.value


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
    monkeypatch.setattr("nbtext.readers._streams.STEP_BYTES", 4)
    limited = Decoder(limits=Limits(document_bytes=10))
    stream = Counting(b"a" * 1000)
    with pytest.raises(DocumentError, match=r"^x: a document of over 10 bytes") as caught:
        list(text.read(stream, "x", limited))
    assert (caught.value.reason, stream.taken) == ("too large", 12)
    assert next(text.read(io.BytesIO(b"a" * 10), "x", limited)).parts == (("", "a" * 10),)


@pytest.mark.parametrize(
    ("data", "is_text"),
    [
        (b"win cash now\0", True),
        (b"red\0apple", True),
        (b"word " * 2000 + b"\0" + b"word " * 2000, True),
        (PNG, False),
        (b"word " * 2000 + PNG * 100, False),
    ],
)
def test_a_text_is_binary_by_the_share_of_its_bytes_wherever_they_are(data, is_text):
    if is_text:
        assert documents(text, data)[0].parts[0][1] == data.decode()
    else:
        assert refused(text, data).reason == "binary"


def test_binary_data_are_read_if_that_is_asked_for():
    for reader in (text, lines):
        assert told(reader, PNG.replace(b"\n", b" "), Limits(binary=READ)) in (["x"], ["x:1"])


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
    assert texts([next(found)]) == ["one"]
    assert to_come == [b"two\n"]


def test_a_binary_line_is_skipped_alone():
    assert pairs(lines, b"red\0apple\nblue\n") == [(None, "red\0apple"), (None, "blue")]
    first, second, third = told(lines, b"red\n" + PNG.replace(b"\n", b"") + b"\nblue\n")
    assert (first, third) == ("x:1", "x:3")
    assert second[0] == "binary"
    assert second[1].startswith("x:2: binary, not text")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("reader", [lines, jsonl, tsv, fasttext])
def test_a_line_too_large_is_skipped_alone_and_not_kept(reader, encoding):
    data = ("ham\tred\n" + "a" * 3_000_000 + "\nspam\tblue\n").encode(encoding)
    _, (reason, message), _ = told(reader, data, Limits(document_bytes=100))
    assert (reason, message[:35]) == ("too large", "x:2: a document of over 100 bytes; ")


def test_lines_in_utf_16_and_utf_32_leave_as_they_come():
    for encoding in ("utf-16", "utf-32"):
        to_come = ["one\n".encode(encoding), "two\n".encode(f"{encoding}-le")]

        class Slow(io.RawIOBase):
            def readable(self):
                return True

            def readinto(self, buffer, to_come=to_come):
                piece = to_come.pop(0) if to_come else b""
                buffer[: len(piece)] = piece
                return len(piece)

        found = lines.read(io.BufferedReader(Slow()), "x", decode)
        assert texts([next(found)]) == ["one"]
        assert len(to_come) == 1
        assert texts([next(found)]) == ["two"]


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
        ('{"text": "a", "label": ["ham"]}', "ham", "a"),
        ('{"text": "a", "label": [1]}', "1", "a"),
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
        ('{"text": "a", "label": ["ham", "spam"]}', "the field label is not a label"),
        ('{"text": "a", "label": [["ham"]]}', "the field label is not a label"),
        ("null", "not a JSON object"),
        ('{"label": "ham"}', "no field has the text; the columns are label;"),
        ('{"text": ["a"]}', "the field text is not a string"),
        ('{"text": "a", "label": 1.5}', "the field label is not a label"),
        ('{"text": "a", "subject": {}}', "the field subject is not a string"),
    ],
)
def test_a_line_that_is_no_such_object_is_skipped_alone(line, found):
    first, (reason, message), last = told(jsonl, f'{{"text": "a"}}\n\n{line}\n{{"text": "b"}}'.encode())
    assert (first, reason, last) == ("x:1", "damaged", "x:4")
    assert message.startswith(f"x:3: {found}")
    assert message.endswith("; fix or remove this record")


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_an_array_of_objects_is_read_too(indent, encoding):
    records = [{"text": 'a, [b] {c} \\ "d"', "label": "x"}, {"id": [1, [2]], "text": "", "more": {}}, {"text": "e\nf"}]
    data = json.dumps(records, indent=indent).encode(encoding)
    assert pairs(jsonl, data) == [("x", 'a, [b] {c} \\ "d"'), (None, ""), (None, "e\nf")]
    assert [document.name for document in documents(jsonl, data)] == ["x:1", "x:2", "x:3"]


@pytest.mark.parametrize("data", [b"[]", b" [ \n ] \n", b"\n[\n]"])
def test_an_empty_array_has_no_documents(data):
    assert told(jsonl, data) == []


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'[{"text": "a"}, 7, {"text": "b"},]', ["x:1", "x:2: not a JSON object", "x:3"]),
        (b'[{"text": "a"},\n{"text": b},\n{"text": "c"}]', ["x:1", "x:2: not JSON", "x:3"]),
        (b'[{"text": "a"}, {"text": "b"', ["x:1", "x:2: the array ends early"]),
        (b'[{"text": "a"}, {"text": "b"}', ["x:1", "x:2: the array ends early"]),
        (b'[{"text": "a"}]\n{"text": "b"}', ["x:1", "x: something follows the end of the array"]),
        (b'[{"text": "a"}, {"text": "' + b"b" * 500 + b'"}, {"text": "c"}]', ["x:1: a document of over"]),
        (
            b'[{"text": "a"},\n{"text":\n "' + b"b" * 90 + b'",\n"id": "2345"},\n{"text": "c"}]',
            ["x:1", "x:2: a document of over", "x:3"],
        ),
    ],
)  # fmt: skip
def test_what_is_broken_in_an_array_is_skipped_alone(data, expected):
    found = told(jsonl, data, Limits(document_bytes=100))
    assert len(found) == len(expected)
    for item, start in zip(found, expected, strict=True):
        assert (item if isinstance(item, str) else item[1]).startswith(start)


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
        (b'label,text\nham,"one, ""two""\r\n\nthree"\n', [("ham", 'one, "two"\r\n\nthree')]),
        (b"text\nlunch\n", [(None, "lunch")]),
        (b"id,label,body\n7,,lunch\n", [(None, "lunch")]),
        (b"label,text\nham,lunch\rnoon\n", [("ham", "lunch\rnoon")]),
        (b"label,text\nham,5' 3\" tall\n", [("ham", "5' 3\" tall")]),
        (b"label,text\nham," + b"a" * 200_000, [("ham", "a" * 200_000)]),
        (b"label;text\nham;one, two\nspam;win", [("ham", "one, two"), ("spam", "win")]),
        (b"sep=,\nlabel,text\nham,one; two\n", [("ham", "one; two")]),
        (b"SEP=;\r\nlabel;text\r\nham;lunch\r\n", [("ham", "lunch")]),
        (codecs.BOM_UTF8 + b"sep=|\nlabel|text\nham|lunch\n", [("ham", "lunch")]),
        (b'label\ttext\nham\t"lunch\tat noon"\n', [("ham", "lunch\tat noon")]),
        (b"label|text\nham|lunch\n", [("ham", "lunch")]),
        (b"label,text,,\nham,lunch,,\n", [("ham", "lunch")]),
    ],
)
def test_a_row_below_the_header_is_a_document(data, expected):
    assert pairs(csv, data) == expected


def test_a_row_is_named_after_its_first_line():
    data = b'text,label\n"a\nb",ham\n\nc,spam\n'
    assert [document.name for document in documents(csv, data)] == ["x:2", "x:5"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b"lunch,ham\nwin,spam\n",
            "x:1: cannot tell which column is the text; the columns are lunch, ham; name them, as in --text",
        ),
        (b"win now\n", "x:1: the first row, 'win now', should name the columns, as in label,text; "),
        (b"label,text,text\nham,a,b\n", "x:1: 2 columns are named text; rename the others"),
        (b"label,text,Label\nham,a,b\n", "x:1: 2 columns are named label; rename the others"),
    ],
)
def test_a_table_without_a_column_of_text_is_refused_and_what_to_do_is_said(data, message):
    error = refused(csv, data)
    assert (error.reason, str(error)[: len(message)]) == ("damaged", message)
    if "no column" in message:
        assert str(error).endswith(
            "; the first row names the columns, as in label,text; plain text needs --reader text"
        )


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (b"ham,a\nspam,a,b\nham,c", ["x:2", "x:3: 3 columns, not the 2 of the first row", "x:4"]),
        (b"ham\nham,c", ["x:2: 1 columns, not the 2 of the first row", "x:3"]),
        (b'ham,"a"b\nham,c', ["x:2: not CSV (", "x:3"]),
        (b'ham,a\nspam,"win\nham,b\nham,c', ["x:2", "x:3: not CSV (unexpected end of data)", "x:4", "x:5"]),
        (b'spam,"win\nham,"b"\nham,c', ["x:2: not CSV (", "x:3", "x:4"]),
        (b'ham,"a\n' + PNG.replace(b"\n", b"") + b'\nb"\nham,c', ["x:3: binary", "x:2: not CSV (", "x:4", "x:5"]),
    ],
)
def test_a_row_that_is_broken_is_skipped_and_the_next_line_begins_another(rows, expected):
    found = told(csv, b"label,text\n" + rows, Limits(document_bytes=200))
    for item, start in zip(found, expected, strict=True):
        assert (item if isinstance(item, str) else item[1]).startswith(start)


def test_a_row_too_large_ends_where_a_line_begins_another():
    data = b'text\nfirst\n"' + b"many lines\n" * 30 + b'"\nlast\n'
    first, (reason, message), *_, last = told(csv, data, Limits(document_bytes=200))
    assert (first, reason, last) == ("x:2", "damaged", "x:34")
    assert message.startswith("x:3: not CSV (a row of over 200 characters)")


def test_a_first_line_that_is_long_is_no_column_of_text():
    assert len(str(refused(csv, b"word " * 100_000))) < 250


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
        (b"ham\tok\nham\tone\ttwo\n", [("ham", "ok"), ("ham", "one\ttwo")]),
        (b"not spam\tok\n\n \n\tno label\n", [("not spam", "ok"), (None, "no label")]),
        ("ham\téén\n".encode("utf-16"), [("ham", "één")]),
        (b"text\tlunch\n", [("text", "lunch")]),
        ("ham\téén\n".encode("utf-32"), [("ham", "één")]),
    ],
)
def test_a_line_with_a_tab_is_a_document(data, expected):
    assert pairs(tsv, data) == expected


def test_a_line_without_a_tab_is_skipped_alone():
    first, (reason, message), last = told(tsv, b"ham\tok\nlunch\nspam\twin\n")
    assert (first, reason, last) == ("x:1", "damaged", "x:3")
    assert message == "x:2: 1 of 2 columns (label, text), separated by tabs; fix or remove this record"


def test_a_header_that_names_a_column_twice_is_refused():
    assert str(refused(tsv, b"label\ttext\ttext\nham\ta\tb\n")) == "x:1: 2 columns are named text; rename the others"


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
        ("__label__San\u00a0Jose win\tcash\n".encode(), [("San\u00a0Jose", "win cash")]),  # ends at ASCII blanks only
        (b"lunch\n", [(None, "lunch")]),
    ],
)
def test_a_line_is_a_document_with_its_label_among_the_words(data, expected):
    assert pairs(fasttext, data) == expected


def test_a_line_of_two_labels_is_skipped_alone():
    first, (reason, message), last = told(fasttext, b"__label__a x\n__label__b __label__a y\n__label__b z")
    assert (first, reason, last) == ("x:1", "damaged", "x:3")
    assert message.startswith("x:2: the labels ['a', 'b']; a document has only one")


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
def test_any_bytes_give_documents_skipped_records_or_a_document_error(reader, data):
    for start in (b"", b"label,text\n", b"label\ttext\n", b'{"text": "', b"[", *MARKS):
        for item in _all(reader, start + data, Decoder(limits=Limits(document_bytes=20))):
            if isinstance(item, Document):
                "".join([item.label or "", *(part for _, part in item.parts)]).encode()
            else:
                assert re.fullmatch(r"x(:\d+)?: .+", item)  # one line that begins with the place


# Time and memory

N = 20_000
GROWING = {
    "one line": (text, b"word " * 20 * N),
    "one line of records": (jsonl, b'{"text": "' + b"word " * 20 * N + b'"}'),
    "lines": (lines, b"word\n" * N),
    "NULs": (lines, b"a\0\n" * N),
    "an array": (jsonl, b'[{"text": "a"}' + b', {"text": "a"}' * N + b"]"),
    "an array of lines": (jsonl, b'[{"text": "a"}' + b',\n{"text": "a"}' * N + b"]"),
    "an array never closed": (jsonl, b"[" * N),
    "quotation marks without end": (jsonl, b'["' + b'\\"' * N),
    "rows": (csv, b"label,text\n" + b'a,"b ""c"""\n' * N),
    "rows never closed": (csv, b"label,text\n" + b'a","\n' * N),
    "a row never closed": (csv, b'label,text\na,"' + b"b\n" * N),
    "rows of many columns": (csv, b"label,text\n" + b"," * N),
    "tabs": (tsv, b"label\ttext\n" + b"\t" * N),
    "labels": (fasttext, b"__label__a " * N),
}


@pytest.mark.parametrize("name", GROWING)
def test_time_grows_no_faster_than_the_input(name):
    """Eight times the size takes about eight times as long; where time is quadratic, sixty-four times."""
    reader, whole = GROWING[name]
    part, all_of_it = (seconds(_read, reader, data, times=3) for data in (whole[: len(whole) // 8], whole))
    assert all_of_it < max(0.002, 20 * part)


def _read(reader, data):
    deque(_all(reader, data), 0)


def _all(reader, data, decode=decode):
    """The documents, and the messages of what was skipped, and of the error that ended the reading."""
    try:
        for item in reader.read(io.BytesIO(data), "x", decode):
            yield item if isinstance(item, Document) else item.message
    except DocumentError as error:
        yield str(error)


@pytest.mark.parametrize(("reader", "times"), [(text, 3), (lines, 4), (tsv, 5), (csv, 12)])  # csv counts in UCS-4
def test_a_document_takes_a_few_times_the_memory_of_its_bytes(reader, times):
    size = 20_000_000
    stream = io.BufferedReader(io.BytesIO(b"text\tlabel\n" + b"a" * size))
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for _ in reader.read(stream, "x", decode):
        pass
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most - before < times * size
