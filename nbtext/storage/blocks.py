"""Blocks of tokens: runs of some thirty sorted tokens with their counts, each a row of the model file."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

BLOCK = 32  # tokens in a new block; one that has grown beyond twice as many is split


class Block(NamedTuple):
    """A run of tokens.

    first   its key: all tokens from this on are its own, "" in the first block
    tokens  those that have counts, sorted
    counts  the counts of each as text: class, occurrences, documents, class, ...
    next    the key of the block after it, from which on tokens are not its own; None in the last block
    """

    first: str
    tokens: Sequence[str]
    counts: Sequence[str]
    next: str | None

    def values(self) -> tuple[str, str, str, str | None]:
        """The block as a row of the file.

        Raises: ValueError for a token with a line break.
        """
        tokens, counts = "\n".join(self.tokens), "\n".join(self.counts)
        if tokens.count("\n") > counts.count("\n"):
            raise ValueError("a token with a line break, which no tokenizer may make")
        return self.first, tokens, counts, self.next

    def get(self, token: str) -> str | None:
        """The counts of a token of its own, if it has any."""
        place = bisect_left(self.tokens, token)
        return self.counts[place] if self.tokens[place : place + 1] == [token] else None


def read_block(first: str, tokens: str, counts: str, following: str | None) -> Block:
    """The block that `Block.values` wrote down.

    >>> read_block("", "at\\nlunch", "0,2,1\\n0,1,1", None).get("lunch")
    '0,1,1'

    Raises: ValueError if it does not have as many counts as tokens.
    """
    block = Block(first, _lines(tokens), _lines(counts), following)
    if len(block.tokens) != len(block.counts):
        raise ValueError(f"{len(block.tokens)} tokens have {len(block.counts)} counts")
    return block


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def covers(first: str, following: str | None, token: str) -> bool:
    """Whether the block of these keys is the one that a token belongs into."""
    return first <= token and (following is None or token < following)


def cut_blocks(parts: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Iterator[Block]:
    """The blocks of sorted tokens and their counts, which come in parts of any size.

    >>> [block.tokens for block in cut_blocks([(["at"], ["0,2,1"]), (["lunch", "noon"], ["0,1,1", "0,1,1"])])]
    [['at', 'lunch', 'noon']]
    """
    first, tokens, counts = "", list[str](), list[str]()
    for more_tokens, more_counts in parts:
        tokens += more_tokens
        counts += more_counts
        whole = max(0, len(tokens) - 1) // BLOCK * BLOCK  # at least one stays, in case it is the last
        for start in range(0, whole, BLOCK):
            end = start + BLOCK
            yield Block(first, tokens[start:end], counts[start:end], tokens[end])
            first = tokens[end]
        del tokens[:whole], counts[:whole]
    yield Block(first, tokens, counts, None)


def changed_blocks(block: Block, changes: Mapping[str, str]) -> list[Block]:
    """The blocks in the place of one some of whose tokens have new counts; empty text takes a token out.

    >>> changed_blocks(Block("", ["at", "noon"], ["0,2,1", "0,1,1"], None), {"lunch": "1,1,1", "at": ""})
    [Block(first='', tokens=['lunch', 'noon'], counts=['1,1,1', '0,1,1'], next=None)]
    """
    tokens, counts = list(block.tokens), list(block.counts)
    for token, row in changes.items():
        place = bisect_left(tokens, token)
        old = slice(place, place + (tokens[place : place + 1] == [token]))
        tokens[old], counts[old] = ([token], [row]) if row else ([], [])
    if len(tokens) <= 2 * BLOCK:
        return [block._replace(tokens=tokens, counts=counts)]
    first, *more = cut_blocks([(tokens, counts)])
    return [first._replace(first=block.first), *more[:-1], more[-1]._replace(next=block.next)]
