"""Counting documents: what a batch says, and that the compiled kernel and the plain one say the same of any text."""

import subprocess
import sys
import tarfile
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nbtext import plugins, tokenizers
from nbtext.analysis import Analysis
from nbtext.decoding import decoder
from nbtext.kernel import Batch
from nbtext.kernel.indexer import Indexer
from nbtext.readers import Document
from nbtext.tokenizers import Tokenize

from .kernels import both, compiled, native

Parts = Sequence[tuple[str, str]]

SPECS = ["words", "words:nfkc=1", "tokens", "tokens:nfkc=1", "split", "chars", "chars:n=3,min=1,edges=1"]
SPECS += ["words-chars", "words-chars:n=3,min=1"]


def tokenize_as(spec: str) -> Tokenize:
    return plugins.made(tokenizers, spec)  # type: ignore[return-value]


def plain_text(*texts: str) -> list[Parts]:
    """Documents of one untagged part each."""
    return [[("", text)] for text in texts]


def lists(buffers: Iterable[Sequence[int]]) -> list[list[int]]:
    return [list(buffer) for buffer in buffers]


def state(indexer: Indexer) -> list[Any]:
    """All that an Indexer says of its terms."""
    counts = indexer.word_count, indexer.gram_count
    return [indexer.words(), counts, *lists((indexer.tag_lengths(), *indexer.grams()))]


def spelled(indexer: Indexer) -> Callable[[int], str]:
    """The function from a term to its text."""
    words = indexer.words().split(b"\n")
    tags, (prefixes, lasts) = indexer.tag_lengths(), indexer.grams()

    def text(term: int) -> bytes:
        if term >= 0:
            return words[term]
        return text(prefixes[~term]) + b" " + words[lasts[~term]][tags[lasts[~term]] :]

    return lambda term: text(term).decode()


def counted(indexer: Indexer, batch: Batch) -> list[dict[str, int]]:
    """How often each token occurs in each document, in order of first occurrence."""
    text = spelled(indexer)
    bounds = zip(batch.starts, batch.starts[1:], strict=False)
    entries = [(text(term), number) for term, number in zip(batch.terms, batch.occurrences, strict=True)]
    return [dict(entries[start:end]) for start, end in bounds]


# What a batch says ----------------------------------------------------------------------------------------------------


@both("Indexer")
def test_words_are_numbered_and_counted_in_order_of_first_occurrence(indexer):
    made = indexer(tokenize_as("words"))
    batch = made.add(plain_text("red blue red", "", "green blue"))
    assert lists(batch) == [[0, 2, 2, 4], [0, 1, 2, 1], [2, 1, 1, 1], [3, 0, 2]]
    assert made.words() == b"red\nblue\ngreen"
    assert (made.word_count, made.gram_count) == (3, 0)


@both("Indexer")
@pytest.mark.parametrize("known", [False, True])
def test_an_empty_token_of_a_function_is_a_word_though_nothing_was_read_before(indexer, known):
    batch = indexer(lambda text: [text]).add(plain_text("", ""), known=known)
    assert lists(batch)[1:] == [[0, 0], [1, 1], [1, 1]] if not known else [[], [], [1, 1]]


@both("Indexer")
def test_numbers_last_from_batch_to_batch(indexer):
    made = indexer(tokenize_as("words"))
    made.add(plain_text("red blue"))
    assert lists(made.add(plain_text("green blue")))[1] == [2, 1]


@both("Indexer")
def test_buffers_have_the_sizes_they_promise(indexer):
    batch = indexer(tokenize_as("words")).add(plain_text("red"))
    assert [memoryview(field).itemsize for field in batch] == [8, 4, 4, 8]


