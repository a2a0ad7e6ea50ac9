"""An open model file: everything that is stored, each row checked when it is read. See `schema` for the tables."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter

from .blocks import BlockTable, in_parts
from .database import check_structure
from .schema import COLUMNS, COUNTED, LARGEST, Class, Value
from .tokens import TokenTable

OFFSET = 1 << 63  # makes digests positive
REASONS = {"stopword", "dropped"}  # to leave out a token


class Store(TokenTable):
    """An open model file. Everything it returns has been checked.

    Raises: ModelError, by any method, when the file turns out to be damaged or cannot be read or written.
    """

    @property
    def learned_table(self) -> BlockTable:
        """The blocks of documents that are remembered."""
        return BlockTable(self, "learned", "digests")

    def settings(self) -> dict[str, Value]:
        """All settings by name."""
        return dict(self.select("SELECT * FROM setting"))

    def classes(self) -> list[Class]:
        """The classes in the order of their numbers: 0, 1, 2, ..."""
        found: list[Class] = []
        for number, label, *counts in self.select("SELECT * FROM class ORDER BY id"):
            if number != len(found) or not all(type(n) is int for n in counts):
                raise self.damaged(f"class {label!r} has an impossible number or count")
            found.append(Class(self._name(label), *counts))
        for entry in found:
            if not entry.is_possible():
                raise self.damaged(f"the counts of class {entry.label!r} are impossible")
        if len({entry.label for entry in found}) < len(found):
            raise self.damaged("two classes have the same label")
        self.documents = [entry.documents for entry in found]
        if not any(self.documents):
            raise self.damaged("no class has a document")
        return found

    def corpora(self) -> list[str]:
        """The paths of the corpora, relative to the folder of the model file."""
        found = [self._name(path) for (path,) in self._counted("corpus", "path")]
        if any("\0" in path for path in found):
            raise self.damaged("a corpus with a NUL in its path")
        return found

    def excluded(self) -> list[tuple[str, str]]:
        """(token, why) for every token that the default hyperparameters leave out by name."""
        found = [(token, why) for token, why in self.select("SELECT * FROM excluded")]
        if not all(type(token) is str and why in REASONS for token, why in found):
            raise self.damaged("a token left out that is not text, or without a reason")
        return found

    def spread(self) -> Iterator[tuple[int, int, int]]:
        """The (class, documents, tokens) rows: see `schema`."""
        return self._spread()

    def spread_of(self, index: int, documents: int) -> int:
        """The number of vocabulary tokens that are in exactly this many documents of the class."""
        return sum(tokens for _, _, tokens in self._spread("WHERE class = ? AND documents = ?", index, documents))

    def spread_above(self, index: int, documents: int) -> int:
        """The number of vocabulary tokens that are in more than this many documents of the class."""
        return sum(tokens for _, _, tokens in self._spread("WHERE class = ? AND documents > ?", index, documents))

    def _spread(self, where: str = "", *values: int) -> Iterator[tuple[int, int, int]]:
        for index, documents, tokens in self.select(f"SELECT * FROM spread {where}", values):
            self._check_cell(index, documents, tokens)
            if not (documents > 0 and tokens > 0):
                raise self.damaged(f"{tokens} tokens are in {documents} documents each")
            yield index, documents, tokens

    def sample(self) -> Iterator[tuple[int, int, dict[str, int]]]:
        """(digest, class, bag) of the documents kept for calibration, lowest digest first."""
        from .sample import bag_of  # imported here, as most starts do not need it

        for digest, index, bag in self._counted("sample", "digest, class"):
            self._check_cell(index, digest)
            with self.sampling():
                found = bag_of(bag)
            yield digest, index, found

    def learned(self, digest: int | None = None) -> Iterator[tuple[int, int, int]]:
        """(digest, class, times) of the documents counted, sorted, or of one document."""
        if digest is not None:
            found: Iterable[tuple[str, str]] = self.learned_table.look_up([_key(digest)])
        else:
            blocks = self.learned_table.blocks()
            found = (entry for block in blocks for entry in zip(block.keys, block.texts, strict=True))
        for key, counts in found:
            try:
                number, values = int(key, 16) - OFFSET, iter(map(int, counts.split(",")))
                pairs = list(zip(values, values, strict=True))
            except ValueError:
                raise self.damaged("a remembered document has a digest that is not a number") from None
            for index, times in pairs:
                self._check_cell(index, times)
                if times < 1:
                    raise self.damaged(f"a document is remembered {times} times")
                yield number, index, times

    def add_learned(self, rows: Iterable[tuple[int, int, int]]) -> None:
        """Write (digest, class, times) of all documents of a new model, sorted."""
        documents = groupby(rows, key=itemgetter(0))
        self.learned_table.add(
            in_parts((_key(digest), _times((i, n) for _, i, n in group)) for digest, group in documents)
        )

    def change_learned(self, times: Mapping[int, Mapping[int, int]]) -> None:
        """Set how many times each class has learned a document, by its digest; 0 is not remembered."""
        self.learned_table.change({_key(digest): _times(sorted(own.items())) for digest, own in times.items()})

    def shrink_sample(self, size: int) -> None:
        """Keep only this many documents for calibration, those with the lowest digests."""
        with self.translated():
            self.connection.execute(
                "DELETE FROM sample WHERE (digest, class) IN"
                " (SELECT digest, class FROM sample ORDER BY digest, class LIMIT -1 OFFSET ?)",
                (size,),
            )

    def integrity(self) -> None:
        """Read every page and every row.

        Raises: ModelError at the first that is damaged.
        """
        with self.translated():
            check_structure(self.connection.execute, self.path, "integrity_check")
        for _ in self.tokens():
            pass
        for table in COLUMNS:
            for _ in self.select(f"SELECT * FROM {table}"):
                pass

    def _counted(self, table: str, order: str) -> Iterator[tuple[Value, ...]]:
        """All rows of a table whose number of rows is known."""
        expected = self.settings().get(table)
        count = 0
        for row in self.select(f"SELECT * FROM {table} ORDER BY {order}"):
            yield row
            count += 1
        if expected is not None and count != expected:
            raise self.damaged(f"table {table} has {count} rows instead of {expected}")

    def count_rows(self) -> None:
        """Store the number of rows of the tables whose rows are not linked."""
        with self.translated():
            counts = [self.connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone() for table in COUNTED]
        self.put("setting", ((table, count) for table, (count,) in zip(COUNTED, counts, strict=True)))

    def _check_cell(self, index: Value, *numbers: Value) -> None:
        """Check that a row belongs to a class of the model and its numbers are integers."""
        if not all(type(number) is int for number in (index, *numbers)):
            raise self.damaged(f"{[index, *numbers]} should be whole numbers")
        if not 0 <= index < (LARGEST if self.documents is None else len(self.documents)):
            raise self.damaged(f"no class has the number {index}")

    @contextmanager
    def sampling(self) -> Iterator[None]:
        """Context manager around uses of the sample: a document in it that was never counted is reported as damage."""
        try:
            yield
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise self.damaged("a document kept for calibration was never counted") from error

    def _name(self, stored: Value) -> str:
        if not isinstance(stored, str | bytes):
            raise self.damaged(f"{stored!r} is no name")
        return os.fsdecode(stored)


def _key(digest: int) -> str:
    if not 0 <= digest + OFFSET < 2 * OFFSET:
        raise OverflowError("a digest of more than eight bytes")
    return f"{digest + OFFSET:016x}"


def _times(pairs: Iterable[tuple[int, int]]) -> str:
    return ",".join(f"{index},{times}" for index, times in pairs if times)
