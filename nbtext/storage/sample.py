"""Documents kept in a model file for calibration, as bags of tokens."""

from collections.abc import Mapping


def bag_text(bag: Mapping[str, int]) -> str:
    """A document's bag of tokens as text for the file: "count token" entries, tokens sorted.

    >>> bag_text({"win": 2, "free offer": 1})
    '1 free offer\\n2 win'
    """
    return "\n".join(f"{bag[token]} {token}" for token in sorted(bag))


def bag_of(text: str) -> dict[str, int]:
    """The inverse of `bag_text`.

    >>> bag_of("1 free offer\\n2 win")
    {'free offer': 1, 'win': 2}

    Raises: ValueError for any other text: with a count below 1, a repeated token or tokens out of order.
    """
    entries = (line.partition(" ") for line in text.split("\n"))
    bag = {token: int(count) for count, _, token in entries}
    if min(bag.values()) < 1 or bag_text(bag) != text:
        raise ValueError("not a bag of tokens")
    return bag
