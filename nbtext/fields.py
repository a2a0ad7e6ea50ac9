"""Which columns of a table, or fields of a record, are read, and as what. Attributes are evidence beside the text.

The token of a category is its name and value, as in `=outlook:sunny`; that of a number is like `=#height:1.75`. Texts
have no such tokens, because no tag of a text begins with an equals sign: see `is_attribute`.
"""

import re
from collections.abc import Container
from functools import cache
from typing import Any, NamedTuple

from .errors import ChoiceError

ATTRIBUTE = "="  # begins the token of an attribute
NUMBER = "#"  # begins the name of a numeric attribute
EMPTY = "=:"  # the token of a document without any token, if such documents count
LONGEST_NUMBER = 60  # characters
INFINITE = float("inf")

# `re` compiles these when they are first used, as most commands need neither
_NO_TAG = r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffd]"
_QUOTED = rf"[%:#]|{_NO_TAG}"
_NUMBER = r"(?a)[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"


class Numeral(str):
    """A number as text, in the form in which it is counted: see `decimal`."""


class Fields(NamedTuple):
    """Which columns or fields are read. Empty ones are chosen by their usual names, see `readers._fields`.

    text        columns of text; if there are several, each is a tagged part of its own
    label, id   the columns of the label and of the document's identifier
    category    columns whose values are categories
    number      columns whose values are numbers
    header      whether the first row of a table names its columns; else they are 1, 2, 3, ...
    delimiter   the separator of columns; empty to find it from the header
    keep_empty  whether documents without a token count, as in Table 6.2
    plain       the tag of text that has no columns, if the texts of the model have tags
    labelled    whether labels are read; documents to be classified need no label, and not all attributes
    """

    text: tuple[str, ...] = ()
    label: str = ""
    id: str = ""
    category: tuple[str, ...] = ()
    number: tuple[str, ...] = ()
    header: bool = True
    delimiter: str = ""
    keep_empty: bool = False
    plain: str = ""
    labelled: bool = True

    def spec(self) -> str:
        """The choices as JSON, as a model file keeps them; empty if nothing is chosen.

        >>> Fields(text=("body",), header=False).spec()
        '{"text": ["body"], "header": false}'
        """
        chosen = {name: value for name, value in self._asdict().items() if value != self._field_defaults[name]}
        if not chosen:
            return ""
        import json

        return json.dumps(chosen, ensure_ascii=False)

    @classmethod
    def of(cls, spec: str) -> "Fields":
        """The inverse of `spec`.

        Raises: ChoiceError for any other text.
        """
        if not spec:
            return cls()
        import json

        try:
            plain = json.loads(spec)
            chosen: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in plain.items()}
            found = cls(**chosen)
            usual = cls._field_defaults
            if any(type(value) is not type(usual[name]) for name, value in found._asdict().items()):
                raise TypeError("a value of another type")
            if not all(isinstance(each, str) for name in (found.text, found.category, found.number) for each in name):
                raise TypeError("a column that is no name")
        except (TypeError, ValueError, AttributeError) as error:
            raise ChoiceError(f"not a choice of columns: {spec!r} ({error})") from None
        return found

    @property
    def names_columns(self) -> bool:
        """Whether anything is chosen that only tables and records have."""
        return self._replace(keep_empty=False, plain="", labelled=True) != Fields()

    def without_columns(self) -> "Fields":
        """The fields for plain text, which has no columns: it counts as the last of several columns of text.

        >>> Fields(text=("subject", "message"), label="queue").without_columns().plain
        'message'
        """
        return Fields(keep_empty=self.keep_empty, plain=tag(self.text[-1]) if len(self.text) > 1 else "")


USUAL = Fields()


def tag(name: str) -> str:
    """The tag of a column of text, in lower case; never equal to that of an attribute."""
    return quoted(name.lower()).lstrip(ATTRIBUTE) or "text"


def check_tag(tag: str) -> str:
    """The tag, if tokens of a text may begin with it.

    Raises: ValueError if it has white space, as n-grams have, or control characters, or is that of an attribute.
    """
    odd = " " in tag or not tag.isprintable()  # most are not, so that no pattern is needed
    if tag[:1] == ATTRIBUTE or (odd and re.search(_NO_TAG, tag)):
        raise ValueError(
            f"the tag {tag!r} cannot begin a token: it must have no white space and no control characters, and not "
            f"begin with {ATTRIBUTE}"
        )
    return tag


