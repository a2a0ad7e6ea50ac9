"""Shared by the HTML pages: each is one self-contained file, and no document text can become markup.

A page loads no script, font or picture, and has a policy that forbids all these.
"""

from html import escape

from ..escaping import escaped

JOINERS = "\u200c\u200d"  # invisible, but some scripts cannot be read without them


def head(title: str, style: str) -> str:
    """The page up to its body."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style.strip()}
</style>
</head>
<body>"""


def shown(text: str) -> str:
    r"""The text escaped for HTML, with escapes for characters that cannot be printed or could reverse the text.

    >>> print(shown("a < b\u202e"))
    a &lt; b\u202e
    """
    if not text.isprintable():
        keep = "\n\t\\" + JOINERS
        text = "".join(char if char in keep else escaped(char) for char in text)
    return escape(text)
