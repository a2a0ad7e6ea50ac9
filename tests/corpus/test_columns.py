"""Tables as people have them, from the file to answers that join: columns by name, records written back."""

import gzip
import json
from pathlib import Path

import pytest

HEADER = "Ticket;Queue;Betreff;Beschreibung\n"
ROWS = (
    'T-1;billing;Frage;"invoice; twice\ncharged"\nT-2;shipping;Hilfe;parcel lost\n'
    "T-3;billing;Frage;refund the invoice\n"
)
NAMED = "--text", "Beschreibung", "--label", "Queue", "--id", "Ticket"


@pytest.fixture
def tickets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tickets.csv").write_text(HEADER + ROWS)
    return tmp_path / "tickets.csv"


def test_a_table_whose_columns_cannot_be_told_is_refused_with_the_command_that_works(tickets, run):
    refused = run("train", "tickets.csv")
    assert refused.status == 3
    assert "the columns are ticket, queue, betreff, beschreibung" in refused.err
    assert "try: nbtext train tickets.csv --reader csv --text beschreibung --label queue\n" in refused.err
    assert run("train", "tickets.csv", "--reader", "csv", "--text", "beschreibung", "--label", "queue").status == 0


def test_columns_are_named_once_and_remembered(tickets, run):
    trained = run("train", "tickets.csv", *NAMED)
    assert "columns: text=beschreibung label=queue id=ticket\n" in trained.out
    assert [line.split("\t")[::2] for line in run("classify", "tickets.csv").out.splitlines()] == [
        ["billing", "T-1"],
        ["shipping", "T-2"],
        ["billing", "T-3"],
    ]
    assert json.loads(run("classify", "--json", "tickets.csv").out.splitlines()[1])["id"] == "T-2"
    assert run("classify", stdin="my parcel").out.startswith("shipping\t")


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("t.csv", (HEADER + ROWS).replace(";", "|").encode(), NAMED),
        ("t.csv", f"sep=;\n{HEADER}{ROWS}".encode(), NAMED),
        ("t.csv", (HEADER + ROWS).encode("utf-16"), NAMED),
        ("t.csv", (HEADER + ROWS).encode("utf-32"), NAMED),
        ("t.csv", (HEADER + ROWS).encode("utf-8-sig"), NAMED),
        ("t.csv", gzip.compress((HEADER + ROWS).encode()), NAMED),
        ("t.csv", ROWS.encode(), ("--no-header", "--text", "4", "--label", "2", "--id", "1")),
        ("t.txt", (HEADER + ROWS).replace(";", ":").encode(), ("--reader", "csv", "--delimiter", ":", *NAMED)),
        (
            "t.tsv",
            b"Ticket\tQueue\tBeschreibung\nT-1\tbilling\tcharged\nT-2\tshipping\tlost\nT-3\tbilling\tpay\n",
            NAMED,
        ),
        (
            "t.jsonl",
            b'{"t": {"id": 1, "q": "billing"}, "b": "charged"}\n{"t": {"q": "shipping"}, "b": "lost"}\n'
            b'{"t": {"q": "billing"}, "b": "pay"}',
            ("--text", "b", "--label", "t.q", "--id", "t.id"),
        ),
        (
            "t.json",
            b'[{"q": "billing", "b": "charged"}, {"q": "shipping", "b": "lost"},\n {"q": ["billing"], "b": "pay"}]',
            ("--text", "b", "--label", "q"),
        ),
    ],
)
def test_any_table_is_read_by_the_names_of_its_columns(run, tmp_path, monkeypatch, name, content, options):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content)
    out = run("train", name, *options).out.splitlines()
    assert [line.split()[:2] for line in out[1:4]] == [["billing", "2"], ["shipping", "1"], ["total", "3"]]


def test_of_several_columns_of_text_each_is_told_apart(tickets, run):
    run("train", "tickets.csv", *NAMED, "--text", "betreff")
    assert run("show", "--word", "Frage").out.splitlines()[1].split()[2] == "0"
    tokens = run("tokens", "tickets.csv").out.splitlines()
    assert tokens[0] == "beschreibung:invoice\tbilling=2"
    assert "betreff:frage\tbilling=2" in tokens


