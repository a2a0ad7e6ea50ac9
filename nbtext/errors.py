"""The errors of nbtext. The command line maps them to exit statuses.

A message names the place, what was wrong there, what was found and what to do, in one line without a full stop.
`ValueError` means a programmer's mistake, not a user's, as usual in Python.
"""


class NbtextError(Exception):
    """The base of the four below; never raised itself."""


class CorpusError(NbtextError):
    """Nothing can be learned from this: no such folder, no class, a single class, no token left."""


class DocumentError(NbtextError):
    """One input cannot be read; the others of its batch still can.

    reason  its kind, for counting in a summary: "binary", "unreadable", "damaged", "too large"
    """

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type["DocumentError"], tuple[str, str]]:
        return type(self), (str(self), self.reason)  # workers send it to the main process


class ModelError(NbtextError):
    """The model cannot be used: missing, not a model, too new, damaged, or contradicted by the request."""


class ChoiceError(NbtextError):
    """No reader, tokenizer, event model or option of that name; the message lists the existing ones."""


def unopened(path: str, reason: object) -> ModelError:
    """The error that a model cannot be opened, or a file made beside it, if only the system's reason is known.

    >>> print(unopened("gone/m", "No such file or directory"))
    gone/m: cannot be opened (No such file or directory); does the folder exist, and can you write to it?
    """
    return ModelError(f"{path}: cannot be opened ({reason}); does the folder exist, and can you write to it?")
