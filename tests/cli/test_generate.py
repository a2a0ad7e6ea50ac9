"""nbtext generate: what it prints and its status, in process."""

from collections import Counter

from .common import fields, records


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