@both("Indexer")
def test_ngrams_are_made_of_a_shorter_one_and_a_word(indexer):
    made = indexer(tokenize_as("words"), 3)
    batch = made.add(plain_text("a b c a b"))
    assert counted(made, batch) == [
        {"a": 2, "b": 2, "c": 1, "a b": 2, "b c": 1, "c a": 1, "a b c": 1, "b c a": 1, "c a b": 1}
    ]
    assert lists(made.grams()) == [[0, 1, 2, ~0, ~1, ~2], [1, 2, 0, 2, 0, 1]]
    assert list(batch.tokens) == [5 + 4 + 3]


@both("Indexer")
def test_ngrams_do_not_leave_their_part(indexer):
    made = indexer(tokenize_as("words"), 2)
    assert counted(made, made.add([[("", "a"), ("", "b c")]])) == [{"a": 1, "b": 1, "c": 1, "b c": 1}]


@both("Indexer")
def test_tag_begins_a_token_once(indexer):
    made = indexer(tokenize_as("words"), 2)
    batch = made.add([[("subject", "free offer"), ("", "free")]])
    assert counted(made, batch) == [{"subject:free": 1, "subject:offer": 1, "subject:free offer": 1, "free": 1}]
    assert list(made.tag_lengths()) == [8, 8, 0]


@both("Indexer")
def test_tag_that_cannot_be_printed_is_refused(indexer):
    with pytest.raises(ValueError, match=r"the tag 'a\\nb' cannot begin a token"):
        indexer(tokenize_as("words")).add([[("a\nb", "")]])


@both("Indexer")
def test_ngrams_of_no_tokens_are_refused(indexer):
    with pytest.raises(ValueError, match="ngrams should be at least 1, not 0"):
        indexer(tokenize_as("words"), 0)


@both("Indexer")
def test_same_bytes_are_the_same_word_whatever_is_tag(indexer):
    made = indexer(str.split, 2)
    batch = made.add([[("", "title:win big"), ("title", "win big")]])
    assert counted(made, batch) == [{"title:win": 2, "big": 1, "title:win big": 2, "title:big": 1}]


@both("Indexer")
def test_ngram_ends_as_its_part_says_though_the_word_was_seen_without_tag(indexer):
    made = indexer(str.split, 2)
    made.add([[("", "a:x")]])
    assert counted(made, made.add([[("a", "y x")]])) == [{"a:y": 1, "a:x": 1, "a:y x": 1}]
    assert made.words().split(b"\n") == [b"a:x", b"a:y", b"x"]  # the last is there to be referred to


@both("Indexer")
def test_three_ways_to_tag_one_word(indexer):
    made = indexer(str.split, 2)
    batch = made.add([[("b", "x"), ("", "a:b:x"), ("a", "y b:x"), ("a:b", "y x")]])
    assert [*counted(made, batch)[0]] == ["b:x", "a:b:x", "a:y", "a:y b:x", "a:b:y", "a:b:y x"]


@both("Indexer")
def test_text_cannot_forge_the_tokens_of_a_tag(indexer):
    made = indexer(tokenize_as("split"), 2)
    batch = made.add([[("", "title:win big a:"), ("title", "win :win")]])
    assert [*counted(made, batch)[0]] == [
        *(":title:win", "big", ":a:", ":title:win big", "big :a:"),
        *("title:win", "title:::win", "title:win ::win"),
    ]


# Known terms alone ----------------------------------------------------------------------------------------------------


@both("Indexer")
def test_unknown_terms_are_left_out_but_counted_as_tokens(indexer):
    made = indexer(tokenize_as("words"), 2)
    made.add(plain_text("red blue green"))
    before = state(made)
    batch = made.add(plain_text("red blue black red green", "white"), known=True)
    assert counted(made, batch) == [{"red": 2, "blue": 1, "green": 1, "red blue": 1}, {}]
    assert list(batch.tokens) == [9, 1]
    assert state(made) == before


@both("Indexer")
def test_terms_are_numbered_again_after_a_batch_of_known_ones(indexer):
    made = indexer(tokenize_as("chars:n=2"))
    made.add(plain_text("abc"), known=True)
    assert made.word_count == 0
    assert list(made.add(plain_text("abc")).terms) == [0, 1]


