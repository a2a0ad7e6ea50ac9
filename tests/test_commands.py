"""Each command by what it prints: exact text and status, in process."""

import codecs
import gzip
import json
import math
import os
import re
from collections import Counter
from pathlib import Path

import pytest

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
CORPUS = {
    "ham/1.txt": "lunch with anna at noon",
    "ham/2.txt": "minutes of the meeting at noon",
    "spam/1.txt": "win cash now",
    "spam/2.txt": "win a free prize now",
}
ODD_LABELS = [
    "not spam",
    "-rf",
    "--help",
    "日本",
    "a:b|c",
    "NA",
    "01",
    "(unsure)",
    "tab\tnewline\nescape\x1b[31m",
    "café",
    "\udcff",
]


@pytest.fixture
def trained(corpus, run):
    """A run in a folder that has a corpus and its model."""
    corpus(CORPUS)
    assert run("train", "corpus").status == 0
    return run


def records(result):
    """The JSON objects that a command printed."""
    assert (result.err, result.status) == ("", 0)
    return [json.loads(line) for line in result.out.splitlines()]


def fields(result):
    """The records that a command printed, cut at tabs."""
    return [line.split("\t") for line in result.out.splitlines()]


# train


def test_train_prints_classes_vocabulary_and_model(corpus, run):
    corpus(
        {
            **CORPUS,
            "loose.txt": "",
            "ham/.hidden": "",
            "ham/empty.txt": "",
            "spam/image.png": PNG,
        }
    )
    trained = run("train", "corpus")
    assert trained == (
        "class  documents  tokens\n"
        "ham            2      11\n"
        "spam           2       8\n"
        "total          4      19\n"
        "vocabulary: 15 tokens\n"
        "skipped, binary: 1 (corpus/spam/image.png)\n"
        "skipped, empty: 1 (corpus/ham/empty.txt)\n"
        "skipped, litter: 1 (corpus/ham/.hidden)\n"
        "skipped, loose file: 1 (corpus/loose.txt)\n"
        "model: model.nbtext\n",
        "",
        0,
    )


def test_train_says_the_same_as_an_object(corpus, run):
    corpus({**CORPUS, "ham/empty.txt": ""})
    assert records(run("train", "corpus", "--json", "-m", "m")) == [
        {
            "model": "m",
            "classes": [
                {"label": "ham", "documents": 2, "tokens": 11},
                {"label": "spam", "documents": 2, "tokens": 8},
            ],
            "documents": 4,
            "tokens": 19,
            "vocabulary": 15,
            "replaced": False,
            "skipped": {"empty": ["corpus/ham/empty.txt"]},
            "not_utf_8": [],
        }
    ]


def test_train_says_what_was_left_out_where_nothing_is_left(corpus, run):
    corpus({"1.txt": "red", "2.txt": "sea"})
    answer = run("train", "corpus")
    assert (answer.out, answer.status) == ("", 3)
    assert answer.err == (
        "nbtext: skipped, loose file: 2 (corpus/1.txt, corpus/2.txt)\n"
        "nbtext: corpus: no document to learn from; a corpus is a folder with one folder of texts per class, or "
        "records that have a label, as in --reader csv\n"
    )


def test_train_learns_what_it_can_read_and_names_what_it_cannot(corpus, run):
    folder = corpus(CORPUS)
    (folder / "ham/dangling").symlink_to("nowhere")
    (folder / "ham/loop").symlink_to("..")
    trained = run("train", "corpus")
    assert trained.status == 3
    assert trained.err == "nbtext: corpus/ham/dangling: a link to nothing; mend or remove it\n"
    assert run("verify").out == "model.nbtext: sound, 2 classes, 4 documents, 19 tokens\n"