def test_records_are_written_back_with_their_answers(tickets, run):
    run("train", "tickets.csv", *NAMED)
    assert run("classify", "--to", "csv", "tickets.csv").out.startswith(
        'Ticket;Queue;Betreff;Beschreibung;label;posterior\nT-1;billing;Frage;"invoice; twice\ncharged";billing;0.'
    )
    first = json.loads(run("classify", "--to", "jsonl", "tickets.csv").out.splitlines()[0])
    assert first["Beschreibung"] == "invoice; twice\ncharged"
    assert run("classify", "--to", "tsv", "tickets.csv").out.splitlines()[2].split("\t")[:5] == [
        "T-2", "shipping", "Hilfe", "parcel lost", "shipping"
    ]  # fmt: skip


def test_json_is_written_back_as_it_was(corpus, run):
    record = '{"label": "x", "n": 1.50, "text": "lunch"}'
    corpus({"t.jsonl": '{"text": "lunch", "label": "ham"}\n{"text": "win", "label": "spam"}\n'})
    run("train", "corpus/t.jsonl")
    assert run("classify", "--to", "jsonl", stdin=record + "\n").out == (
        f'{record[:-1]}, "nbtext_label": "ham", "nbtext_posterior": 0.666667}}\n'
    )


def test_of_many_broken_records_the_first_three_are_named(corpus, run):
    corpus({"t.jsonl": '{"text": "lunch", "label": "ham"}\n{"text": "win", "label": "spam"}\n' + "{\n" * 9})
    complaints = run("train", "corpus/t.jsonl").err.splitlines()
    assert len(complaints) == 4
    assert complaints[3] == "nbtext: corpus/t.jsonl: 6 more records skipped, damaged"


def test_a_field_that_is_twice_in_an_object_inside_is_refused(corpus, run):
    once, twice = '{"from": {"name": "Ann"}, "tags": [{"n": 1}]', '{"from": {"name": "Ann", "name": "Bob"}'
    corpus({"t.jsonl": "".join(f'{start}, "text": "{{\\"k\\": 1}}", "label": "a"}}\n' for start in (once, twice))})
    said = run("train", "corpus/t.jsonl", "--allow-single-class")
    assert "corpus/t.jsonl:2: two fields are named name" in said.err
    assert "t.jsonl:1" not in said.err


def test_a_field_that_is_twice_in_an_object_is_refused(corpus, run):
    corpus({"t.jsonl": '{"text": "a", "text": "b", "label": "ham"}\n'})
    assert "two fields are named text" in run("train", "corpus/t.jsonl").err


def test_text_without_columns_is_taken_for_the_last_column_of_text(tickets, run, tmp_path):
    """From a pipe, as lines, and from a file whose first line is no header; a table is read as one by any name."""
    run("train", "tickets.csv", "--text", "Betreff", *NAMED)
    tokens = run("tokens", stdin="my parcel").out.splitlines()
    assert [line.split("\t")[0] for line in tokens] == ["beschreibung:my", "beschreibung:parcel"]
    lines = run("classify", "--lines", stdin="my parcel\nthe invoice\n").out.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["shipping", "billing"]
    (tmp_path / "letter").write_text("my parcel\nwas lost\n")
    (tmp_path / "table").write_text(HEADER + ROWS)
    assert run("classify", "letter").out.startswith("shipping\t")
    assert [line.split("\t")[2] for line in run("classify", "table").out.splitlines()] == ["T-1", "T-2", "T-3"]


def test_predictions_and_suspects_can_be_joined_and_read(corpus, run):
    rows = "".join(f"{n},lunch at noon {n},ham\n{n + 20},win cash {n},spam\n" for n in range(1, 21))
    corpus({"t.csv": f"id,text,label\n{rows}99,win more cash,ham\n"})
    shown = run("evaluate", "corpus/t.csv", "--suspects", "1", "--predictions", "p.csv").out
    [line] = [line for line in shown.splitlines() if "t.csv:42" in line]
    assert line.endswith("corpus/t.csv:42  win more cash")
    lines = Path("p.csv").read_text().splitlines()
    assert lines[0] == "id,truth,answer,posterior"
    assert len(lines) == 42
    assert any(line.startswith("99,ham,spam,0.") for line in lines)
    run("evaluate", "corpus/t.csv", "--predictions", "p.jsonl")
    assert json.loads(Path("p.jsonl").read_text().splitlines()[0]).keys() == {"id", "truth", "answer", "posterior"}


