"""Odd tables: columns that cannot be told, other columns further on, line ends in cells, very many columns."""

import json
from collections.abc import Sequence
from io import BytesIO

import pytest

from nbtext.corpus.columns import Table, with_attributes
from nbtext.decoding import Decoder
from nbtext.fields import Fields
from nbtext.readers import csv

from .corpus.test_columns import HEADER, ROWS
from .timing import seconds

UNKNOWN = "queue\tproblem\nbilling\tcharged twice\nshipping\tparcel lost\nbilling\twrong invoice\n"


@pytest.mark.parametrize(
    ("content", "said", "options"),
    [
        (UNKNOWN, "t.tsv:1: this looks like a header (if it is not, add --no-header);", "--text problem --label queue"),
        (UNKNOWN.replace("queue\tproblem", "queue\ttext"), "t.tsv:1: this looks like", "--text text --label queue"),
        (
            "id\tqueue\tproblem\n1\tbilling\tcharged twice\n2\tshipping\tparcel lost\n3\tbilling\twrong invoice\n",
            "t.tsv:1: 3 columns without known names; the columns are id, queue, problem;",
            "--text problem --label queue",
        ),
        (
            "1\tbilling\tcharged twice\n2\tshipping\tparcel lost\n3\tbilling\twrong invoice\n",
            "t.tsv:1: 3 columns without known names; the first row looks like a record, not a header;",
            "--no-header --text 3 --label 2",
        ),
    ],
)  # fmt: skip
def test_tabs_without_known_columns_are_refused_with_the_command_that_works(run, tmp_path, content, said, options):
    (tmp_path / "t.tsv").write_text(content)
    refused = run("train", "t.tsv")
    assert refused.status == 3
    assert f"nbtext: {said}" in refused.err
    assert f"name columns by number, as in {options}" in refused.err or f"name them, as in {options}" in refused.err
    assert f"try: nbtext train t.tsv --reader tsv {options}\n" in refused.err
    assert not (tmp_path / "model.nbtext").exists()
    trained = run("train", "t.tsv", *options.split())
    assert [line.split()[:2] for line in trained.out.splitlines()[1:3]] == [["billing", "2"], ["shipping", "1"]]


def test_two_columns_without_a_header_are_label_and_text_and_the_summary_says_so(run, tmp_path):
    (tmp_path / "t.tsv").write_text(UNKNOWN.partition("\n")[2])
    assert "columns: text=text label=label (label TAB text, no header)\n" in run("train", "t.tsv").out
    assert run("classify", stdin="parcel").out.startswith("shipping\t")
    assert run("classify", "--to", "tsv", "t.tsv").out.splitlines()[0].startswith("billing\tcharged twice\tbilling\t0.")


MODEL = '{"id": 1, "text": "lunch", "label": "ham"}\n{"id": 2, "text": "win", "label": "spam"}\n'


@pytest.mark.parametrize("format", ["csv", "tsv"])
def test_what_the_first_record_has_no_column_for_is_refused_alone(run, tmp_path, format):  # noqa: A002
    (tmp_path / "t.jsonl").write_text(MODEL)
    (tmp_path / "u.jsonl").write_text('{"text": "lunch"}\n{"text": "win", "note": "x"}\n{"text": "lunch"}\n')
    (tmp_path / "letter.txt").write_text("win")
    run("train", "t.jsonl")
    found = run("classify", "--to", format, "u.jsonl", "letter.txt")
    assert found.status == 3
    assert found.err.splitlines() == [
        "nbtext: u.jsonl:2: 'note' is no column of the first record, so not written into the table; "
        "--to jsonl writes all",
        "nbtext: letter.txt: no record, so not written into the table; --to jsonl writes all",
    ]
    assert len(found.out.splitlines()) == 3
    assert run("classify", "--to", "jsonl", "u.jsonl", "letter.txt").status == 0