@pytest.mark.parametrize("label", ODD_LABELS)
def test_odd_labels_go_through_all_commands(label, corpus, run):
    corpus({f"{label}/1.txt": "odd", "even/1.txt": "even"})
    assert run("train", "corpus").status == 0
    ((answer, *_),) = fields(run("classify", stdin="odd"))
    assert answer.isprintable()
    assert answer != "(unsure)"
    assert run("classify", f"--is={label}", stdin="odd") == ("", "", 0)
    (record,) = records(run("classify", "--json", stdin="odd"))
    assert record["label"] == label
    for command in ("show",), ("show", "--top", "1"), ("show", "--word", "odd"), ("tokens",), ("explain",):
        done = run(*command, stdin="odd")
        assert (done.err, done.status) == ("", 0)
        assert done.out.replace("\n", "").replace("\t", "").replace("\udcff", "").isprintable()
    assert run("learn", "--", label, stdin="very odd").out == "learned\t-\n"
    assert run("unlearn", "--", label, stdin="very odd").out == "unlearned\t-\n"
    assert run("generate", "-n", "3", "--", label).status == 0


def test_labels_meet_in_either_unicode_form(corpus, run):
    corpus({"café/1.txt": "latte", "bar/1.txt": "beer"})
    run("train", "corpus")
    assert run("classify", "--is", "cafe\u0301", stdin="latte").status == 0


# classify


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
    assert answers.err == f"nbtext: {name}: a folder, not a file; give --recursive to read what is below it\n"
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


# show


def test_show(trained, tmp_path):
    lines = trained("show").out.splitlines()
    assert lines[:4] == [
        "class  documents  tokens  prior",
        "ham            2      11    0.5",
        "spam           2       8    0.5",
        "total          4      19      1",
    ]
    facts = dict(line.split(": ", 1) for line in lines[4:])
    assert len(facts.pop("fingerprint")) == 64
    assert facts.pop("state").startswith("4-")
    assert facts == {
        "model": f"model.nbtext, {(tmp_path / 'model.nbtext').stat().st_size} bytes",
        "vocabulary": "15 tokens",
        "reader": "text",
        "tokenizer": "words",
        "ngrams": "1",
        "encoding": "windows-1252",
        "event-model": "multinomial",
        "alpha": "1",
        "prior": "learned",
        "stopwords": "0 tokens",
        "drop-top": "0",
        "min-count": "1",
        "min-docs": "1",
        "weights": "none",
        "calibration": "T = 1, because it takes at least 50 documents to fit it",
        "remembered": "4 documents",
        "corpus": "corpus",
    }


@pytest.mark.parametrize("mistaken", [0, 6])
def test_show_says_how_posteriors_are_calibrated(mistaken, corpus, run):
    sure = {f"{label}/{i}.txt": f"{label} {label}{i}" for label in "xy" for i in range(30)}
    corpus({**sure, **{f"x/{i}.txt": f"y odd{i}" for i in range(mistaken)}})
    run("train", "corpus")
    says = r"^calibration: T = [\d.]+ \* sqrt\(L \+ 1\), fitted on 60 documents$"
    assert re.search(says, run("show").out, re.MULTILINE)


def test_show_says_the_same_as_an_object(trained):
    (record,) = records(trained("show", "--json"))
    assert record.keys() == {
        "model", "bytes", "classes", "documents", "tokens", "vocabulary", "analysis", "hyperparameters", "calibration",
        "remembered", "fingerprint", "state", "corpora",
    }  # fmt: skip
    assert record["classes"][0] == {"label": "ham", "documents": 2, "tokens": 11, "prior": pytest.approx(0.5)}
    assert record["calibration"] == {"t": None, "documents": 4}


def test_show_word(trained):
    assert trained("show", "--word", "Noon", "--word", "zebra").out == (
        "token  class  occurrences  documents     P(w|v)\n"
        "noon   ham              2          2   0.115385\n"
        "noon   spam             0          0  0.0434783\n"
        "zebra  ham              0          0          -\n"
        "zebra  spam             0          0          -\n"
    )


def test_show_word_as_an_object(trained):
    assert records(trained("show", "--word", "noon", "--json")) == [
        {
            "token": "noon",
            "vocabulary": True,
            "occurrences": {"ham": 2, "spam": 0},
            "documents": {"ham": 2, "spam": 0},
            "probabilities": {"ham": pytest.approx(3 / 26), "spam": pytest.approx(1 / 23)},
        }
    ]


