"""The standard streams, read to the end and written to the end whatever kind of pipe, socket or device they are.

Whoever started us (Node and ssh are known for it) may have left a pipe non-blocking. Python then takes "nothing yet"
for the end of the input, and drops the output that finds no room. To make the pipe blocking again would change it for
all who share it, so we wait instead. Every error carries the name of its stream as that of its file.
"""

import sys
from io import BufferedReader, BufferedWriter, RawIOBase, TextIOWrapper
from typing import Any, BinaryIO, TextIO

STANDARD_INPUT, STANDARD_OUTPUT, STANDARD_ERROR = "standard input", "standard output", "standard error"
BUFFER_BYTES = 1 << 16


class PatientReader(RawIOBase):
    """A raw stream to read from, which waits where a non-blocking one has nothing to give yet."""

    def __init__(self, raw: RawIOBase) -> None:
        self.raw = raw

    def readable(self) -> bool:
        """True."""
        return True

    def fileno(self) -> int:
        """The number of the open file."""
        return self.raw.fileno()

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self.raw.isatty()

    def readinto(self, buffer: Any) -> int:
        """How many bytes were read: none only at the end of the stream."""
        try:
            while (size := self.raw.readinto(buffer)) is None:
                _wait(reading=self)
        except OSError as error:
            error.filename = STANDARD_INPUT
            raise
        return size


def prepare() -> None:
    """Make standard input wait, and give standard output the buffer that PYTHONUNBUFFERED takes away.

    Without a buffer Python does not try again where a write was cut short.
    """
    if (raw := _raw(sys.stdin)) and not isinstance(raw, PatientReader):
        sys.stdin = TextIOWrapper(BufferedReader(PatientReader(raw), BUFFER_BYTES), sys.stdin.encoding)
    for name in "stdout", "stderr":
        stream = getattr(sys, name)
        if (raw := _raw(stream)) and stream.buffer is raw:
            setattr(sys, name, TextIOWrapper(BufferedWriter(raw), stream.encoding, stream.errors))


def _raw(stream: TextIO | None) -> RawIOBase | None:
    """What reads and writes the open file; None if the stream is closed or has no file, as in tests."""
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    return raw if isinstance(raw, RawIOBase) else None


def send(stream: TextIO, data: bytes) -> None:
    """Hand all of the data to a stream that is written to; it leaves with `flush`, if not before.

    Raises: OSError if that fails.
    """
    rest = memoryview(data)
    try:
        while rest:
            try:
                stream.buffer.write(rest)
                return
            except BlockingIOError as full:
                rest = rest[full.characters_written :]
                _wait(writing=stream.buffer)
    except OSError as error:
        error.filename = _name(stream)
        raise


def flush(stream: TextIO) -> None:
    """Let everything go that the stream was handed.

    Raises: OSError if that fails.
    """
    try:
        while True:
            try:
                stream.flush()
                return
            except BlockingIOError:
                _wait(writing=stream.buffer)
    except OSError as error:
        error.filename = _name(stream)
        raise


def _name(stream: TextIO) -> str:
    return STANDARD_ERROR if stream is sys.stderr else STANDARD_OUTPUT


def _wait(*, reading: RawIOBase | None = None, writing: BinaryIO | None = None) -> None:
    """Until there is something to read, or room to write."""
    from select import select  # hardly any process has to wait

    select([reading] if reading else [], [writing] if writing else [], [])
