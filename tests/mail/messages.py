"""What is read from a message, in a form that tests can compare."""

import io

from nbtext.readers import mail
from tests.fuzz.fuzz_mail import decode


def parts(message):
    [document] = mail.read(io.BytesIO(message), "m.eml", decode)
    assert (document.name, document.label) == ("m.eml", None)
    return document.parts


def text(message, tag=""):
    """All the words of one tag."""
    return " ".join(" ".join(text for found, text in parts(message) if found == tag).split())


def mime(*entities, boundary=b"x"):
    """A multipart of entities, each given as header and body together."""
    inside = b"".join(b"--" + boundary + b"\n" + entity + b"\n" for entity in entities)
    return b'Content-Type: multipart/mixed; boundary="' + boundary + b'"\n\n' + inside + b"--" + boundary + b"--\n"