def test_show_top(trained):
    nats = 3 / 23 * math.log(3 / 23 / (1 / 26))
    lines = [line.split() for line in trained("show", "--top", "2").out.splitlines()]
    assert [line[:2] for line in lines] == [
        ["class", "token"],
        ["ham", "at"],
        ["ham", "noon"],
        ["spam", "now"],
        ["spam", "win"],
    ]
    assert lines[3][2:] == [f"{nats:.6g}", "2", "0"]
    assert [record["class"] for record in records(trained("show", "--top", "1", "--json"))] == ["ham", "spam"]


def test_show_a_class(trained):
    lines = [line.split() for line in trained("show", "spam", "--top", "1").out.splitlines()]
    assert [line[:2] for line in lines] == [["class", "token"], ["spam", "now"]]
    assert len(records(trained("show", "spam", "--json"))[0]["tokens"]) > 1
    assert [record["class"] for record in records(trained("show", "spam", "ham", "--json"))] == ["spam", "ham"]
    unknown = trained("show", "eggs")
    assert (unknown.status, unknown.err) == (2, "nbtext: no class 'eggs' in model.nbtext; there are: ham, spam\n")


# tokens


def test_tokens_shows_what_the_model_knows(trained):
    assert trained("tokens", stdin="At noon, win zebra!").out == "at\tham=2\nnoon\tham=2\nwin\tspam=2\nzebra\t-\n"


def test_tokens_outside_the_vocabulary_are_not_known(trained):
    trained("train", "corpus", "--stopwords", "none", "--min-count", "2")
    assert trained("tokens", stdin="win lunch").out == "win\tspam=2\nlunch\t-\n"


@pytest.mark.parametrize(
    ("options", "tokens"),
    [
        (["--no-model"], ["big", "cat"]),
        (["--ngrams", "2"], ["big", "cat", "big cat"]),
        (["--tokenizer", "chars:n=2"], ["bi", "ig", "ca", "at"]),
        (["--tokenizer", "split"], ["Big", "cat!"]),
        (["--reader", "lines"], ["big", "cat"]),
        (["--encoding", "latin-1"], ["big", "cat"]),
    ],
)
def test_tokens_needs_no_model_where_options_say_how_to_cut(options, tokens, run):
    assert run("tokens", *options, stdin="Big cat!") == ("\n".join(tokens) + "\n", "", 0)


def test_tokens_without_options_needs_a_model(run):
    assert run("tokens", stdin="Big cat!").status == 3


def test_tokens_can_leave_the_model_out(trained):
    assert trained("tokens", "--no-model", "--ngrams", "2", stdin="at noon").out == "at\nnoon\nat noon\n"


def test_tokens_as_objects(trained):
    assert records(trained("tokens", "--no-model", "--json", stdin="a")) == [{"name": "-", "token": "a"}]
    (record,) = records(trained("tokens", "--json", stdin="zebra"))
    assert record == {
        "name": "-",
        "token": "zebra",
        "vocabulary": False,
        "occurrences": {"ham": 0, "spam": 0},
        "documents": {"ham": 0, "spam": 0},
        "probabilities": {},
    }


# verify


def test_verify_says_what_a_sound_model_has(trained):
    assert trained("verify") == ("model.nbtext: sound, 2 classes, 4 documents, 19 tokens\n", "", 0)


def test_verify_and_import_say_it_as_json_too(trained, run, tmp_path):
    (verified,) = records(run("verify", "--json"))
    assert (verified["model"], verified["documents"], verified["tokens"]) == ("model.nbtext", 4, 19)
    (tmp_path / "text").write_text(run("export").out)
    (imported,) = records(run("import", "text", "-m", "copy", "--json"))
    assert imported == {**verified, "model": "copy", "replaced": False}


def test_verify_finds_a_flipped_byte(trained, tmp_path):
    content = (tmp_path / "model.nbtext").read_bytes()
    (tmp_path / "model.nbtext").write_bytes(content.replace(b"minutes", b"minuten", 1))
    damaged = trained("verify")
    assert (damaged.out, damaged.status, damaged.err.count("\n")) == ("", 3, 1)
    assert damaged.err.startswith("nbtext: model.nbtext: the model is damaged (")


