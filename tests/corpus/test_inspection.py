"""Checking a corpus before training: each fault is found and said with what to do, and a sound corpus has none."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbtext.analysis import Analysis
from nbtext.corpus import checking
from nbtext.corpus.checking import CHECKS, Finding, findings
from nbtext.corpus.inspection import Inspection, Seen, inspected
from nbtext.corpus.sources import FAILURES
from nbtext.decoding import FALLBACK, UTF_8

WORDS = {"a": ["red", "crimson", "plain"], "b": ["blue", "navy", "plain"]}
SOUND: dict[str, str | bytes] = {
    f"{label}/{n}.txt": f"{words[n % 3]} {label}{n} of many more" for label, words in WORDS.items() for n in range(30)
}


def kinds(found: list[Finding]) -> list[str]:
    return [finding.kind for finding in found]


def test_sound_corpus_has_no_finding(corpus):
    assert findings(inspected([str(corpus(SOUND))])) == []


@pytest.mark.parametrize(
    ("kind", "files", "places"),
    [
        ("too few classes", None, [["a"]]),
        ("skipped, damaged", {"a/x.gz": b"\x1f\x8b\x08\x00\x00"}, [["a/x.gz"]]),
        ("same text in different classes", {"a/x": "one text\n", "b/y": "one text"}, [["a/x", "b/y"]]),
        (
            "tokens that alone reveal a class",
            {f"a/{n}.txt": f"sig a{n} of many more" for n in range(30)},
            [["sig", "a"]],
        ),
        (
            "encodings that differ by class",
            {f"b/l{n}": f"caf\xe9 x number{n}".encode("latin-1") for n in range(5)},
            [["b"]],
        ),
        ("classes without documents", {"c/x": "", "c/y": "..."}, [["c"]]),
        ("not UTF-8", {"a/x": b"caf\xe9 with some others"}, [["a/x"]]),
        ("repeated documents", {"a/x": "one more text", "a/y": "  one more text\n"}, [["a/x", "a/y"]]),
        ("skipped, loose file", {"x.txt": "one text"}, [["x.txt"]]),
        ("skipped, binary", {"a/x.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"}, [["a/x.png"]]),
        ("skipped, litter", {"a/.DS_Store": "x", "b/x~": "x"}, [["a/.DS_Store"], ["b/x~"]]),
        ("empty documents", {"a/x": " \n"}, [["a/x"]]),
        ("small classes", {f"c/{n}": f"other number{n} text" for n in range(19)}, [["c"]]),
        ("uneven classes", {f"a/m{n}": f"number{n} more of a" for n in range(270)}, [["a"], ["b"]]),
        ("very long documents", {"b/x": "word " * 250}, [["b/x"]]),
        ("very short documents", {"a/x": "two words", "a/y": "three of them"}, [["a/x"]]),
    ],
)
def test_each_fault_is_found_in_its_place(
    corpus, kind: str, files: dict[str, str | bytes] | None, places: list[list[str]]
):
    only_a = {path: text for path, text in SOUND.items() if path.startswith("a/")}
    root = str(corpus(only_a if files is None else SOUND | files))
    found = {finding.kind: finding for finding in findings(inspected([root]))}
    assert kind in found
    assert [[place.removeprefix(f"{root}/") for place in group] for group in found[kind].places] == places


def test_class_folder_without_files_is_odd(corpus):
    root = corpus(SOUND)
    (root / "c").mkdir()
    (finding,) = findings(inspected([str(root)]))
    assert finding.kind == "odd places"
    assert "c: no file in it" in finding.places[0][0]


def test_labels_that_differ_in_case_or_blanks_alone_are_found(corpus):
    labels = ("spam", "ham", "Spam", "spam ", " ham")
    rows = "".join(f"{label},number{n} some text\n" for n in range(20) for label in labels)
    seen = inspected([str(corpus({"t.csv": "label,text\n" + rows}) / "t.csv")], Analysis(reader="csv"))
    (found,) = (finding for finding in findings(seen) if finding.kind == "labels nearly alike")
    assert found.what == "5 labels that differ only in case or blanks"
    assert sorted(map(sorted, found.places)) == [[" ham", "ham"], ["Spam", "spam", "spam "]]


def test_same_text_in_train_and_test_is_found_whatever_its_class(corpus):
    train, test = corpus(SOUND, "train"), corpus({"a/same": f"{SOUND['a/1.txt']!s}\n"}, "test")
    found = {finding.kind: finding for finding in findings(inspected([str(train), str(test)]))}
    assert found["same text in different corpora"].places == [[f"{train}/a/1.txt", f"{test}/a/same"]]


def test_every_line_of_a_table_of_records_is_a_document(corpus):
    rows = "".join(f"{label},number{n} {label} text\n" for n in range(20) for label in "pq") + "p,number3 p text\nq,\n"
    seen = inspected([str(corpus({"t.csv": "label,text\n" + rows}) / "t.csv")], Analysis(reader="csv"))
    assert seen.sizes() == {"p": 21, "q": 20}
    assert {"repeated documents", "empty documents"} < set(kinds(findings(seen)))


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"", "UTF-8"),
        (b"plain", "UTF-8"),
        ("naïve".encode(), "UTF-8"),
        ("naïve".encode("utf-8-sig"), "UTF-8"),
        ("naïve".encode("utf-16"), "UTF-16"),
        ("naïve".encode("latin-1"), "fallback"),
    ],
)
def test_encodings_are_told_apart(corpus, data: bytes, encoding: str):
    (seen,) = inspected([str(corpus({"a/x": data}))]).documents
    assert seen.encoding == encoding


documents = st.builds(
    Seen,
    st.text(max_size=2),
    st.sampled_from("abc"),
    st.sampled_from(["train", "test"]),
    st.integers(0, 5),
    st.integers(0, 300),
    st.sampled_from([UTF_8, FALLBACK]),
)


@given(st.lists(documents))
def test_findings_come_in_the_order_of_the_checks_and_each_is_one_line_of_advice(seen: list[Seen]):
    found = findings(Inspection(Analysis(), seen, {}, []))
    order = [finding.kind for check in CHECKS for finding in check(Inspection(Analysis(), seen, {}, []))]
    assert kinds(found) == order
    for finding in found:
        assert "\n" not in finding.what + finding.advice
        assert finding.places or finding.kind == "too few classes"


@given(st.lists(documents))
def test_repeats_are_what_lies_beyond_the_distinct_texts(seen: list[Seen]):
    full = [each for each in seen if each.tokens]
    repeated = [f for f in findings(Inspection(Analysis(), seen, {}, [])) if f.kind == "repeated documents"]
    beyond = sum(len(group) - 1 for finding in repeated for group in finding.places)
    assert beyond == len(full) - len({each.digest for each in full})


def test_thresholds_are_stated_where_they_are_used():
    seen = [Seen(f"{label}{n}", label, "c", hash((label, n)), 9, UTF_8) for label in "ab" for n in range(100)]
    presences = {"a": {"sig": 50, "rare": 49, "both": 50}, "b": {"both": 2}}
    (finding,) = findings(Inspection(Analysis(), seen, {label: Counter(row) for label, row in presences.items()}, []))
    assert finding.places == [["sig", "a"]]
    assert f"{checking.TELLING_HERE:.0%}" in finding.what


def test_everything_broken_has_its_advice():
    assert set(checking.BROKEN) == FAILURES
    assert not FAILURES.intersection(checking.LEFT_OUT)


# The command


def test_check_prints_classes_then_findings_with_advice(corpus, run):
    corpus(
        {f"a/{n}": f"red number{n} x" for n in range(20)}
        | {f"b/{n}": f"red number{n} y" for n in range(20)}
        | {"b/z": ""}
    )
    assert run("check", "corpus") == (
        "class  documents  tokens  median  UTF-8\n"
        "a             20      60       3     20\n"
        "b             20      60       3     21\n"
        "\n"
        "tokens that alone reveal a class: 2 tokens in at least 50% of the documents of a class and"
        " at most 1% of all others\n"
        "    if they come from headers, signatures or the source of the texts, remove them or make them stop words:"
        " new texts will not have them\n"
        "    x = a\n"
        "    y = b\n"
        "empty documents: 1 document without a token\n"
        "    remove them, or check the reader and the tokenizer; training leaves them out\n"
        "    corpus/b/z\n",
        "",
        0,
    )


def test_check_says_when_there_is_nothing_to_mend(corpus, run):
    corpus(SOUND)
    assert run("check", "corpus").out.endswith("\n\nno problems found\n")


def test_check_json_has_stable_keys_and_every_place(corpus, run):
    corpus(SOUND | {f"a/e{n}": "" for n in range(9)})
    record = json.loads(run("check", "corpus", "--json").out)
    assert record["classes"][0] == {
        "label": "a",
        "documents": 30,
        "tokens": 150,
        "median": 5,
        "encodings": {"UTF-8": 39},
    }
    (finding,) = record["findings"]
    assert finding.keys() == {"kind", "what", "advice", "places"}
    assert len(finding["places"]) == 9


def test_check_names_three_places_of_a_group_and_quotes_labels_with_outer_blanks(corpus, run):
    table = "label,text\n" + "".join(f"{label},the same words\n" for label in ["a", "a ", "a", "b", "b"])
    corpus({"t.csv": table})
    out = run("check", "--reader", "csv", "corpus/t.csv").out
    assert '\n"a "           1       3' in out
    assert '\n    a = "a "\n' in out
    assert "\n    corpus/t.csv:2 = corpus/t.csv:3 = corpus/t.csv:4 = ... 2 more\n" in out
    (places,) = next(
        finding["places"]
        for finding in json.loads(run("check", "--reader", "csv", "corpus/t.csv", "--json").out)["findings"]
        if finding["kind"] == "repeated documents"
    )
    assert len(places) == 5


def test_check_escapes_names(corpus, run):
    corpus(SOUND | {"a/\x1b[31m": ""})
    assert "a/\\x1b[31m" in run("check", "corpus").out


@pytest.mark.parametrize(
    ("files", "args", "status"),
    [
        (SOUND | {"a/x": ""}, ["corpus"], 0),
        (SOUND | {"a/x.gz": b"no gzip"}, ["corpus"], 3),
        (SOUND, ["nowhere"], 3),
        (SOUND, [], 2),
        (SOUND, ["corpus", "--tokenizer", "none"], 2),
    ],
)
def test_status_is_of_the_reading_not_of_the_findings(corpus, run, files, args, status):
    corpus(files)
    assert run("check", *args).status == status


# Real corpora: the facts that their description states


@pytest.mark.parametrize(
    ("name", "parts", "stated"),
    [
        (
            "r8",
            ["train", "test"],
            {
                "same text in different classes": "10 documents in 4 groups of equal text",
                "same text in different corpora": "4 texts in more than one of the corpora named",
                "repeated documents": "79 documents beyond the first of 72 groups of equal text",
            },
        ),
        ("sms-spam", [""], {"repeated documents": "414 documents beyond the first of 289 groups of equal text"}),
        ("haber1150-tr", [""], {"not UTF-8": "1149 of 1150 documents, read as windows-1252"}),
    ],
)
def test_facts_of_real_corpora_come_out(real, name: str, parts: list[str], stated: dict[str, str]):
    found = {f.kind: f.what for f in findings(inspected([str(real(name) / part) for part in parts]))}
    assert {kind: found[kind] for kind in stated} == stated
