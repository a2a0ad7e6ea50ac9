"""Standard streams that are read and written to the end, whatever kind of pipe, socket or device they are.

The program that started nbtext may have left a pipe non-blocking, as Node and ssh do. Python then treats "nothing yet"
as the end of the input, and drops output for which there is no room. Making the pipe blocking again would change it for
all programs that share it, so nbtext waits instead. In every error, `filename` names the stream.
"""

import sys
from collections.abc import Sequence
from io import BufferedReader, BufferedWriter, RawIOBase, TextIOWrapper
from typing import Any, BinaryIO, TextIO

STANDARD_INPUT, STANDARD_OUTPUT, STANDARD_ERROR = "standard input", "standard output", "standard error"
BUFFER_BYTES = 1 << 16
MOST_AHEAD = 1 << 26  # bytes


class PatientReader(RawIOBase):
    """A raw stream that waits when a non-blocking one has no input yet."""

    def __init__(self, raw: RawIOBase) -> None:
        self.raw = raw
        self.ahead = bytearray()  # read already, and not yet asked for
        self.goes_on = False  # whether somebody reads from here, and the stream has not ended

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
        """The number of bytes read: 0 only at the end of the stream."""
        self.goes_on = True
        if self.ahead:
            size = min(len(buffer), len(self.ahead))
            buffer[:size] = self.ahead[:size]
            del self.ahead[:size]
            return size
        try:
            while (size := self.raw.readinto(buffer)) is None:
                _select([self], [])
        except OSError as error:
            error.filename = STANDARD_INPUT
            raise
        self.goes_on = size > 0
        return size

    def wants_more(self) -> bool:
        """Whether more may be read ahead: not if nobody reads here, as the input may be for another process."""
        return self.goes_on and len(self.ahead) < MOST_AHEAD

    def read_ahead(self) -> None:
        """Read and keep what is available now; `readinto` gives it later."""
        try:
            piece = self.raw.read(BUFFER_BYTES)
        except OSError:
            piece = b""  # `readinto` will raise the error again
        self.goes_on = piece != b""
        self.ahead += piece or b""


def prepare() -> None:
    """Make standard input wait, and buffer standard output even with PYTHONUNBUFFERED.

    Without a buffer Python does not try again after an incomplete write.
    """
    if (raw := _raw(sys.stdin)) and not isinstance(raw, PatientReader):
        sys.stdin = TextIOWrapper(BufferedReader(PatientReader(raw), BUFFER_BYTES), sys.stdin.encoding)
    for name in "stdout", "stderr":
        stream = getattr(sys, name)
        if (raw := _raw(stream)) and stream.buffer is raw:
            at_lines = name == "stderr"  # as usual: nothing flushes a traceback or a warning
            buffered = TextIOWrapper(BufferedWriter(raw), stream.encoding, stream.errors, line_buffering=at_lines)
            setattr(sys, name, buffered)


def _raw(stream: TextIO | None) -> RawIOBase | None:
    """The raw stream below; None if the stream is closed or has no file, as in tests."""
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    return raw if isinstance(raw, RawIOBase) else None


def send(stream: TextIO, data: bytes) -> None:
    """Write all of the data to a stream; the buffer may hold it until `flush`.

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
                _wait_for_room(stream)
    except OSError as error:
        error.filename = _name(stream)
        raise


def flush(stream: TextIO) -> None:
    """Send everything that was written to the stream.

    Raises: OSError if that fails.
    """
    try:
        while True:
            try:
                stream.flush()
                return
            except BlockingIOError:
                _wait_for_room(stream)
    except OSError as error:
        error.filename = _name(stream)
        raise


def _name(stream: TextIO) -> str:
    return STANDARD_ERROR if stream is sys.stderr else STANDARD_OUTPUT


def _wait_for_room(stream: TextIO) -> None:
    """Wait until the stream can be written to.

    Read input meanwhile: otherwise a program that reads the answers only after writing all input would wait forever.
    """
    reader = _raw(sys.stdin)
    while True:
        more = [reader] if isinstance(reader, PatientReader) and reader.wants_more() else []
        if _select(more, [stream.buffer]):
            return
        more[0].read_ahead()


def _select(reading: Sequence[RawIOBase], writing: Sequence[BinaryIO]) -> bool:
    """Wait until one of the streams is ready; return whether it is one to write to."""
    from select import select  # imported here, as hardly any process has to wait

    return bool(select(reading, writing, [])[1])