# learn, unlearn


def test_learn_says_what_became_of_each_document(trained, corpus):
    corpus({"1": "bring wine", "2": "bring wine", "3": "", "4": "bread"}, name="new")
    learned = trained("learn", "ham", "new", "new/4")
    assert learned == (
        "learned\tnew/1\nalready learned\tnew/2\nempty\tnew/3\nlearned\tnew/4\nalready learned\tnew/4\n", "", 0
    )  # fmt: skip
    assert trained("learn", "ham", "new/4", "--quiet") == ("", "", 0)
    assert records(trained("learn", "ham", "new/4", "--json")) == [{"name": "new/4", "outcome": "already learned"}]


def test_learn_then_unlearn_leaves_the_same_model(trained):
    before = trained("export").out
    trained("learn", "new", "--lines", stdin="bread\nwine and bread\n")
    assert trained("export").out != before
    assert (
        trained("unlearn", "new", "--lines", stdin="wine and bread\nbread\n").out == "unlearned\t-:1\nunlearned\t-:2\n"
    )
    assert trained("export").out == before


def test_learn_is_training_on_everything(trained, corpus):
    trained("learn", "new", "--lines", stdin="bread\nwine and bread\n")
    corpus({**CORPUS, "new/1": "bread", "new/2": "wine and bread"}, name="all")
    trained("train", "all", "-m", "all.nbtext")
    assert trained("export", "--counts").out == trained("export", "--counts", "-m", "all.nbtext").out


def test_a_label_nearly_that_of_a_class_is_new_only_if_that_is_said(trained):
    mistyped = trained("learn", "spma", stdin="very odd")
    assert (mistyped.out, mistyped.status) == ("", 2)
    assert "no class spma; was spam meant? Add --new to begin a new class" in mistyped.err
    assert "was ham meant?" in trained("learn", "Ham", stdin="very odd").err
    assert trained("learn", "spma", "--new", stdin="very odd").out == "learned\t-\n"
    assert trained("learn", "spma", stdin="very odd indeed").out == "learned\t-\n"
    assert trained("learn", "private", stdin="most odd").out == "learned\t-\n"


def test_learn_until_right(trained):
    taken = "win cash prize lunch"
    assert trained("classify", stdin=taken).out.startswith("spam")
    assert trained("learn", "ham", "--until-right", stdin=taken).out == "learned\t-\n"
    [label, posterior, _] = trained("classify", stdin=taken).out.split("\t")
    assert label == "ham"
    assert float(posterior) >= 0.95


def test_learn_was_moves_a_document(trained):
    assert trained("learn", "spam", "--was", "ham", "corpus/ham/1.txt").out == "learned\tcorpus/ham/1.txt\n"
    assert trained("verify").out == "model.nbtext: sound, 2 classes, 4 documents, 19 tokens\n"
    assert [line.split()[1] for line in trained("show").out.splitlines()[1:3]] == ["1", "3"]


REFUSED = {
    "learned as something else": (
        ["learn", "spam", "corpus/ham/1.txt"],
        "already learned as ham; to move it, add --was ham",
    ),
    "never learned as what it was": (["learn", "spam", "--was", "ham", "new.txt"], "never learned as ham"),
    "never learned": (["unlearn", "ham", "new.txt"], "new.txt: never learned as ham; nothing is changed"),
    "learned as another": (["unlearn", "ham", "corpus/spam/1.txt"], "never learned as ham; nothing is changed"),
    "unlearned twice": (["unlearn", "ham", "corpus/ham/1.txt", "corpus/ham/1.txt"], "never learned as ham"),
    "no such class": (
        ["unlearn", "eggs", "corpus/ham/1.txt"],
        "never learned as eggs, which is no class; there are: ham, spam; nothing is changed",
    ),
    "one of several": (["learn", "ham", "new.txt", "corpus/spam/1.txt"], "already learned as spam"),
}