def test_a_second_table_may_have_its_columns_in_another_order_but_no_others(run, tmp_path):
    (tmp_path / "t.jsonl").write_text(MODEL)
    for name, content in {"a": "id,text\n1,lunch\n", "b": "text,id\nwin,2\n", "c": "text,x\nwin,3\n"}.items():
        (tmp_path / f"{name}.csv").write_text(content)
    run("train", "t.jsonl")
    found = run("classify", "--to", "csv", "a.csv", "b.csv", "c.csv")
    assert [line.split(",")[:3] for line in found.out.splitlines()] == [
        ["id", "text", "label"], ["1", "lunch", "ham"], ["2", "win", "spam"],
    ]  # fmt: skip
    assert (found.status, found.err.count("\n")) == (3, 1)
    assert "c.csv:2: 'x' is no column of the first record" in found.err


def test_columns_of_one_name_are_all_written(run, tmp_path):
    (tmp_path / "t.csv").write_text("label,text,note,note\nham,lunch,a,b\nspam,win,c,d\n")
    run("train", "t.csv")
    assert run("classify", "--to", "csv", "t.csv").out.splitlines()[1].startswith("ham,lunch,a,b,ham,")
    first = json.loads(run("classify", "--to", "jsonl", "t.csv").out.splitlines()[0])
    assert (first["note"], first["note_2"]) == ("a", "b")


def test_carriage_returns_in_cells_come_out_as_they_went_in(run, tmp_path):
    (tmp_path / "t.csv").write_bytes(b'label,text\r\nham,"at\r\nnoon\rlunch"\r\nspam,win\rcash\r\n')
    assert run("train", "t.csv").status == 0
    written = run("classify", "--to", "csv", "t.csv")
    assert written.out.startswith('label,text,nbtext_label,nbtext_posterior\nham,"at\r\nnoon\rlunch",ham,0.')
    assert '\nspam,"win\rcash",spam,0.' in written.out
    first = json.loads(run("classify", "--to", "jsonl", "t.csv").out.splitlines()[0])
    assert first["text"] == "at\r\nnoon\rlunch"


def test_plain_text_from_a_pipe_is_a_document_for_a_model_of_a_table_without_header_too(run, tmp_path):
    (tmp_path / "t.csv").write_text(ROWS)
    assert run("train", "t.csv", "--no-header", "--text", "4", "--label", "2", "--id", "1").status == 0
    for text in ("my parcel is lost", "Hello, my parcel, which you sent, is lost\n", "parcel\nlost; where; is; it?\n"):
        answered = run("classify", stdin=text)
        assert [line.split("\t")[::2] for line in answered.out.splitlines()] == [["shipping", "-"]]
        (tmp_path / "letter").write_text(text)
        assert run("classify", "letter").out.endswith("\tletter\n")
    rows = run("classify", stdin=ROWS)
    assert [line.split("\t")[2] for line in rows.out.splitlines()] == ["T-1", "T-2", "T-3"]
    assert run("classify", "--reader", "csv", stdin="my parcel is lost").status == 3


@pytest.mark.parametrize("command", ["train", "check", "evaluate"])
@pytest.mark.parametrize(("delimiter", "as_typed"), [(";", "';'"), ("\t", "tab"), ("|", "'|'")])
def test_a_wrong_delimiter_is_told_the_right_one(run, tmp_path, command, delimiter, as_typed):
    (tmp_path / "t.csv").write_text((HEADER + ROWS).replace(";", delimiter))
    refused = run(command, "t.csv", "--delimiter", ",", "--text", "Beschreibung", "--label", "Queue")
    assert refused.status == 3
    assert "nbtext: t.csv:1: no column Queue; there is one column, 'ticket" in refused.err
    end = f"if ',' separates columns; --delimiter {as_typed} would make 4: Ticket, Queue, Betreff, Beschreibung"
    assert end in refused.err