# Terms of another Indexer ---------------------------------------------------------------------------------------------


def exported(indexer: Indexer) -> tuple[Any, ...]:
    return (indexer.words(), *indexer.grams(), indexer.tag_lengths())


@both("Indexer")
def test_merged_terms_are_found_under_their_own_numbers(indexer):
    one, other = indexer(tokenize_as("words"), 2), indexer(tokenize_as("words"), 2)
    one.add([[("", "red blue green")]])
    other.add([[("", "blue green red"), ("t", "blue green")]])
    words, grams = one.merge(*exported(other))
    assert list(words) == [1, 2, 0, 3, 4]
    assert list(grams) == [1, 2, 3]
    assert [spelled(one)(~gram) for gram in grams] == [spelled(other)(~gram) for gram in range(other.gram_count)]


@both("Indexer")
def test_merging_into_an_empty_one_makes_its_equal(indexer):
    one, other = indexer(tokenize_as("words"), 3), indexer(tokenize_as("words"), 3)
    documents = [[("", "a b c a b"), ("t", "c b a"), ("", "a b c a")]]
    other.add(documents)
    one.merge(*exported(other))
    assert state(one) == state(other)
    assert lists(one.add(documents, known=True)) == lists(other.add(documents))


@both("Indexer")
def test_terms_given_twice_have_one_number(indexer):
    made = indexer(tokenize_as("words"), 2)
    words, grams = made.merge(b"a\nb\na", ints(0, 2), ints(1, 1), ints(0, 0, 0))
    assert (list(words), list(grams)) == ([0, 1, 0], [0, 0])


@both("Indexer")
def test_nothing_can_be_merged(indexer):
    assert lists(indexer(tokenize_as("words")).merge(b"", ints(), ints(), ints())) == [[], []]


@both("Indexer")
@pytest.mark.parametrize(
    ("words", "prefixes", "lasts", "tags"),
    [
        (b"a\nb", (), (), (0,)),
        (b"a", (), (), ()),
        (b"a", (0,), (), (0,)),
        (b"a", (1,), (0,), (0,)),
        (b"a", (0,), (1,), (0,)),
        (b"a", (0,), (-1,), (0,)),
        (b"a", (~0,), (0,), (0,)),
        (b"a", (), (), (2,)),
        (b"a", (), (), (-1,)),
    ],
)
def test_terms_that_contradict_each_other_are_refused(indexer, words, prefixes, lasts, tags):
    with pytest.raises(ValueError, match=r"."):
        indexer(tokenize_as("words")).merge(words, ints(*prefixes), ints(*lasts), ints(*tags))


def ints(*numbers: int) -> Any:
    return array("i", numbers)


# Any tokenizer --------------------------------------------------------------------------------------------------------


@both("Indexer")
def test_tokenizer_of_a_stranger_is_called(indexer):
    made = indexer(lambda text: text.upper().split("-"), 2)
    assert counted(made, made.add([[("", "a-b-b"), ("t", "ß")]])) == [{"A": 1, "B": 2, "A B": 1, "B B": 1, "t:SS": 1}]


@both("Indexer")
def test_failure_of_a_tokenizer_is_forgotten(indexer):
    def tokenize(text: str) -> list[str]:
        if text.endswith("e\u0301"):
            raise RuntimeError("no")
        return words(text)

    words = tokenize_as("words")
    made = indexer(tokenizers.ruled(tokenize, tokenizers.Rules(tokenize)))
    with pytest.raises(RuntimeError, match="no"):
        made.add(plain_text("a e\u0301", "b"))
    assert made.words() == b""
    assert counted(made, made.add(plain_text("b"))) == [{"b": 1}]


@both("Indexer")
def test_failure_of_a_stranger_is_passed_on_and_forgotten(indexer):
    def tokenize(text: str) -> list[str]:
        if text == "bad":
            raise RuntimeError("no")
        return text.split()

    made = indexer(tokenize)
    with pytest.raises(RuntimeError, match="no"):
        made.add(plain_text("a b", "bad"))
    assert lists(made.add(plain_text("b b"))) == [[0, 1], [1], [2], [2]]


