"""nbtext merge: what it prints and its status, in process."""

from .common import records


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
