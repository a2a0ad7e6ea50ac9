"""The texts of single documents, read anew from wherever they are."""

import tarfile

from nbtext import Analysis
from nbtext.evaluation import texts


def test_texts_of_files_records_and_members_of_archives(corpus):
    folder = corpus({"a/1.txt": "one", "a/2.txt": "two", "b/3.txt": "three"})
    assert texts.texts({f"{folder}/a/2.txt"}, [str(folder)], Analysis()) == {f"{folder}/a/2.txt": "two"}
    table = corpus({"t.csv": "label,text\na,one\nb,two\n"}, name="tables") / "t.csv"
    found = texts.texts({f"{table}:3"}, [str(table)], Analysis(reader="csv"))
    assert found == {f"{table}:3": "two"}
    archive = folder.parent / "packed.tar"
    with tarfile.open(archive, "w") as packed:
        packed.add(folder, "corpus")
    name = f"{archive}/corpus/b/3.txt"
    assert texts.texts({name}, [str(archive)], Analysis()) == {name: "three"}


def test_text_that_is_gone_or_long_is_no_trouble(corpus):
    folder = corpus({"a/1.txt": "x" * 10_000})
    found = texts.texts({f"{folder}/a/1.txt", "gone.txt"}, [str(folder)], Analysis())
    assert {name: len(text) for name, text in found.items()} == {f"{folder}/a/1.txt": texts.MOST_CHARACTERS}
    assert texts.texts(set(), ["no such folder"], Analysis()) == {}
