"""scikit-learn: run_sklearn.py train PIPELINE FOLDER MODEL [ENCODING], or classify MODEL PATH

Prints label, certainty and name of every file, with tabs between. The certainty, given for two classes, is the margin
or the logarithm of the odds, squashed into 0 to 1: probabilities themselves are nearly all 1, and could not be ranked.
"""

import os
import sys

import joblib  # type: ignore[import-untyped]
import numpy as np


def paths(folder):
    """Every file below a folder, sorted."""
    return sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)


def pipeline(name, encoding):
    """The steps of a name, as they come but for where documents are read from."""
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.naive_bayes import ComplementNB, MultinomialNB
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    reading = {"input": "filename", "encoding": encoding, "decode_error": "replace"}
    if name == "multinomial":
        return make_pipeline(CountVectorizer(**reading), MultinomialNB())
    if name == "complement":
        return make_pipeline(TfidfVectorizer(**reading), ComplementNB())
    if name == "characters":
        vectorizer = CountVectorizer(input="filename", decode_error="ignore", analyzer="char_wb", ngram_range=(4, 4))
        return make_pipeline(vectorizer, MultinomialNB())
    analyzer, longest = {"svm": ("word", 1), "svm-pairs": ("word", 2), "svm-characters": ("char_wb", 4)}[name]
    vectorizer = TfidfVectorizer(**reading, analyzer=analyzer, ngram_range=(1, longest), sublinear_tf=True)
    return make_pipeline(vectorizer, LinearSVC())


def train(name, folder, model, encoding="latin-1"):
    """Learn a folder with a folder per class."""
    files = paths(folder)
    joblib.dump(pipeline(name, encoding).fit(files, [path.split(os.sep)[-2] for path in files]), model)


def classify(model, path):
    """All the files of a folder, or one."""
    learned = joblib.load(model)
    files = paths(path) if os.path.isdir(path) else [path]
    decide = learned.decision_function if hasattr(learned, "decision_function") else learned.predict_log_proba
    scores = decide(files)
    if len(learned.classes_) > 2:
        sure = [""] * len(files)
    else:
        margins = scores if scores.ndim == 1 else scores[:, 1] - scores[:, 0]
        sure = 0.5 + np.arctan(abs(margins)) / np.pi
        scores = np.column_stack([-margins, margins])
    for file, best, certainty in zip(files, scores.argmax(1), sure, strict=True):
        print(learned.classes_[best], certainty, file, sep="\t")


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    if command == "train":
        train(*arguments)
    else:
        classify(*arguments)