@pytest.mark.parametrize(("args", "reason"), REFUSED.values(), ids=REFUSED)
def test_refusal_to_learn_changes_nothing(args, reason, trained, tmp_path):
    (tmp_path / "new.txt").write_text("something new")
    before = (tmp_path / "model.nbtext").read_bytes()
    refused = trained(*args)
    assert (refused.out, refused.status, refused.err.count("\n")) == ("", 3, 1)
    assert reason in refused.err
    assert (tmp_path / "model.nbtext").read_bytes() == before


def test_learn_learns_what_it_can_read(trained, tmp_path):
    (tmp_path / "new.txt").write_text("something new")
    (tmp_path / "image.png").write_bytes(PNG)
    learned = trained("learn", "ham", "gone", "new.txt", "image.png")
    assert (learned.out, learned.status) == ("learned\tnew.txt\n", 3)
    assert [line.split(":")[1] for line in learned.err.splitlines()] == [" gone", " image.png"]


# merge


def test_merge_is_training_on_everything(trained, corpus):
    corpus({"ham/3.txt": "dinner", "eggs/1.txt": "boil"}, name="more")
    trained("train", "more", "-m", "more.nbtext")
    merged = trained("merge", "model.nbtext", "more.nbtext", "-m", "model.nbtext")
    assert merged == (
        "class  documents  tokens\n"
        "eggs           1       1\n"
        "ham            3      12\n"
        "spam           2       8\n"
        "total          6      21\n"
        "vocabulary: 17 tokens\n"
        "model: model.nbtext, replaced\n",
        "",
        0,
    )
    trained("train", "corpus", "more", "-m", "all.nbtext")
    assert trained("export").out == trained("export", "-m", "all.nbtext").out
    assert records(trained("merge", "more.nbtext", "-m", "m", "--json"))[0]["documents"] == 2


def test_merge_of_models_that_tokenize_differently_is_refused(trained):
    trained("train", "corpus", "--ngrams", "2", "-m", "pairs.nbtext")
    refused = trained("merge", "model.nbtext", "pairs.nbtext", "-m", "out.nbtext")
    assert refused.status == 3
    assert refused.err.startswith("nbtext: pairs.nbtext: ngrams is 2, but 1 in model.nbtext; ")
    assert trained("verify", "-m", "out.nbtext").err.startswith("nbtext: no model at out.nbtext")


# explain


def test_explain(trained):
    text = "win win lunch zebra"
    assert trained("explain", stdin=text).out == trained("classify", stdin=text).out + (
        "   term  token             times  spam  ham\n"
        "+2.4424  win                   2     2    0\n"
        "-0.5705  lunch                 1     0    1\n"
        "+0.0000  before any token\n"
        "+1.8719  total: log probability of spam minus that of ham\n"
    )


EXPLAINED = [
    [],
    ["--event-model", "bernoulli"],
    ["--event-model", "binary"],
    ["--event-model", "complement"],
    ["--event-model", "complement-binary", "--alpha", "0.1"],
    ["--prior", "ham=0.9"],
    ["--min-count", "2"],
    ["--top", "1"],
    ["--top", "0"],
    ["--against", "ham"],
    ["--against", "spam"],
]


@pytest.mark.parametrize("options", EXPLAINED, ids=" ".join)
@pytest.mark.parametrize("text", ["win win lunch zebra", "at noon", "", "zebra"])
def test_explained_terms_add_up(options, text, trained):
    _, _, *terms, whole = trained("explain", *options, stdin=text).out.splitlines()
    assert sum(float(line.split()[0]) for line in terms) == pytest.approx(float(whole.split()[0]), abs=1e-3)


@pytest.mark.parametrize("options", [o for o in EXPLAINED if "--top" not in o], ids=" ".join)
def test_explained_object_adds_up_but_for_rounding(options, trained):
    (record,) = records(trained("explain", "--json", *options, stdin="win win lunch zebra"))
    assert record.keys() == {
        "name", "outcome", "label", "posterior", "posteriors", "scores", "tokens", "known", "against", "joint", "bias",
        "terms",
    }  # fmt: skip
    assert record["terms"][0].keys() == {"token", "value", "occurrences", "frequency", "terms"}
    for label, score in record["scores"].items():
        parts = [record["bias"][label], *(term["terms"][label] for term in record["terms"])]
        assert math.fsum(parts) == pytest.approx(score, rel=0, abs=1e-14)


