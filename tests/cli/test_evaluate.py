"""nbtext evaluate, as users meet it."""

import json
import os
import re
import shutil
from collections import Counter
from typing import Any

import pytest

from ..shell import ROOT

TOPICS = ROOT / "corpora/topics"
MAIL = ROOT / "corpora/mail"

RARE = {
    **{f"common/{n}.txt": f"sea wind wave number{n}" for n in range(100)},
    **{f"rare/{n}.txt": f"soup seed salt number{n}" for n in range(2)},
    "single/1.txt": "star moon",
}


def record(result) -> dict[str, Any]:
    assert result.status == 0, result.err
    parsed: dict[str, Any] = json.loads(result.out)
    return parsed


def cells(found: dict[str, Any]) -> int:
    return sum(n for row in found["confusion"].values() for n in row.values())


def block(text: str, heading: str) -> list[str]:
    """The lines under a heading."""
    lines = text.split("\n")
    start = lines.index(heading) + 1
    return [line.strip() for line in lines[start : lines.index("", start)]]


def test_first_look(run):
    result = run("evaluate", TOPICS, "--split", "0.8")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith(
        "method   0.8 of each class for training, the rest for testing; stratified, seed 1\n"
        f"corpus   {TOPICS}\n"
        "read as  reader=text tokenizer=words ngrams=1 encoding=windows-1252\n"
        "model    event-model=multinomial alpha=1.0 prior=learned stopwords=0 drop-top=0 min-count=1 min-docs=1\n"
        "tested   42 documents of 4 classes\n"
    )
    assert block(result.out, "accuracy") == [
        "the model                 0.9524  95 % interval 0.8421 to 0.9868",
        "always the largest class  0.2619",
        "guessing by the priors    0.2501  each class as often as in training",
    ]
    assert block(result.out, "confusion") == [
        "truth, answered:  a  b  c d all",
        "a astronomy      10  ·  1 ·  11",
        "b cooking         · 11  · ·  11",
        "c gardening       ·  · 10 ·  10",
        "d sailing         ·  ·  1 9  10",
        "1 of astronomy classified as gardening",
        "1 of sailing classified as gardening",
    ]


def test_ten_folds_unless_told_otherwise(run):
    result = run("evaluate", TOPICS)
    assert result.out.startswith("method   10-fold cross-validation, stratified, seed 1 (the default)\n")
    assert "± the standard deviation over the 10 parts" in result.out


def test_no_line_is_too_wide_for_twenty_classes(run, corpus):
    folder = corpus({f"class{c:02}/{n}.txt": f"word{c} word{c + n} word{n}" for c in range(20) for n in range(12)})
    result = run("evaluate", folder, "--folds", "3")
    assert max(map(len, result.out.split("\n"))) <= 110


def test_many_classes_have_their_confusions_in_words(run, corpus):
    folder = corpus({f"class{c:02}/{n}.txt": f"word{c} word{n}" for c in range(40) for n in range(3)})
    assert (
        "the matrix of 40 classes is too wide for a terminal; use --json" in run("evaluate", folder, "--folds", "3").out
    )


def test_same_seed_same_text(run):
    first, again, other = (run("evaluate", TOPICS, "--split", "0.8", "--seed", seed).out for seed in ("1", "1", "2"))
    assert first == again
    assert first != other


def test_corpus_and_settings_of_the_model(run, tmp_path):
    shutil.copytree(TOPICS, tmp_path / "topics")
    assert run("train", "topics", "--tokenizer", "chars:n=3", "--alpha", "0.5").status == 0
    found = record(run("evaluate", "--folds", "2", "--json"))
    assert found["corpora"] == ["topics"]
    assert (found["analysis"]["tokenizer"], found["hyperparameters"]["alpha"]) == ("chars:n=3", 0.5)
    assert record(run("evaluate", "--folds", "2", "--json", "--alpha", "2"))["hyperparameters"]["alpha"] == 2
    assert run("evaluate", "--tokenizer", "chars:n=3", "--folds", "2").status == 0
    other = run("evaluate", "--tokenizer", "split")
    assert other.status == 2
    assert "the model was trained with --tokenizer chars:n=3, not split; name a corpus to change it" in other.err


