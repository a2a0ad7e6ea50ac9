"""What the tests of several commands share: a small corpus, labels that are odd, and the output in pieces."""

import json

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
CORPUS = {
    "ham/1.txt": "lunch with anna at noon",
    "ham/2.txt": "minutes of the meeting at noon",
    "spam/1.txt": "win cash now",
    "spam/2.txt": "win a free prize now",
}
ODD_LABELS = [
    "not spam",
    "-rf",
    "--help",
    "日本",
    "a:b|c",
    "NA",
    "01",
    "(sure)",
    "tab\tnewline\nescape\x1b[31m",
    "café",
    "\udcff",
]


def records(result):
    """The JSON objects that a command printed."""
    assert (result.err, result.status) == ("", 0)
    return [json.loads(line) for line in result.out.splitlines()]


def fields(result):
    """The records that a command printed, cut at tabs."""
    return [line.split("\t") for line in result.out.splitlines()]
