"""An mbox: messages one after the other. `mail.boxes` separates them, `mail.evidence` reads them."""

from collections.abc import Iterator
from typing import BinaryIO

from ..decoding import Decoder
from ..errors import DocumentError
from ..mail.boxes import BoxError, messages
from ..mail.dates import Dated
from ..mail.evidence import parts
from . import Document, Skipped

LABELLED = False
KIND = "mail"
LINES = False


def read(stream: BinaryIO, name: str, decode: Decoder) -> Iterator[Document | Skipped]:
    r"""The messages of a box, named `NAME:1`, `NAME:2` and so on; those that a mail program has deleted are skipped.

    >>> from io import BytesIO
    >>> box = BytesIO(b"From ann@example.org Thu Jan  1 09:00:00 2026\nSubject: lunch\n\nat noon\n\n" * 2)
    >>> [document.name for document in read(box, "box", Decoder())]
    ['box:1', 'box:2']

    Raises: DocumentError ("too large") at a message that is too large, after those before it.
    """
    most = decode.limits.document_bytes
    try:
        for number, (message, no_mail) in enumerate(messages(stream, most), start=1):
            place = f"{name}:{number}"
            if no_mail:
                yield Skipped(place, no_mail, f"{place}: {WHY[no_mail]}, not read")
            else:
                yield Document(parts(message, decode), None, place, Dated(message))
    except BoxError:
        raise DocumentError(
            f"{name}: a message over {most:,} bytes; remove it from the mailbox, or raise --largest", "too large"
        ) from None


WHY = {
    "deleted": "deleted by the mail program, which has not compacted the mailbox yet",
    "internal data": "not a message, but a mail program's note about the mailbox",
}
