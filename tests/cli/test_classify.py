"""nbtext classify: what it prints and its status, in process."""

import codecs
import json
import os
from pathlib import Path

import pytest

from .common import fields, records


def test_classify_gives_a_record_for_each_input_in_order(trained, tmp_path):
    (tmp_path / "blank").write_text("\n\n\n")
    answers = trained("classify", "corpus", "-", "blank", "gone.txt", stdin="zebra")
    assert [(label, name) for label, _, name in fields(answers)] == [
        ("ham", "corpus/ham/1.txt"),
        ("ham", "corpus/ham/2.txt"),
        ("spam", "corpus/spam/1.txt"),
        ("spam", "corpus/spam/2.txt"),
        ("(unknown)", "-"),
        ("(empty)", "blank"),
    ]
    assert answers.err == "nbtext: gone.txt: No such file or directory\n"
    assert answers.status == 3


def test_classify_lines_keeps_blank_and_unknown_ones(trained):
    answers = fields(trained("classify", "--lines", stdin="win cash\nlunch\r\n\nzebra\nat noon"))
    assert [(label, name) for label, _, name in answers] == [
        ("spam", "-:1"),
        ("ham", "-:2"),
        ("(empty)", "-:3"),
        ("(unknown)", "-:4"),
        ("ham", "-:5"),
    ]


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_classify_does_not_hear_the_end_of_the_last_line(end, trained):
    assert trained("classify", "--lines", stdin="win a lunch" + end).out == trained(
        "classify", stdin="win a lunch"
    ).out.replace("-\n", "-:1\n")


def test_classify_of_a_folder_says_nothing_of_litter(trained, corpus):
    corpus({"a.txt": "win cash", ".DS_Store": b"\0", "b.txt~": "x"}, name="inbox")
    answers = trained("classify", "inbox")
    assert (answers.err, answers.status) == ("", 0)
    assert [name for *_, name in fields(answers)] == ["inbox/a.txt"]


@pytest.mark.parametrize("separator", ["\n", "\0"])
def test_classify_reads_names_from_a_list(separator, trained):
    names = ["corpus/spam/1.txt", "corpus/ham/1.txt"]
    assert [name for *_, name in fields(trained("classify", "--files-from", "-", stdin=separator.join(names)))] == names


def listed(trained, content: bytes, *options: str):
    """What classify says of the files in a list, which is itself a file."""
    Path("list").write_bytes(content)
    return trained("classify", "--files-from", "list", *options)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "\n"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32", "utf-32-be"])
def test_a_list_is_decoded_by_its_byte_order_mark(encoding, last, end, trained, corpus):
    corpus({"grün.txt": "win cash", "語.txt": "lunch"}, name="in box")
    text = f"in box/grün.txt{end}{end}in box/語.txt{last}"
    answers = listed(trained, (("\ufeff" if encoding.endswith("be") else "") + text).encode(encoding))
    assert [name for *_, name in fields(answers)] == ["in box/grün.txt", "in box/語.txt"]
    assert (answers.err, answers.status) == ("", 0)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (codecs.BOM_UTF16_LE + b"a.txt", "truncated data"),
        (codecs.BOM_UTF16_LE + b"\0\xd8\0\xd8", "illegal UTF-16 surrogate"),
        ("./corpus\n.\n".encode("utf-16-le"), "UTF-16 without a byte order mark"),
        ("./corpus\n.\n".encode("utf-16-be"), "UTF-16 without a byte order mark"),
    ],
)
def test_a_list_that_is_none_is_refused_before_anything_is_read(content, reason, trained):
    refused = listed(trained, content, "corpus")
    assert (refused.out, refused.status) == ("", 2)
    assert refused.err == f"nbtext: --files-from list: {reason}; write the list as UTF-8; see: nbtext classify --help\n"


NAMES = [b"a b.txt", b"-", b"caf\xe9.txt", b" ", b"\\n.txt", b"tab\there"]  # of files, bytes as they are


@pytest.mark.parametrize("names", [[*NAMES, b"line\nfeed", b"return\r"], [b"x", b"y"]])
def test_names_that_end_in_a_nul_are_taken_byte_for_byte(names, trained):
    for name in names:
        Path(os.fsdecode(name)).write_text("win cash")
    answers = [json.loads(line) for line in listed(trained, b"\0".join(names) + b"\0", "--json").out.splitlines()]
    assert [os.fsencode(answer["name"]) for answer in answers] == names


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_names_one_a_line_are_taken_byte_for_byte(end, trained):
    for name in NAMES:
        Path(os.fsdecode(name)).write_text("win cash")
    answers = [json.loads(line) for line in listed(trained, end.join(NAMES), "--json").out.splitlines()]
    assert [os.fsencode(answer["name"]) for answer in answers] == NAMES


