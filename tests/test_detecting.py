"""--encoding auto: encodings other than UTF-8 are told from the bytes, by the package of the extra `detect`."""

import sys

import pytest

from nbtext.decoding import Decoder, decoder
from nbtext.errors import ChoiceError

RUSSIAN = "Корабль идёт на север, ветер крепчает, парус пора убрать."
CZECH = "Večer šel kůň domů přes řeku, děti ještě žádaly příběh o šťastné lodi."
JAPANESE = "港に船が着いた。風が強いので帆を下ろした。"
ENCODED = [(RUSSIAN, "koi8-r"), (RUSSIAN, "windows-1251"), (CZECH, "iso8859-2"), (JAPANESE, "euc-jp")]


@pytest.mark.parametrize(("text", "encoding"), ENCODED)
def test_a_text_is_read_in_its_own_encoding(text, encoding):
    decode = decoder("auto")
    assert decode(text.encode(encoding)) == text
    assert decode("naïve".encode()) == "naïve"


@pytest.mark.parametrize("data", [b"\x81", b"\xff\xfe\xfd \x00\xe9", bytes(range(128, 256)), b"caf\xe9"])
def test_any_bytes_are_text(data):
    assert "\ufffd" not in decoder("auto")(data)


def test_what_a_text_is_in_does_not_decide_about_the_next():
    decode = decoder("auto")
    for text, encoding in ENCODED * 2:
        assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("reader", ["lines", "csv", "tsv", "jsonl", "fasttext"])
@pytest.mark.parametrize(("text", "encoding"), ENCODED)
def test_the_lines_of_a_file_have_one_encoding(run, tmp_path, reader, text, encoding):
    """The last is too short to tell by itself; a file that is UTF-8 is read as such."""
    rows = [("a", text), ("b", "calm sea"), ("a", text.split()[0][:3])]
    table = {
        "lines": [row[1] for row in rows],
        "csv": ["label,text", *(f'{label},"{line}"' for label, line in rows)],
        "tsv": ["\t".join(row) for row in rows],
        "jsonl": [f'{{"label": "{label}", "text": "{line}"}}' for label, line in rows],
        "fasttext": [f"__label__{label} {line}" for label, line in rows],
    }[reader]
    written = "\n".join(table) + "\n"
    (tmp_path / "old").write_bytes(written.encode(encoding))
    (tmp_path / "new").write_text(written)
    read = ("tokens", "--no-model", "--reader", reader, "--encoding")
    assert run(*read, "auto", "old").out == run(*read, "latin-1", "new").out
    piped = run("tokens", "--no-model", "--reader", reader, "--encoding", "auto", stdin=written.encode(encoding))
    assert piped.out == run(*read, "latin-1", "new").out


def test_a_model_remembers_that_encodings_are_detected(run, corpus):
    corpus({"sea/1": RUSSIAN.encode("koi8-r"), "horse/1": CZECH.encode("iso8859-2")})
    trained = run("train", "corpus", "--encoding", "auto")
    assert "not UTF-8, read as detected: 2 (" in trained.out
    assert run("classify", stdin=RUSSIAN.encode("windows-1251")).out.startswith("sea\t")


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "chardet", None)
    with pytest.raises(ChoiceError, match=r"^--encoding auto needs .* pip install 'nbtext\[detect\]'$"):
        decoder("auto")


def test_an_encoding_that_python_lacks_leaves_the_usual_one(monkeypatch):
    import chardet

    monkeypatch.setattr(chardet, "detect", lambda _: {"encoding": "no such"})
    assert Decoder("auto")(b"caf\xe9") == "café"