def quoted(text: str) -> str:
    r"""A name or value, with the characters quoted that a token cannot have or that would end it.

    >>> quoted("New York: 50 %")
    'New%20York%3A%2050%20%25'
    """
    return re.sub(_QUOTED, lambda found: f"%{ord(found[0]):02X}" if found[0] < "\x7f" else "%20", text)


def unquoted(text: str) -> str:
    """The inverse of `quoted`, to print.

    >>> unquoted("New%20York")
    'New York'
    """
    return re.sub("%([0-9A-F]{2})", lambda found: chr(int(found[1], 16)), text)


def is_attribute(token: str) -> bool:
    """Whether a token is the value of an attribute, or the token of an empty document.

    >>> is_attribute("=outlook:sunny"), is_attribute("="), is_attribute("= :")
    (True, False, False)
    """
    return token[:1] == ATTRIBUTE and ":" in token and " " not in token


def attribute_part(name: str, value: str | float) -> tuple[str, str]:
    """The tag and the text of an attribute: a string is a category, a number is numeric.

    >>> attribute_part("outlook", "very sunny"), attribute_part("body height", 1.75)
    (('=outlook', 'very sunny'), ('=#body%20height', '1.75'))

    Raises: ValueError for a number that cannot be counted.
    """
    if isinstance(value, str) and not isinstance(value, Numeral):
        return _tag_of_attribute("", name), value
    number = value if isinstance(value, Numeral) else decimal(str(value))
    if number is None:
        raise ValueError(f"{name} {no_number(str(value))}: {value!r}")
    return _tag_of_attribute(NUMBER, name), number


@cache
def _tag_of_attribute(mark: str, name: str) -> str:
    return ATTRIBUTE + mark + quoted(name)


def attribute_token(name: str, value: str | float) -> str:
    """The token of an attribute.

    >>> attribute_token("outlook", "very sunny")
    '=outlook:very%20sunny'
    """
    tag, text = attribute_part(name, value)
    return f"{tag}:{quoted(text)}"


def attribute_of(token: str) -> tuple[str, str]:
    """The name and the value of an attribute's token, quoted.

    >>> attribute_of("=outlook:sunny")
    ('outlook', 'sunny')
    """
    name, _, value = token[1:].partition(":")
    return name, value


def attribute_name(name: str) -> str:
    """The name of an attribute's column, to print.

    >>> attribute_name("#body%20height")
    'body height'
    """
    return unquoted(name.lstrip(NUMBER))


def token_shown(token: str) -> str:
    """A token to print: an attribute as NAME=VALUE.

    >>> token_shown("=outlook:very%20sunny"), token_shown("sunny")
    ('outlook=very sunny', 'sunny')
    """
    if not is_attribute(token):
        return token
    name, value = attribute_of(token)
    return f"{attribute_name(name)}={unquoted(value)}"


def token_asked(word: str, numbers: Container[str] = ()) -> str:
    """The token of an attribute written NAME=VALUE; any other word is itself.

    numbers  the names of those that are numbers, with their mark

    >>> token_asked("outlook=very sunny"), token_asked("height=1.50", {"#height"}), token_asked("sunny")
    ('=outlook:very%20sunny', '=#height:1.5', 'sunny')
    """
    name, equals, value = word.partition("=")
    if not (name and equals):
        return word
    number = decimal(value) if NUMBER + quoted(name) in numbers else None
    return attribute_token(name, number or value)


def decimal(text: str) -> Numeral | None:
    """A number in the form in which it is counted, so that 1.50 and 1.5 are equal; None if `no_number` has a reason.

    >>> decimal(" 1.50"), decimal("-0"), decimal("12e2"), decimal("1,5"), decimal("inf")
    ('1.5', '0', '1200', None, None)
    """
    text = text.strip()
    if len(text) > LONGEST_NUMBER or not re.fullmatch(_NUMBER, text):
        return None
    if not text.lower().partition("e")[0].strip("+-0."):
        return Numeral("0")
    if not 0 < abs(float(text)) < INFINITE:
        return None
    from decimal import Context, Decimal

    return Numeral(f"{Decimal(text).normalize(Context(prec=200)):f}")


def no_number(text: str) -> str:
    """Why `decimal` gives None.

    >>> no_number("1,5"), no_number("1e400")
    ('is not a number', 'is outside the range of numbers, 4.9e-324 to 1.8e308')
    """
    if not re.fullmatch(_NUMBER, text.strip()):
        return "is not a number"
    if len(text.strip()) > LONGEST_NUMBER:
        return f"is a number of more than {LONGEST_NUMBER} characters"
    return "is outside the range of numbers, 4.9e-324 to 1.8e308"