def test_a_named_corpus_needs_no_model(run):
    assert record(run("evaluate", TOPICS, "--tokenizer", "split", "--folds", "2", "--json"))["analysis"] == {
        "reader": "text",
        "tokenizer": "split",
        "ngrams": 1,
        "encoding": "windows-1252",
    }


def test_json_has_everything(run):
    found = record(
        run("evaluate", MAIL, "--positive", "spam", "--compare", "alpha=0.1", "--curve", "--suspects", "3", "--json")
    )
    assert found.keys() == {
        "method",
        "corpora",
        "test_corpora",
        "analysis",
        "hyperparameters",
        "labels",
        "positive",
        "unsure_below",
        "repeats",
        "parts",
        "tested",
        "right",
        "wrong",
        "unsure",
        "interval",
        "figures",
        "classes",
        "means",
        "confusion",
        "confused",
        "reliability",
        "coverage",
        "mail",
        "with_unread",
        "comparison",
        "curve",
        "suspects",
        "notes",
    }
    assert cells(found) == found["tested"] == sum(part["tested"] for part in found["parts"]) == 156
    assert found["figures"]["accuracy"]["value"] == found["right"] / found["tested"]
    assert len(found["parts"]) == 10
    assert len(found["suspects"]) == 3


# What is refused, and why


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--split", "1.0"], "a split of 1 is refused: it leaves nothing to test on"),
        (["--split", "0"], "a split of 0 is refused: it leaves nothing to train on"),
        (["--split", "-0.5"], "a split of -0.5 is refused: it leaves nothing to train on"),
        (["--folds", "0"], "fewer than 2 folds are refused: nothing would be left to train on"),
        (["--folds", "1"], "fewer than 2 folds are refused: nothing would be left to train on"),
        (["--folds", "5", "--split", "0.8"], "--folds and --split: choose one way to hold documents out"),
        (
            ["--leave-one-out", "--repeat", "2"],
            "--repeat has no effect with --leave-one-out, which chooses nothing at random",
        ),
        (["--positive", "fish"], "no class 'fish', named as positive"),
        (["--compare", "colour=red"], "'colour=red' should be written KEY=VALUE with one of ngrams, event-model"),
        (["--compare", "event-model=wrong"], "no event model 'wrong'"),
        (["--alpha", "0"], "alpha 0 is refused"),
        (["--max-false-alarms", "0.1"], "a limit on false alarms needs the positive label"),
        (["--leave-one-out", "--curve"], "a learning curve needs a split or folds"),
    ],
)
def test_refused_with_a_reason(run, options: list[str], reason: str):
    result = run("evaluate", TOPICS, *options)
    assert (result.status, result.out) == (2, "")
    assert reason in result.err


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"1.txt": "star moon"}, "no document there has a label and a token to test on"),
        ({"a/1.txt": "..."}, "no document there has a label and a token to test on"),
        ({}, "no document there has a label and a token to test on"),
    ],
)
def test_test_corpus_without_labels_is_refused(run, corpus, files, reason):
    test = corpus(files, name="test")
    for given in ([TOPICS], []):
        run("train", TOPICS)
        result = run("evaluate", *given, "--test", test)
        assert (result.status, result.out) == (2, "")
        assert reason in result.err


def test_test_file_without_labels_is_refused(run, tmp_path):
    (tmp_path / "test.txt").write_text("star moon")
    result = run("evaluate", TOPICS, "--test", "test.txt")
    assert result.status == 2
    assert "test.txt: not a folder with a folder for each class" in result.err


def test_no_model_and_no_corpus(run):
    result = run("evaluate")
    assert result.status == 3
    assert "model.nbtext" in result.err


# Rare classes


