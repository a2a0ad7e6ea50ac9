"""NLTK: run_nltk.py train FOLDER MODEL, or classify MODEL PATH

Prints label, probability and name of every file, with tabs between.
"""

import os
import pickle
import sys

from convert import cleaned, paths  # type: ignore[import-not-found]


def features(path):
    """Which words a file has."""
    return dict.fromkeys(cleaned(path).decode().split(), True)


def train(folder, model):
    """Learn a folder with a folder per class."""
    from nltk.classify import NaiveBayesClassifier  # type: ignore[import-not-found]

    learned = NaiveBayesClassifier.train((features(path), path.split(os.sep)[-2]) for path in paths(folder))
    with open(model, "wb") as file:
        pickle.dump(learned, file)


def classify(model, path):
    """All the files of a folder, or one."""
    with open(model, "rb") as file:
        learned = pickle.load(file)
    for name in paths(path) if os.path.isdir(path) else [path]:
        answer = learned.prob_classify(features(name))
        print(answer.max(), answer.prob(answer.max()), name, sep="\t")


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    if command == "train":
        train(*arguments)
    else:
        classify(*arguments)