def test_a_large_file_of_records_is_shared_out_and_an_array_is_not(corpus, run, monkeypatch):
    monkeypatch.setattr("nbtext.corpus.ranges.RANGE_BYTES", 100)
    lines = [json.dumps({"id": n, "text": "lunch" if n % 3 else "win: now"}) for n in range(400)]
    corpus({"t.jsonl": "".join(f"{line}\n" for line in lines), "t.json": f"[{','.join(lines)}]"})
    corpus({"train.jsonl": '{"text": "lunch", "label": "ham"}\n{"text": "win", "label": "spam"}\n'})
    run("train", "corpus/train.jsonl", "--id", "id")
    answers = run("classify", "corpus/t.jsonl").out
    assert [line.split("\t")[2] for line in answers.splitlines()] == list(map(str, range(400)))
    assert answers == run("classify", "corpus/t.json").out
    assert answers.count("spam") == 134


def test_a_first_row_that_looks_like_a_record_is_taken_for_one_in_the_advice(corpus, run):
    corpus({"t.csv": "I love this sandwich,pos\nI do not like it,neg\nwe like it,pos\n"})
    refused = run("train", "corpus/t.csv").err
    assert "try: nbtext train corpus/t.csv --reader csv --no-header --text 1 --label 2\n" in refused
    assert run("train", "corpus/t.csv", "--text", "1", "--label", "2", "--no-header").status == 0


def test_a_column_with_a_usual_name_of_labels_is_the_label_whatever_the_others_look_like(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("nt.csv").write_text("label,k,n\nx,p,1\nx,p,2\ny,q,5\ny,q,6\n")
    assert "columns: label=label categories=k" in run("train", "nt.csv", "--fields", "auto").out


def test_a_file_is_not_told_to_be_a_folder_of_one_class(tmp_path, run, monkeypatch):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "t.csv").write_text("label,text\nx,lunch\nx,noon\n")
    monkeypatch.chdir(tmp_path / "a")
    assert "parent folder" not in run("train", "../t.csv").err
    refused = run("train", "../t.csv", "--text", "txt")
    assert "no column txt" in refused.err
    assert "parent folder" not in refused.err


def test_models_that_differ_in_the_identifier_alone_are_merged(tickets, run):
    named = "--text", "Beschreibung", "--label", "Queue"
    assert run("train", "tickets.csv", *named, "-m", "a.nbtext").status == 0
    assert run("train", "tickets.csv", *named, "--id", "Ticket", "-m", "b.nbtext").status == 0
    merged = run("merge", "a.nbtext", "b.nbtext", "-m", "c.nbtext")
    assert (merged.status, merged.err) == (0, "")


def test_predictions_never_replace_an_input_and_are_in_a_known_format(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = Path("t.csv")
    table.write_text("label,text\n" + "x,lunch\ny,noon\n" * 5)
    for path, reason in (("./t.csv", "an input, which would be overwritten"), ("p.txt", "must end in .csv")):
        refused = run("evaluate", "t.csv", "--predictions", path)
        assert refused.status == 2
        assert reason in refused.err
    assert run("train", "t.csv").status == 0
    assert run("evaluate", "--predictions", "t.csv").status == 2
    assert table.read_text().startswith("label,text\n")
    assert not Path("p.txt").exists()


def test_what_is_classified_needs_neither_labels_nor_all_attributes(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("label,text,age\n" + "x,lunch,1\ny,noon,2\n" * 3)
    assert run("train", "t.csv", "--number", "age").status == 0
    Path("without.csv").write_text("text\nlunch\nnoon\n")
    Path("odd.jsonl").write_text('{"text":"lunch","label":2.5}\n{"text":"noon","label":["x","y"]}\n')
    for name in ("without.csv", "odd.jsonl"):
        answered = run("classify", name)
        assert (answered.status, answered.err) == (0, "")
        assert [line[0] for line in answered.out.splitlines()] == ["x", "y"]
    Path("other.csv").write_text("Betreff,Rest\nlunch,1\n")
    refused = run("classify", "other.csv")
    assert "cannot tell which column is the text; the columns are betreff, rest" in refused.err or refused.status == 0
    assert "--label" not in refused.err


def test_a_label_column_that_is_not_there_is_named(tickets, run):
    refused = run("train", "tickets.csv", "--text", "Beschreibung", "--label", "Quee")
    assert refused.status == 3
    assert (
        "no column Quee; the columns are ticket, queue, betreff, beschreibung; name them, as in --text" in refused.err
    )
