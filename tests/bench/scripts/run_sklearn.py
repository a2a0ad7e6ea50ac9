"""scikit-learn: run_sklearn.py train PIPELINE FOLDER MODEL, or classify MODEL PATH

Prints label, probability and name of every file, with tabs between; a margin is squashed into 0 to 1.
"""

import os
import sys

import joblib  # type: ignore[import-untyped]
import numpy as np


def paths(folder):
    """Every file below a folder, sorted."""
    return sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)


def pipeline(name):
    """The steps of a name, as they come but for where documents are read from."""
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.naive_bayes import ComplementNB, MultinomialNB
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    reading = {"input": "filename", "encoding": "latin-1"}
    if name == "multinomial":
        return make_pipeline(CountVectorizer(**reading), MultinomialNB())
    if name == "complement":
        return make_pipeline(TfidfVectorizer(**reading), ComplementNB())
    return make_pipeline(TfidfVectorizer(**reading, sublinear_tf=True), LinearSVC())


def train(name, folder, model):
    """Learn a folder with a folder per class."""
    files = paths(folder)
    joblib.dump(pipeline(name).fit(files, [path.split(os.sep)[-2] for path in files]), model)


def classify(model, path):
    """All the files of a folder, or one."""
    learned = joblib.load(model)
    files = paths(path) if os.path.isdir(path) else [path]
    labels = learned.classes_
    if hasattr(learned, "predict_proba"):
        probabilities = learned.predict_proba(files)
    else:
        margins = learned.decision_function(files)
        squashed = 1 / (1 + np.exp(-margins))
        probabilities = squashed if squashed.ndim == 2 else np.column_stack([1 - squashed, squashed])
    for file, best, probability in zip(files, probabilities.argmax(1), probabilities.max(1), strict=True):
        print(labels[best], probability, file, sep="\t")


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    if command == "train":
        train(*arguments)
    else:
        classify(*arguments)