def test_explain_says_score_where_it_is_no_probability(trained):
    out = trained("explain", "--event-model", "complement", stdin="win").out
    assert "total: score of spam minus that of ham" in out
    assert "probability" not in out


def test_explain_sums_up_the_terms_left_out(trained):
    *_, rest, _, _ = trained("explain", "--top", "1", stdin="win win lunch now cash").out.splitlines()
    assert rest.split(maxsplit=1)[1] == "3 more"


def test_explain_against_a_class_of_choice(corpus, run):
    corpus({"a/1": "red red", "b/1": "red blue", "c/1": "green"})
    run("train", "corpus")
    assert run("explain", stdin="red").out.endswith("of a minus that of b\n")
    assert run("explain", "--against", "c", stdin="red").out.endswith("of a minus that of c\n")
    assert run("explain", "--against", "a", stdin="red").out.endswith("of a minus that of b\n")
    assert run("explain", "--against", "d", stdin="red").status == 2


def test_explain_in_a_model_of_one_class(corpus, run):
    corpus({"only/1.txt": "one"})
    run("train", "corpus", "--allow-single-class")
    assert run("explain", stdin="one").out.splitlines()[-1].startswith("+0.0000")


def test_explain_is_coloured_on_a_terminal_only(trained, monkeypatch):
    assert "\x1b" not in trained("explain", stdin="win lunch").out
    monkeypatch.setattr("nbtext.cli._output.in_colour", lambda: True)
    lines = trained("explain", stdin="win lunch").out.splitlines()
    assert [line[:5] for line in lines] == ["spam\t", "   te", "\x1b[32m", "\x1b[31m", "+0.00", "\x1b[32m"]


# generate


def test_generate_is_the_same_for_a_seed(trained):
    drawn = trained("generate", "spam", "-n", "30", "--seed", "7")
    assert len(drawn.out.splitlines()) == 30
    assert trained("generate", "spam", "-n", "30", "--seed", "7") == drawn
    assert trained("generate", "spam", "-n", "30", "--seed", "8") != drawn
    as_json = records(trained("generate", "spam", "-n", "30", "--seed", "7", "--json"))
    assert as_json == [{"token": token} for token in drawn.out.splitlines()]


def test_generated_text_is_of_its_class(trained):
    counts = Counter(trained("generate", "spam", "-n", "2000", "--seed", "1").out.split())
    assert set(counts.most_common(2)[0] + counts.most_common(2)[1]) >= {"win", "now"}
    assert fields(trained("classify", stdin="\n".join(counts.elements())))[0][0] == "spam"


# export, import


def test_export_and_import_give_the_same_model(trained):
    text = trained("export").out
    assert trained("import", "-m", "copy.nbtext", stdin=text).out.endswith("model: copy.nbtext\n")
    assert trained("export", "-m", "copy.nbtext").out == text


def test_import_names_the_line_that_is_wrong(trained):
    refused = trained("import", "-m", "copy.nbtext", stdin="{}\n")
    assert (refused.out, refused.status) == ("", 3)
    assert refused.err.startswith("nbtext: line 1: ")


# Inputs that are broken, binary or too large: one never costs the others

TABLE = "ham\tlunch at noon\nspam\twin cash\nbroken\nspam\tcash now\n"


@pytest.fixture
def table(tmp_path, run):
    """A model trained from a table, one record of which is broken."""
    (tmp_path / "t.tsv").write_text(TABLE)
    return run("train", "--reader", "tsv", "t.tsv", "-m", "t.nbtext")


def test_a_broken_record_is_reported_counted_and_skipped(table):
    assert table.status == 3
    assert table.err == (
        "nbtext: t.tsv:3: 1 of 2 columns (label, text), separated by tabs; fix or remove this record\n"
    )
    assert "skipped, damaged: 1 (t.tsv:3)\n" in table.out
    assert "total          3       7\n" in table.out