# Both kernels, and the tokenizers, agree on any text ------------------------------------------------------------------

HARD = "aÉßİıǰﬃŉΣς’'ʼ_1½²\u0301\u0307\u0338\u0345\u0323\u0316\u034f\u05b4हि्\u093c\u1806᠇\u200c\u200d\u200b\u00ad\ufe0f"
HARD += "\u20e3ی世を゙ーﾞﾊ々ที่ຳ\u1100\u1161\u11a8각\uf900㍿❤👍🏽🇩🇪!<⋯\ufffd\0\x1b\x85\ud800\u2028\u3000  "
BLOCKS = st.integers(0, 0x10FF).map(lambda block: chr(block << 8))
near_blocks = st.builds(lambda first, step: chr(ord(first) + step), BLOCKS, st.integers(0, 255))
any_character = st.one_of(
    st.sampled_from(HARD), st.sampled_from(HARD), near_blocks, st.characters(max_codepoint=0x3100)
)
any_text = st.text(any_character) | st.text(HARD) | st.sampled_from(HARD).map(lambda each: each * 70)
any_part = st.tuples(st.sampled_from(["", "", "t", "größe", "a:b"]), any_text)


def agree(documents: Sequence[Parts], spec: str, ngrams: int = 1) -> None:
    """Both kernels say the same of the documents, and it is what the tokenizer says."""
    one, other = native.Indexer(tokenize_as(spec), ngrams), Indexer(tokenize_as(spec), ngrams)
    batch, expected = one.add(documents), other.add(documents)
    assert lists(batch) == lists(expected)
    assert state(one) == state(other)
    assert lists(one.add(documents, known=True)) == lists(expected) == lists(other.add(documents, known=True))


@compiled
@pytest.mark.parametrize("spec", SPECS)
@given(text=any_text)
@example("a\u200c" + "ی\u200cی" * 3 + " b")
@example("x" * 65 + "'" + "é" * 64 + " 世" + "\u0301" * 70 + "界" + "ß" * 33 + "-" * 70)
def test_kernels_agree_on_any_text(spec: str, text: str) -> None:
    agree(plain_text(text), spec)


@compiled
@pytest.mark.parametrize("spec", ["words", "tokens", "split", "chars", "words-chars"])
@given(documents=st.lists(st.lists(any_part, max_size=4), max_size=4), ngrams=st.integers(1, 4))
def test_kernels_agree_on_any_documents(spec: str, documents: list[Parts], ngrams: int) -> None:
    agree(documents, spec, ngrams)


@both("Indexer")
@given(part=any_part, ngrams=st.integers(1, 3))
def test_tokens_are_those_of_the_analysis(indexer: Any, part: tuple[str, str], ngrams: int) -> None:
    analysis = Analysis(ngrams=ngrams)
    made = indexer(analysis.tokenize(), ngrams)
    assert counted(made, made.add([[part]])) == [Counter(analysis.tokens()(Document([part])))]


@compiled
@given(batches=st.lists(st.lists(st.lists(any_part, max_size=3), max_size=3), max_size=4), ngrams=st.integers(1, 3))
def test_kernels_agree_on_what_is_merged(batches: list[list[Parts]], ngrams: int) -> None:
    merged = []
    for indexer in native.Indexer, Indexer:
        into = indexer(tokenize_as("split"), ngrams)
        numbers = []
        for documents in batches:
            other = indexer(tokenize_as("split"), ngrams)
            other.add(documents)
            numbers.append(lists(into.merge(*exported(other))))
        merged.append((numbers, state(into)))
    assert merged[0] == merged[1]


