"""Names, tokens and numbers as people see them: nothing drives a terminal, nothing is lost."""

import json

from hypothesis import given
from hypothesis import strategies as st

from nbtext import Document, train_documents
from nbtext.analysis import Analysis
from nbtext.escaping import escaped
from nbtext.report import json_line

from .conftest import Run

# What drives a terminal, turns text around, or starts a line: C0, C1, bidirectional controls, separators
HOSTILE = "\x1b[31m\x07\x9b31m\x85\u202e\u2066\u200f\u2028\u2029\xad\ufeff"


@given(st.text() | st.text(st.sampled_from(HOSTILE)))
def test_what_is_escaped_can_be_printed_and_names_its_text(text: str):
    assert escaped(text).isprintable()
    assert escaped(text).encode("ascii", "backslashreplace").decode("unicode_escape") == text


def test_printable_text_is_left_as_it_is():
    assert escaped("plain café, 語") == "plain café, 語"


@given(st.text() | st.text(st.sampled_from(HOSTILE + "\udcff")))
def test_an_object_is_printable_json_of_the_same_text(text: str):
    line = json_line({text: [text]})
    assert line.isprintable()
    assert json.loads(line) == {text: [text]}


def test_show_escapes_the_tokens_of_a_model(tmp_path, run: Run):
    token = HOSTILE.replace("\x85", "").replace("\u2028", "").replace("\u2029", "")  # which would split it
    texts = [Document([("", f"{token} win")], f"spam{token}"), Document([("", "lunch")], "ham")]
    train_documents(texts, str(tmp_path / "model.nbtext"), Analysis(tokenizer="split"))
    for options in ["--top", "9"], ["--word", token], []:
        for form in [], ["--json"]:
            shown = run("show", *options, *form)
            assert shown.status == 0
            assert all(line.isprintable() for line in shown.out.splitlines())
            assert (r"\u202e" in shown.out) is (r"\x1b" in shown.out or r"\u001b" in shown.out) is True