@pytest.mark.parametrize("name", [".", "corpus", "..", "/"])
def test_a_folder_in_a_list_is_not_walked_unless_asked_for(name, trained):
    answers = listed(trained, f"corpus/ham/1.txt\n{name}\ncorpus/spam/1.txt\n".encode())
    assert [name for *_, name in fields(answers)] == ["corpus/ham/1.txt", "corpus/spam/1.txt"]
    assert answers.err == f"nbtext: {name}: a folder, not a file; add --recursive to read the files below it\n"
    assert answers.status == 3


def test_a_folder_in_a_list_is_walked_if_asked_for(trained):
    answers = listed(trained, b"corpus/ham\ncorpus/spam/1.txt\n", "--recursive")
    assert [name for *_, name in fields(answers)] == ["corpus/ham/1.txt", "corpus/ham/2.txt", "corpus/spam/1.txt"]
    assert (answers.err, answers.status) == ("", 0)


@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        ("win cash now", [], 0),
        ("lunch", [], 4),
        ("", [], 4),
        ("zebra", ["--prior", "spam=0.999"], 4),
        ("win lunch", ["--unsure-below", "0.99"], 4),
        ("win cash\nfree prize", ["--lines"], 0),
        ("win cash\nlunch", ["--lines"], 4),
    ],
)
def test_classify_is(text, options, status, trained):
    assert trained("classify", "--is", "spam", *options, stdin=text) == ("", "", status)


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [(["empty"], ""), (["--lines"], ""), (["--files-from", os.devnull], ""), (["--reader", "mbox"], "")],
)
def test_classify_is_never_says_yes_where_no_document_came(arguments, stdin, corpus, run):
    corpus({"ham/1": "Subject: lunch\n\nat noon", "spam/1": "Subject: win\n\ncash now"})
    reader = ["--reader", "mail"] if "mbox" in arguments else []
    assert run("train", "corpus", *reader).status == 0
    os.mkdir("empty")
    assert run("classify", "--is", "spam", *arguments, stdin=stdin) == ("", "", 4)


def test_classify_is_never_says_no_for_what_it_could_not_read(trained):
    answer = trained("classify", "--is", "spam", "corpus/ham/1.txt", "gone")
    assert (answer.out, answer.status) == ("", 3)


def test_classify_says_when_it_is_unsure(trained):
    assert fields(trained("classify", "--unsure-below", "0.99", stdin="win lunch"))[0][0] == "(unsure)"


def test_classify_top_shows_the_likeliest_labels(trained):
    ((first, p, second, q, name),) = fields(trained("classify", "--top", "2", stdin="win cash"))
    assert (first, second, name) == ("spam", "ham", "-")
    assert float(p) + float(q) == pytest.approx(1)


def test_classify_record_as_an_object(trained):
    (record,) = records(trained("classify", "--json", stdin="win zebra"))
    assert record.keys() == {"name", "outcome", "label", "posterior", "posteriors", "scores", "tokens", "known"}
    assert (record["outcome"], record["label"], record["tokens"], record["known"]) == ("answer", "spam", 2, 1)


def test_classify_rank_sorts_documents_by_how_much_they_belong(trained):
    ranked = fields(
        trained("classify", "--rank", "spam", "--lines", stdin="lunch\nwin cash now\n\nwin\nzebra\nwin lunch")
    )
    assert [name for *_, name in ranked] == ["-:2", "-:4", "-:6", "-:3", "-:5", "-:1"]
    assert [label for label, *_ in ranked] == ["spam", "spam", "spam", "(empty)", "(unknown)", "spam"]
    posteriors = [float(p) for _, p, _ in ranked]
    assert posteriors == sorted(posteriors, reverse=True)


def test_classify_rank_tells_documents_apart_whose_posteriors_are_all_one(trained):
    texts = ["win " * n for n in (100, 300, 200)]
    ranked = fields(trained("classify", "--rank", "spam", "--raw", "--lines", stdin="\n".join(texts)))
    assert [(p, name) for _, p, name in ranked] == [("1", "-:2"), ("1", "-:3"), ("1", "-:1")]


def test_classify_rank_in_a_model_of_one_class(corpus, run):
    corpus({"only/1.txt": "one"})
    run("train", "corpus", "--allow-single-class")
    assert run("classify", "--rank", "only", stdin="one") == ("only\t1\t-\n", "", 0)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read any file")
def test_an_unreadable_file_is_complained_of_and_the_others_are_answered(trained, tmp_path):
    (tmp_path / "corpus/ham/1.txt").chmod(0)
    result = trained("classify", "corpus/ham/1.txt", "corpus/spam/1.txt")
    assert result.out.startswith("spam\t")
    assert result.err == "nbtext: corpus/ham/1.txt: Permission denied\n"
    assert result.status == 3
