"""How many spams pass when good words that nobody sees are put on top of their pages, here and with bogofilter.

    python -m tests.bench.scripts.hidden_padding CORPUS

CORPUS has the folders ham and spam. A quarter of each is held out. Of the spams held out, those that are one plain page
are padded with words that the ham of the other three quarters favours most, once for each way of hiding them and each
amount.
"""

import argparse
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from nbtext import Classifier, Model
from nbtext.classification.filtering import document

WAYS = {
    "not padded": b"",
    "shown": b"<p>%s</p>",
    "display: none": b'<p style="display:none">%s</p>',
    "class in a sheet": b"<style>.q{display:none}</style><p class=q>%s</p>",
    "sheet below": b"<p class=q>%s</p>",
    "off screen": b'<div style="position:absolute;left:-9999px">%s</div>',
    "transparent": b'<p style="color:transparent">%s</p>',
    "white on white": b'<div style="background:#fff;color:rgb(254,255,253)">%s</div>',
    "opacity": b'<div style="opacity:0">%s</div>',
    "mso-hide": b'<span style="mso-hide:all">%s</span>',
    "no height": b'<div style="max-height:0;overflow:hidden">%s</div>',
    "no size": b'<p style="font:0px serif">%s</p>',
}
PAGE = re.compile(rb"(?im)^content-type:\s*text/html")
ENCODED = re.compile(rb"(?im)^content-transfer-encoding:\s*(?:base64|quoted-printable)")
BODY = re.compile(rb"(?i)<body\b[^>]*>|<html\b[^>]*>(?!.*<body)|\n\n", re.DOTALL)
SPAM_CUTOFF = 0.5
AMOUNTS = [500, 2000, 6500, 20_000]


def held_out(folder: Path, chance: random.Random) -> tuple[list[Path], list[Path]]:
    """The files to learn from, and those to test with."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    chance.shuffle(files)
    return files[len(files) // 4 :], files[: len(files) // 4]


def good_words(ham: list[Path], spam: list[Path], characters: int, chance: random.Random) -> bytes:
    """Words that favour ham most, by the messages that have them, in no order, up to so many characters."""
    in_ham, in_spam = (
        Counter(word for path in files for word in set(re.findall(rb"\b[a-z]{3,12}\b", path.read_bytes().lower())))
        for files in (ham, spam)
    )
    ranked = sorted(in_ham, key=lambda word: (-in_ham[word] / (in_spam[word] + 1), word))[:1500]
    chance.shuffle(ranked)
    return b" ".join(ranked)[:characters].rpartition(b" ")[0]


def is_plain_page(message: bytes) -> bool:
    """Whether a message is one page of HTML, as it is read."""
    head = message.partition(b"\n\n")[0]
    return bool(PAGE.search(head)) and not ENCODED.search(head)


def padded(message: bytes, padding: bytes, way: str) -> bytes:
    """A page with padding on top of what it shows."""
    if not WAYS[way]:
        return message
    body = BODY.search(message)
    at = body.end() if body else len(message)
    below = b"<style>.q{display:none}</style>" if way == "sheet below" else b""
    return message[:at] + WAYS[way] % padding + message[at:] + below


def bogofilter(folder: Path, messages: list[bytes]) -> Iterator[float]:
    """The spamicity of each message."""
    for message in messages:
        answer = subprocess.run(["bogofilter", "-C", "-d", folder, "-TT"], input=message, capture_output=True)
        yield float(answer.stdout.split()[-1])


def main(corpus: Path, seed: int, most: int, amounts: list[int], options: list[str]) -> None:
    """Train both, and print how many of the spams each misses, a line for each way."""
    chance = random.Random(seed)
    parts = {label: held_out(corpus / label, chance) for label in ("ham", "spam")}
    with TemporaryDirectory() as name:
        folder = Path(name)
        for label, (learned, _) in parts.items():
            (folder / "corpus" / label).mkdir(parents=True)
            for path in learned:
                (folder / "corpus" / label / path.name).symlink_to(path.resolve())
        model = str(folder / "mail.nbtext")
        command = [sys.executable, "-P", "-m", "nbtext", "train", "--reader", "mail", *options, "-m", model]
        subprocess.run([*command, str(folder / "corpus")], check=True, stdout=subprocess.DEVNULL)
        for label, flag in (("ham", "-n"), ("spam", "-s")):
            files = "\n".join(map(str, parts[label][0])).encode()
            subprocess.run(["bogofilter", "-C", "-d", folder, flag, "-b"], input=files, check=True)
        classify = Classifier(Model.open(model))
        pages = list(filter(is_plain_page, (path.read_bytes() for path in parts["spam"][1])))[:most]
        paddings = [good_words(parts["ham"][0], parts["spam"][0], amount, chance) for amount in amounts]
        print(f"of {len(pages)} spams, missed at {SPAM_CUTOFF} by nbtext and bogofilter, by characters of padding")
        print(f"{'':18}" + "".join(f"{amount:>12,}" for amount in amounts))
        for way in WAYS:
            cells = []
            for padding in paddings:
                messages = [padded(message, padding, way) for message in pages]
                ours = sum(
                    classify(document(message, classify.model)).posteriors["spam"] < SPAM_CUTOFF for message in messages
                )
                theirs = sum(spamicity < SPAM_CUTOFF for spamicity in bogofilter(folder, messages))
                cells.append(f"{ours:7} {theirs:4}")
            print(f"{way:18}" + "".join(cells), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=92)
    parser.add_argument("--characters", type=int, action="append", default=[], help="of padding; can be repeated")
    parser.add_argument("--option", action="append", default=[], help="an option of nbtext train, such as --tune")
    arguments = parser.parse_args()
    main(arguments.corpus, arguments.seed, arguments.most, arguments.characters or AMOUNTS, arguments.option)