def test_rare_classes_in_a_split(run, corpus):
    folder = corpus(RARE)
    found = record(run("evaluate", folder, "--split", "0.8", "--json"))
    assert {label: figures["support"] for label, figures in found["classes"].items()} == {"common": 20, "rare": 1}
    assert cells(found) == found["tested"] == 21
    assert found["notes"] == [
        "the only text of a class stays in training; not tested, and left out of the means: single"
    ]


def test_rare_classes_in_folds(run, corpus):
    found = record(run("evaluate", corpus(RARE), "--folds", "10", "--json"))
    assert cells(found) == found["tested"] == 102
    assert "classes with fewer texts than folds are tested in some folds only: rare (2)" in found["notes"]
    assert run("evaluate", corpus(RARE), "--folds", "10").status == 0


def test_rare_classes_left_out_one_by_one(run, corpus):
    found = record(run("evaluate", corpus(RARE), "--leave-one-out", "--json"))
    assert cells(found) == found["tested"] == 102


def test_undefined_is_a_dash_explained_once(run, corpus):
    folder = corpus(
        {"a/1.txt": "sea", "a/2.txt": "sea wind", "a/3.txt": "sea sun", "b/1.txt": "sea soup", "b/2.txt": "sea salt"}
    )
    out = run("evaluate", folder, "--split", "0.5").out
    assert out.count("-: no value") == 1
    assert "nan" not in out.lower().replace("explanation", "")


# Test corpora


def test_the_model_itself_is_tested(run):
    run("train", TOPICS)
    found = record(run("evaluate", "--test", TOPICS, "--json"))
    assert found["method"] == "the model itself, on a given test corpus"
    assert (found["tested"], found["right"]) == (209, 209)
    assert found["notes"] == ["209 of the 209 documents tested repeat the text of a training document"]
    assert found["test_corpora"] == [str(TOPICS)]


def test_the_model_is_tested_as_classify_answers(run, corpus):
    run("train", TOPICS)
    test = corpus({"sailing/1.txt": "the sea and the mast", "cooking/2.txt": "the sea and the mast"}, name="test")
    found = record(run("evaluate", "--test", test, "--json"))
    label, posterior, _ = run("classify", test / "sailing/1.txt").out.split("\t")
    assert found["confusion"][label]["sailing"] + found["confusion"]["cooking"][label] == 2
    assert found["reliability"][0]["confidence"] == pytest.approx(float(posterior), abs=1e-6)


def test_given_training_and_test_corpora(run, corpus):
    train = corpus({"a/1.txt": "sea", "a/2.txt": "wind", "b/1.txt": "soup"}, name="train")
    test = corpus({"a/1.txt": "sea wind", "b/1.txt": "soup", "c/1.txt": "star"}, name="test")
    found = record(run("evaluate", train, "--test", test, "--json"))
    assert found["parts"] == [{"trained": 3, "tested": 3, "chosen": None}]
    assert (found["right"], found["wrong"]) == (2, 1)
    assert found["notes"] == [
        "classes that the model does not know are always missed: c",
        "1 of the 3 documents tested repeat the text of a training document",
    ]


def test_what_needs_the_training_documents_is_refused_for_a_model(run):
    run("train", TOPICS)
    result = run("evaluate", "--test", TOPICS, "--suspects", "3")
    assert result.status == 2
    assert "need the training documents: name the corpus" in result.err


# Further questions


def test_chronological(run, corpus):
    folder = corpus({f"{label}/{n}.txt": f"{label} number{n}" for label in "ab" for n in range(5)})
    for n in range(5):
        for label in "ab":
            os.utime(folder / f"{label}/{n}.txt", (n, n))
    result = run("evaluate", folder, "--chronological", "--split", "0.6")
    assert result.out.startswith("method   the oldest 6 documents for training, the newest 4 for testing\n")


def test_unsure_is_reported_apart(run):
    out = run("evaluate", TOPICS, "--split", "0.8", "--unsure-below", "0.9").out
    assert block(out, "accuracy")[-1] == "unsure below 0.9: 34 right + 0 wrong + 8 unsure = 42"


