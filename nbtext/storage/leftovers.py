"""Files that killed processes have left beside a model."""

import os
import re
from contextlib import suppress


def delete_leftovers(place: str) -> None:
    """Delete the files that killed processes have left beside a model: half-written models, and runs of counts.

    A process that still works on one has it locked.
    """
    leftover = re.compile(re.escape(f".{os.path.basename(place)}.") + r"[0-9a-f]+\.(part|runs)")
    folder = os.path.dirname(place)
    with suppress(OSError):
        for name in filter(leftover.fullmatch, os.listdir(folder)):
            _delete_unless_locked(os.path.join(folder, name))


def _delete_unless_locked(path: str) -> None:
    from fcntl import LOCK_EX, LOCK_NB, flock  # imported here, as there are hardly ever leftovers

    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            flock(descriptor, LOCK_EX | LOCK_NB)
            if os.path.isdir(path):
                from shutil import rmtree

                rmtree(path)
            else:
                os.unlink(path)
        finally:
            os.close(descriptor)
