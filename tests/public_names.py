"""A script that uses every public name of nbtext; `make types` checks it strictly, as it checks a user's."""

import sys
from collections.abc import Iterator

import nbtext


def errors() -> Iterator[type[nbtext.NbtextError]]:
    yield from (nbtext.ChoiceError, nbtext.CorpusError, nbtext.ModelError)
    yield type(nbtext.DocumentError("nothing to read", reason="empty"))


def learned(path: str, message: nbtext.Document) -> int:
    """How many documents a model has after learning a message, which it then forgets."""
    with nbtext.Model.open(path, writable=True) as model:
        nbtext.learn(model, "sailing", [message])
        documents = sum(model.documents)
        nbtext.unlearn(model, "sailing", [message])
    return documents


def answered(model: nbtext.Model, text: str) -> tuple[str, float, int]:
    """The label, its posterior, and how many terms decided."""
    classifier = nbtext.Classifier(model, nbtext.Hyperparameters(alpha=0.5), unsure_below=0.1)
    decision: nbtext.Decision = classifier(text)
    explanation: nbtext.Explanation = nbtext.explain(model, text)
    return decision.label, decision.posterior, len(explanation.terms)


def main(corpus: str, path: str) -> None:
    analysis, limits = nbtext.Analysis(ngrams=2), nbtext.Limits(strict=True)
    print("nbtext", nbtext.__version__, *(error.__name__ for error in errors()))
    model = nbtext.train(corpus, path, analysis, limits=limits)
    other = nbtext.train_documents({"sailing": ["a reef in the main"], "cooking": ["salt"]}, None, analysis)
    print(sum(nbtext.merge([model, other], None).documents) - sum(model.documents))
    print(learned(path, nbtext.Document([("", "the squall came through")], "sailing")) - sum(model.documents))
    print(*answered(model, "Reef the main"))
    print([decision.label for decision in nbtext.classify(model, ["Reef the main before the squall"])])
    print([finding.kind for finding in nbtext.check(corpus, analysis, limits)])
    print(nbtext.evaluate(corpus, method=nbtext.Method(folds=2)).evaluation)
    print(nbtext.NaiveBayes().fit(["lunch at noon", "win cash"], ["ham", "spam"]).predict(["cash"]).tolist())


if __name__ == "__main__":
    main(*sys.argv[1:])