def test_mail(run):
    out = run("evaluate", MAIL, "--split", "0.7", "--positive", "spam", "--max-false-alarms", "0.05").out
    lines = block(out, "spam against the rest")
    assert [line.split("  ")[0] for line in lines[:5]] == ["false alarms", "misses", *["total cost ratio"] * 3]
    pasted = re.fullmatch(r"false alarms within 0.05: nbtext filter (--spam-above 0\.\d+ --ham-above 0\.\d+)", lines[5])
    assert pasted
    assert lines[6] == "chosen on held-out documents of the training part;"
    assert re.fullmatch(r"here it gives \d+ false alarms .* and \d+ misses .*; \d+ messages are unsure", lines[7])
    run("train", MAIL, "--reader", "mail")
    assert "\nX-Nbtext: " in run("filter", *pasted[1].split(), stdin="Subject: lunch\n\nat noon\n").out
    for method, chosen in (
        (("--folds", "3"), "held-out documents of the"),
        (("--leave-one-out",), "these same documents:"),
    ):
        assert (
            f"chosen on {chosen}"
            in run("evaluate", MAIL, *method, "--positive", "spam", "--max-false-alarms", "0.05").out
        )


def test_comparison(run):
    out = run(
        "evaluate", TOPICS, "--folds", "3", "--compare", "event-model=complement,alpha=0.1", "--compare", "alpha=1"
    ).out
    heading, first, second, third = block(out, "comparison")
    assert heading.split() == ["setting", "accuracy", "won", "tied", "lost", "p"]
    assert first.startswith("these settings")
    assert second.startswith("event-model=complement,alpha=0.1  0.9")
    assert third.split()[-7:] == ["0", "209", "0", "1", "may", "be", "chance"]


def test_curve(run):
    lines = block(run("evaluate", TOPICS, "--split", "0.8", "--curve").out, "learning curve")
    assert [line.split()[0] for line in lines[1:-1]] == ["1/16", "1/8", "1/4", "1/2", "1/1"]
    assert lines[-1].startswith("No clear gain from more labels")


def test_suspect_mail_is_shown_by_its_subject_and_text(run):
    shown = json.loads(run("evaluate", MAIL, "--reader", "mail", "--folds", "2", "--suspects", "1", "--json").out)[
        "suspects"
    ][0]
    message = (ROOT / shown["name"]).read_text(encoding="utf-8")
    [subject] = re.findall(r"^Subject: (.*)", message, re.MULTILINE)
    assert shown["excerpt"].startswith(subject)


def test_suspects(run, tmp_path):
    shutil.copytree(TOPICS, tmp_path / "topics")
    moved = tmp_path / "topics/sailing/zz-moved.txt"
    shutil.move(min((tmp_path / "topics/cooking").iterdir()), moved)
    lines = block(run("evaluate", "topics", "--folds", "2", "--suspects", "2").out, "suspects")
    assert lines[0].split() == ["label", "suggested", "strength", "document", "text"]
    assert any(line.startswith("sailing") and "cooking" in line and moved.name in line for line in lines[1:])


def test_names_cannot_forge_lines(run, corpus):
    files = {f"a\nb/{n}.txt": f"sea number{n}" for n in range(4)} | {
        f"c\x1b[31m/{n}.txt": f"soup n{n}" for n in range(4)
    }
    out = run("evaluate", corpus(files | {"one\tonly/1.txt": "x"}), "--folds", "2", "--suspects", "2").out
    assert "\x1b" not in out
    assert r"a\nb" in out
    assert r"one\tonly" in out


def test_what_was_skipped_is_counted(run, corpus):
    folder = corpus(
        {"a/1.txt": "sea", "a/2.txt": "wind", "b/1.txt": "soup", "b/2.txt": "seed", "b/3.txt": "", "loose.txt": "x"}
    )
    notes = record(run("evaluate", folder, "--folds", "2", "--json"))["notes"]
    assert notes == ["skipped, empty: 1", "skipped, loose file: 1"]