# Pages of 256 code points that are much alike: Han, Hangul; not assigned, or of private use
IDEOGRAPHS = [
    range(0x3500, 0x9F00, 256),
    range(0xAD00, 0xD600, 256),
    range(0x20100, 0x2F700, 256),
    range(0x30000, 0x32000, 256),
]
UNUSED = [range(0xE100, 0xF800, 256), range(0x32000, 0xE0000, 256), range(0xE0200, 0x10FF00, 256)]


def every_page(step: int) -> Iterable[range]:
    """The code points by pages, but of pages that are alike only every so manieth, and none that are unused."""
    skipped = {page for pages in UNUSED for page in pages}
    skipped |= {page for pages in IDEOGRAPHS for page in pages if (page >> 8) % step}
    return (range(page, page + 256) for page in range(0, sys.maxunicode, 256) if page not in skipped)


ON_CHARACTERS = ["words", "words:nfkc=1", "tokens", "split"]


@compiled
@pytest.mark.parametrize("spec", ON_CHARACTERS)
def test_kernels_agree_on_every_character_by_one_of_the_tokenizers(spec: str) -> None:
    agree_on_pages(list(every_page(16))[ON_CHARACTERS.index(spec) :: len(ON_CHARACTERS)], spec)


@compiled
@pytest.mark.thorough
@pytest.mark.parametrize("spec", ON_CHARACTERS)
def test_kernels_agree_on_every_character(spec: str) -> None:
    agree_on_pages(every_page(1), spec)


def agree_on_pages(pages: Iterable[range], spec: str) -> None:
    one, other = native.Indexer(tokenize_as(spec)), Indexer(tokenize_as(spec))
    for page in pages:
        around = (f"a{c}b’{c} 世{c}{c} {c}\u0315\u0316\u200d{c} {c}\u200c世 \u0316{c}" for c in map(chr, page))
        documents = plain_text(" ".join(around))
        assert lists(one.add(documents)) == lists(other.add(documents)), hex(page.start)
    assert state(one) == state(other)


@compiled
@pytest.mark.parametrize("spec", ["words", "tokens", "split", "chars", "words-chars"])
@pytest.mark.parametrize(
    "name", ["20news-bydate", "haber1150-tr", "lid75", "livedoor-ja", "polarity2000", "r8", "sms-spam", "spamassassin"]
)
def test_kernels_agree_on_real_texts(spec: str, name: str, shared: Path) -> None:
    decode = decoder("windows-1252")
    files = some_files(shared / "corpora" / f"{name}.tar.xz")
    agree([[("", decode(content)[:20_000]), ("name", path)] for path, content in files], spec, 3)


@cache
def some_files(path: Path, number: int = 25) -> list[tuple[str, bytes]]:
    """About so many files of an archive, from its beginning to its end, with their paths."""
    with tarfile.open(path) as archive:
        files = [member for member in archive.getmembers() if member.isfile()]
        found = [(file.name, archive.extractfile(file)) for file in files[:: len(files) // number or 1]]
        return [(name, stream.read()) for name, stream in found if stream]


# Threads --------------------------------------------------------------------------------------------------------------


@both("Indexer")
def test_each_thread_has_an_indexer(indexer):
    documents = plain_text("red blue", "Größe 世界", "क़ि 👍🏽") * 50
    expected = lists(indexer(tokenize_as("tokens"), 2).add(documents))
    found: list[Any] = []
    threads = [
        Thread(target=lambda: found.append(lists(indexer(tokenize_as("tokens"), 2).add(documents)))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@compiled
def test_latin_1_is_indexed_without_the_module_for_all_other_characters() -> None:
    script = """if True:
        import sys
        from nbtext.kernel._indexer import Indexer
        from nbtext.tokenizers import words
        indexer = Indexer(words.make(), 2)
        indexer.add([[("", bytes(range(256)).decode("latin-1"))]])
        assert "regex" not in sys.modules
        indexer.add([[("", "Łódź")]])
        assert "regex" in sys.modules
    """
    subprocess.run([sys.executable, "-c", script], check=True)