def test_a_table_without_tabs_is_no_tsv(run, tmp_path):
    (tmp_path / "t.tsv").write_text("label,text\nham,lunch\nspam,win\n")
    refused = run("train", "t.tsv")
    assert (
        "t.tsv:1: there is one column, 'label,text', if tab separates columns; --delimiter ',' would make 2"
        in refused.err
    )
    assert run("train", "t.tsv", "--delimiter", ",").status == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--text", "x", "--label", "X"], "--text and --label both name the column X; a column can have only one use"),
        (["--text", "x", "--id", "x"], "--text and --id both name the column x; a column can have only one use"),
        (["--category", "x", "--number", "x"], "--category and --number both name the column x; a column can"),
        (["--text", "x", "--text", "x"], "--text names twice the column x; a column can have only one use"),
    ],
)
@pytest.mark.parametrize("command", ["train", "check", "evaluate"])
def test_a_column_that_is_named_for_two_things_is_refused(run, tmp_path, command, options, said):
    (tmp_path / "t.csv").write_text("x,y\na,b\n")
    refused = run(command, "t.csv", *options)
    assert (refused.status, refused.err.startswith(f"nbtext: {said}")) == (2, True)


@pytest.mark.parametrize("command", ["check", "evaluate"])
def test_other_commands_give_the_same_advice_about_columns_as_train(run, tmp_path, command):
    (tmp_path / "tickets.csv").write_text(HEADER + ROWS)
    advice = "try: nbtext {} tickets.csv --reader csv --text beschreibung --label queue\n"
    named = "tickets.csv:1: cannot tell which column is the text; the columns are ticket, queue, betreff"
    for each in ("train", command):
        refused = run(each, "tickets.csv")
        assert refused.status == 3
        assert named in refused.err
        assert advice.format(each) in refused.err
    assert "try:" not in run("train", "tickets.csv", "--text", "Queue", "--label", "Betreff", "--strict").err


def test_a_single_class_is_no_matter_of_columns(run, tmp_path):
    (tmp_path / "t.csv").write_text("label,text\na,lunch\na,noon\n")
    assert "try:" not in run("train", "t.csv").err


def read_columns(count: int) -> None:
    """Find what the columns of a table are, and read its rows."""
    names = ["label", "text", *(f"c{n}" for n in range(count))]
    rows: list[Sequence[str]] = [["ab"[n % 2], "lunch", *[str(n % 3)] * count] for n in range(12)]
    table = "\n".join(",".join(row) for row in [names, *rows]).encode()
    fields = with_attributes(Table(names, rows), Fields())
    assert len(fields.category) == count
    assert len(list(csv.read(BytesIO(table), "t.csv", Decoder(), fields))) == 12


def test_time_is_in_proportion_to_the_number_of_columns():
    few, many = (seconds(read_columns, count, times=3) for count in (1000, 10_000))
    assert many < 25 * few  # ten times as much; were each column looked for among all, a hundred times


def test_a_record_of_json_from_a_pipe_is_one_for_a_model_of_any_table(run, tmp_path):
    (tmp_path / "t.csv").write_text(HEADER + ROWS)
    run("train", "t.csv", "--text", "Beschreibung", "--label", "Queue", "--id", "Ticket")
    record = '{"Ticket": "T-9", "Betreff": "invoice refund charged", "Beschreibung": "parcel"}\n'
    assert run("classify", stdin=record * 2).out.count("\tT-9\n") == 2
    assert run("tokens", stdin=record).out == run("tokens", stdin="parcel").out
    assert run("classify", stdin='{"no": "object\n').out.endswith("\t-\n")


def test_a_column_with_a_likely_name_is_proposed_as_the_label(run, tmp_path):
    (tmp_path / "t.csv").write_text("id,body,vip,team\n1,charged twice,no,a\n2,parcel lost,no,b\n3,hello,yes,c\n")
    assert "try: nbtext train t.csv --reader csv --text body --label team\n" in run("train", "t.csv").err