def test_unreadable_input_shows_in_the_status(run, corpus):
    folder = corpus({"a/1.txt": "sea", "a/2.txt": "wind", "b/1.txt": "soup", "b/2.txt": "seed", "b/3.txt": "\0\0"})
    result = run("evaluate", folder, "--folds", "2")
    assert "binary" in result.out
    (folder / "b/4.txt").symlink_to("nowhere")
    result = run("evaluate", folder, "--folds", "2")
    assert result.status == 3
    assert "dangling link" in result.out


def test_tuning_is_done_for_each_part_on_the_others_alone(run):
    found = record(run("evaluate", TOPICS, "--folds", "3", "--tune", "--json"))
    assert found["method"].endswith("tuned for each part")
    chosen = Counter(part["chosen"] for part in found["parts"])
    assert sum(chosen.values()) == 3
    assert found["notes"] == [f"chosen in {count} of 3: {setting}" for setting, count in chosen.most_common()]


def test_report_of_tuning_names_no_setting_that_was_not_chosen(run):
    tuned = ("evaluate", TOPICS, "--split", "0.8", "--tune")
    read_as, model = (line for line in run(*tuned).out.splitlines() if line.startswith(("read as ", "model ")))
    assert "ngrams=chosen" in read_as.split()
    assert model.split()[1:4] == ["event-model=chosen", "alpha=chosen", "prior=learned"]
    found = record(run(*tuned, "--json"))
    assert [
        found["analysis"]["ngrams"],
        found["hyperparameters"]["event_model"],
        found["hyperparameters"]["alpha"],
    ] == [None] * 3
    assert (found["analysis"]["tokenizer"], found["hyperparameters"]["prior"]) == ("words", "learned")


def test_tuning_of_a_part_that_leaves_a_document_of_each_class_keeps_table_6_2(run, corpus):
    folder = corpus({"a/1.txt": "sea", "a/2.txt": "wind", "b/1.txt": "soup", "b/2.txt": "bread"})
    found = record(run("evaluate", folder, "--split", "0.5", "--tune", "--json"))
    assert found["notes"] == ["chosen in 1 of 1: multinomial, alpha 1, n-grams 1"]


def test_tuned_part_is_judged_like_one_under_the_setting_that_was_chosen(run):
    judged = ["evaluate", MAIL, "--reader", "mail", "--split", "0.7", "--json"]
    judged += ["--positive", "spam", "--max-false-alarms", "0.01", "--unsure-below", "0.9"]
    tuned = record(run(*judged, "--tune"))
    event_model, alpha, ngrams, *weighted = (word.split()[-1] for word in tuned["parts"][0]["chosen"].split(", "))
    chosen = ["--event-model", event_model, "--alpha", alpha, "--ngrams", ngrams]
    given = record(run(*judged, *chosen, "--weights", "fitted" if weighted else "none"))
    assert tuned["mail"]["ceiling"]["on_training"]
    assert tuned["unsure_below"] == 0.9
    alike = tuned.keys() - {"method", "analysis", "hyperparameters", "parts", "notes"}
    assert {name: tuned[name] for name in alike} == {name: given[name] for name in alike}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([TOPICS, "--alpha", "1"], "--tune chooses alpha"),
        ([TOPICS, "--leave-one-out"], "--tune cannot be combined with --leave-one-out"),
        (
            [TOPICS, "--compare", "alpha=2", "--curve", "--suspects", "1"],
            "combined with --compare, --curve, --suspects",
        ),
        ([TOPICS, "--max-false-alarms", "0.1"], "needs the positive label"),
        ([], "--tune needs a corpus"),
    ],
)
def test_tuning_refuses_what_it_has_no_part_for(run, options: list[str], message: str):
    result = run("evaluate", *options, "--tune")
    assert (result.status, result.out) == (2, "")
    assert message in result.err