def test_records_behind_a_broken_one_are_answered(table, run):
    answered = run("classify", "-m", "t.nbtext", stdin="\tlunch\nbroken\n\tcash\n")
    assert [line.split("\t")[::2] for line in answered.out.splitlines()] == [["ham", "-:1"], ["spam", "-:3"]]
    assert (answered.err[:14], answered.status) == ("nbtext: -:2: 1", 3)


@pytest.mark.parametrize("command", [["train", "-m", "new.nbtext"], ["evaluate"], ["check"]])
def test_strict_ends_a_command_at_the_first_broken_record(table, run, command, tmp_path):
    ended = run(*command, "--strict", "--reader", "tsv", "t.tsv")
    assert (ended.out, ended.status) == ("", 3)
    assert ended.err.startswith("nbtext: t.tsv:3: 1 of 2 columns")
    assert not (tmp_path / "new.nbtext").exists()


@pytest.mark.parametrize("command", ["classify", "tokens", "explain"])
def test_strict_ends_a_stream_at_the_first_broken_record(table, run, command):
    ended = run(command, "--strict", "-m", "t.nbtext", stdin="\tlunch\nbroken\n\tcash\n")
    assert ended.out == run(command, "-m", "t.nbtext", stdin="\tlunch\n").out
    assert (ended.err[:14], ended.status) == ("nbtext: -:2: 1", 3)


def test_one_nul_makes_nothing_binary(run):
    assert run("tokens", "--no-model", "--lines", stdin=b"red\0apple\nblue\n") == ("red\napple\nblue\n", "", 0)
    assert run("tokens", "--no-model", stdin=b"win cash\0") == ("win\ncash\n", "", 0)


def test_binary_documents_are_read_if_that_is_asked_for(corpus, run):
    corpus({"a/1": b"red\0\1\2\3", "b/1": "blue"})
    assert run("train", "corpus").status == 3
    assert "skipped, binary: 1 (corpus/a/1)" in run("train", "corpus", "--allow-single-class").out
    assert run("train", "corpus", "--binary", "read").status == 0
    assert run("classify", "corpus/a/1").status == 3
    assert run("classify", "--binary", "read", "corpus/a/1").out.startswith("a\t")


def test_a_document_too_large_is_refused_by_name_and_the_rest_goes_on(corpus, run):
    corpus({"a/1": "red", "a/2": "red " * 1000, "b/1": "blue"})
    trained = run("train", "corpus", "--largest", "1k")
    assert "nbtext: corpus/a/2: a document of over 1,000 bytes; split it" in trained.err
    assert "skipped, too large: 1 (corpus/a/2)" in trained.out
    assert trained.status == 3
    assert run("tokens", "corpus/a/2", "--largest", "1k").status == 3
    assert run("tokens", "corpus/a/2").status == 0


def test_train_names_a_class_whose_files_are_all_empty(corpus, run):
    corpus({"a/1": "red", "b/1": "blue", "c/1": "", "c/deep/2": "..."})
    for options in ([], ["--weights", "fitted"], ["--tune"]):
        trained = run("train", "corpus", *options)
        assert "nbtext: c: no document of this class has a token or could be read, so it is no class\n" in trained.err
        assert trained.status == 0


def test_standard_input_is_a_table_if_it_begins_like_one_and_else_plain_text(corpus, run):
    corpus({"t.csv": "label,text\nham,lunch\nspam,win\n"})
    run("train", "--reader", "csv", "corpus/t.csv")
    assert run("classify", stdin="win now\n").out == "spam\t0.666667\t-\n"
    assert run("classify", stdin="text\nwin now\nlunch\n").out == "spam\t0.666667\t-:2\nham\t0.666667\t-:3\n"
    assert run("classify", "--reader", "text", stdin="text\nlunch\n").out == "ham\t0.666667\t-\n"


def test_messages_that_a_mail_server_compressed_are_read(run, tmp_path):
    (tmp_path / "1700000000.M1P1.host,S=55:2,S").write_bytes(gzip.compress(b"Subject: cheap pills\n\nwin now\n"))
    out = run("tokens", "--no-model", "--reader", "mail", "1700000000.M1P1.host,S=55:2,S").out.splitlines()
    assert {"subject:cheap", "subject:pills", "win", "now"} <= set(out)
