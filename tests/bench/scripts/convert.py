"""Texts to a line each: convert.py {fasttext,vw} FOLDER FILE [--unlabelled]

Letters are lower-cased and everything but letters, digits and what is not ASCII becomes a space. Labelled lines are
shuffled with a seed, as both programs learn in the order of the file; the others keep the order of the sorted paths.
"""

import os
import random
import sys

_WORD = b"abcdefghijklmnopqrstuvwxyz0123456789_"
TABLE = bytes(byte if byte in _WORD or byte > 127 else byte + 32 if chr(byte).isupper() else 32 for byte in range(256))


def cleaned(path):
    """The words of a file, with a space between."""
    with open(path, "rb") as file:
        text = b" ".join(file.read().translate(TABLE).split())
    return text if text.isascii() else text.decode("latin-1").encode()


def paths(folder):
    """Every file below a folder, sorted component by component."""
    found = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    return sorted(found, key=lambda path: path.split(os.sep))


def main(form, folder, output, unlabelled=None):
    """Write the file."""
    files = paths(folder)
    labels = sorted({path.split(os.sep)[-2] for path in files})
    starts = {
        label: (f"__label__{label} " if form == "fasttext" else f"{number} | ").encode()
        for number, label in enumerate(labels, 1)
    }
    if not unlabelled:
        random.Random(1).shuffle(files)
    with open(output, "wb") as out:
        for path in files:
            start = b"| " if unlabelled else starts[path.split(os.sep)[-2]]
            out.write(start + cleaned(path) + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