LEARNED = {f"a/{n}.txt": f"red apple {n}" for n in range(5)} | {f"b/{n}.txt": f"blue car {n}" for n in range(4)}
TESTED = {f"a/{n}.txt": f"red apple {n}" for n in range(3)} | {f"b/{n}.txt": f"blue car {n}" for n in range(2)}
NOT_TESTED = {"a/empty.txt": "", "a/binary.txt": b"\0\1\2\3" * 50, "b/empty.txt": "!", "b/dashes.txt": "--"}


def test_what_is_empty_or_not_read_counts_as_classify_would_answer_it(run, corpus):
    """The prior is for a, and of three empty documents one is of a; a binary file gets no answer at all."""
    ways = "evaluate", corpus(LEARNED), "--test", corpus(TESTED | NOT_TESTED, "test")
    found = record(run(*ways, "--json"))
    assert found["figures"]["accuracy"]["value"] == 1
    assert found["with_unread"] == {"accuracy": 6 / 9, "documents": 9, "empty": 3, "refused": 1, "right": 1}
    shown = "all 9 documents: the prior is right for 1 of 3 empty ones; 1 not read, counted as wrong"
    assert f"including untested ones   0.6667  {shown}" in block(run(*ways).out, "accuracy")
    assert record(run(*ways, "--prior", "b=0.9", "--json"))["with_unread"]["right"] == 2


def test_a_model_is_measured_so_too(run, corpus):
    run("train", corpus(LEARNED))
    found = record(run("evaluate", "--test", corpus(TESTED | NOT_TESTED, "test"), "--json"))
    assert found["with_unread"]["accuracy"] == 6 / 9


@pytest.mark.parametrize(("way", "is_counted"), [(("--folds", "2"), True), (("--split", "0.5"), False)])
def test_what_is_empty_counts_where_every_document_is_tested(run, corpus, way, is_counted):
    found = record(run("evaluate", corpus(TESTED | NOT_TESTED), *way, "--json"))
    assert bool(found["with_unread"]) == is_counted


def test_where_all_is_tested_there_is_one_figure(run, corpus):
    assert record(run("evaluate", corpus(LEARNED), "--folds", "2", "--json"))["with_unread"] is None


def test_longer_ngrams_are_compared_as_models_of_their_own_have_them(run):
    """What --compare ngrams=2 finds is what evaluating with --ngrams 2 finds, and the first model is as it was."""
    ways = "--folds", "3", "--json"
    compared = record(run("evaluate", TOPICS, *ways, "--compare", "ngrams=2,event-model=binary"))
    pairs = record(run("evaluate", TOPICS, *ways, "--ngrams", "2", "--event-model", "binary"))
    single = record(run("evaluate", TOPICS, *ways))
    assert compared["figures"] == single["figures"]
    assert compared["analysis"]["ngrams"] == 1
    assert compared["comparison"][1]["accuracy"] == pairs["figures"]["accuracy"]
    assert run("evaluate", TOPICS, "--compare", "ngrams=0").status == 2


@pytest.mark.parametrize(("classes", "shown"), [(2, []), (3, ["2"]), (4, ["2", "3"])])
def test_that_the_truth_is_among_all_classes_is_no_news(run, corpus, classes, shown):
    folder = corpus({f"{label}/{n}.txt": f"word{label} w{n}" for label in "abcd"[:classes] for n in range(2)})
    measures = block(run("evaluate", folder, "--folds", "2").out, "measures")
    assert [line.split()[2] for line in measures if line.startswith("truth among")] == shown


def test_equal_texts_are_said_to_stay_on_one_side(run, corpus):
    corpus({f"{label}/{n}.txt": f"{label} {n % 4}" for label in "ab" for n in range(5)})
    note = "4 documents share their text with another; equal texts stay on one side, in training or in testing"
    assert note in run("evaluate", "corpus", "--folds", "2").out
    assert note in run("evaluate", "corpus", "--split", "0.5").out
    corpus({f"{label}/{n}.txt": f"{label} {n}" for label in "ab" for n in range(5)})
    assert "share their text" not in run("evaluate", "corpus", "--folds", "2").out
