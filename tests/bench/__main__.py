"""The command of the bench: python -m tests.bench [--quick] [--scenario NAME]... [--only NAME]... [--corpus NAME]..."""

import inspect
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import click

from . import accuracy, corpora, records, rounds, tables
from .clock import CommandError
from .contender import Contender
from .contenders import contenders
from .corpora import ACCURACY, GROWTH, SERIES, SPLITS, Corpus, UnavailableError
from .growth import draw
from .records import Measurement, Results
from .scenario import rounds_of
from .scenarios import SCENARIOS

RUNS = Path(__file__).parent / "runs"
ROUNDS = 5
KINDS = contenders()


@click.command(epilog="Example: python -m tests.bench --quick --corpus tiny --only nbtext --only vw")
@click.option("--quick", is_flag=True, help="One round, kept in the cache and not in tests/bench/runs.")
@click.option("--only", multiple=True, type=click.Choice(list(KINDS)), help="Only this contender; can be repeated.")
@click.option(
    "--corpus",
    "chosen",
    multiple=True,
    type=click.Choice([*corpora.KNOWN, *SERIES]),
    help="Only this corpus, or series of them; can be repeated. Usual: all but tiny.",
)
@click.option(
    "--scenario",
    "tasks",
    multiple=True,
    type=click.Choice([*SCENARIOS]),
    help="Only this scenario; can be repeated. Usual: all, or with --corpus none.",
)
@click.option(
    "--show", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Print and draw a kept run again."
)
def main(
    quick: bool, only: tuple[str, ...], chosen: tuple[str, ...], tasks: tuple[str, ...], show: Path | None
) -> None:
    """Measure nbtext beside its rivals: speed, memory, size and accuracy, in interleaved rounds.

    Everything unpacked or installed is kept in the folder NBTEXT_BENCH, by default in your cache folder.
    """
    if show:
        present(records.read(show), show)
        return
    ready, versions = set_up(only or tuple(KINDS))
    number = 1 if quick else ROUNDS
    results = Results(records.about(versions, number))
    folder = corpora.cache() / "runs" if quick else RUNS
    folder.mkdir(exist_ok=True)
    stem = f"{results.about['time'][:19].replace(':', '')}-{results.about['commit']}"
    path = folder / f"{stem}.jsonl"
    with path.open("w", encoding="utf-8") as kept:
        kept.write(records.line(results.about) + "\n")
        if not (tasks or chosen):
            tasks, chosen = tuple(SCENARIOS), (*corpora.USUAL, *SERIES)
        for measurement in chain(measured_tasks(tasks, number), measured_corpora(chosen, ready, number)):
            kept.write(records.line(measurement) + "\n")
            kept.flush()
            results.measurements.append(measurement)
    say(f"kept: {path}")
    present(results, path)


def measured_tasks(names: Iterable[str], number: int) -> Iterator[Measurement]:
    """The scenarios of these names, measured; one that cannot be is named."""
    for name in names:
        try:
            yield from rounds_of(SCENARIOS[name](), number, say)
        except (UnavailableError, CommandError) as reason:
            say(f"{name}: {reason}")


def measured_corpora(names: Iterable[str], ready: dict[str, Path], number: int) -> Iterator[Measurement]:
    """The contenders on the corpora of these names."""
    for corpus in picked(names):
        times = 1 if corpus.series in (ACCURACY, SPLITS) else number  # answers are always the same
        yield from rounds.interleaved(corpus, entered(corpus, ready), times, say)


def present(results: Results, path: Path) -> None:
    """Print the tables, and draw the growth beside the file of the run."""
    click.echo(report(results))
    if series := results.series(GROWTH):
        picture = path.with_suffix(".svg")
        try:
            draw(results, series, picture)
            say(f"drawn: {picture}")
        except ModuleNotFoundError as error:
            say(f"not drawn: {error}; install the extra `report`, then --show {path}")


def set_up(names: tuple[str, ...]) -> tuple[dict[str, Path], dict[str, str]]:
    """The Pythons and the versions of the contenders that could be installed; the others are named."""
    pythons, versions = {}, {}
    for name in names:
        try:
            pythons[name] = KINDS[name].set_up(corpora.cache() / "tools")
            if version := KINDS[name].version(pythons[name]):
                versions[name] = version
        except UnavailableError as reason:
            say(f"{name} does not take part: {reason}")
    return pythons, versions


def picked(names: Iterable[str]) -> Iterator[Corpus]:
    """The corpora of these names; those that are not to be had are named."""
    for name in names:
        try:
            yield from SERIES[name]() if name in SERIES else [corpora.KNOWN[name]()]
        except UnavailableError as reason:
            say(str(reason))


def entered(corpus: Corpus, pythons: dict[str, Path]) -> dict[str, Contender]:
    """The contenders that run on a corpus; those that do not are named."""
    found = {}
    for name, python in pythons.items():
        contender = KINDS[name](corpus, corpora.cache() / "work" / corpus.name / name, python)
        if corpus.series and corpus.series not in contender.series:
            continue
        if reason := contender.refusal():
            say(f"{name} does not run on {corpus.name}: {reason}")
        else:
            found[name] = contender
    return found


def report(results: Results) -> str:
    """All the tables of a run, the targets last."""
    grown, parted, judged = (results.series(name) for name in (GROWTH, SPLITS, ACCURACY))
    parts = [about(results)]
    if results.scenarios():
        parts += ["## scenarios", tables.scenarios(results)]
    for corpus in results.corpora():
        if corpus not in (*grown, *parted, *judged):
            tabled = (make(results, corpus) for make in (tables.figures, tables.ratios, tables.filtering))
            parts += [f"## {corpus}", *filter(None, tabled)]
    if judged:
        parts += ["## accuracy", tables.table(accuracy.HEADS, accuracy.rows(results))]
    if parted:
        parts += ["## splits", tables.splits(results)]
    if grown:
        parts += ["## growth", tables.growth(results, grown)]
    if results.corpora():
        parts += ["## what is fair, what is not", notes(results)]
    if parted:
        parts += ["## targets of mail", tables.targets(results)]
    return "\n\n".join(parts)


def about(results: Results) -> str:
    """The machine, the versions, and how to read the tables."""
    machine = results.about["machine"]
    busy = results.about["load"] > 0.5 * machine["cores"]
    versions = ", ".join(f"{name} {version}" for name, version in results.about["versions"].items())
    return (
        f"# nbtext at {results.about['commit']}, {results.about['time']}\n\n"
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory'] / 1e9:.0f} GB, {machine['system']}, "
        f"Python {machine['python']}; load {results.about['load']} at the start"
        f"{': OTHER WORK WAS RUNNING, TRUST NO TIME' if busy else ''}.\n"
        f"{versions}.\n\n"
        "Medians of interleaved rounds of whole processes, with the median distance from them; cold and learn have\n"
        "four times the rounds. CPU: processor time, all cores together. Peak: all processes of a training together.\n"
        "Documents: trained on + classified in bulk, to which accuracy refers."
    )


def notes(results: Results) -> str:
    """The docstrings of those measured."""
    names = {m.contender for m in results.measurements}
    return "\n\n".join(f"{name}: {inspect.getdoc(kind)}" for name, kind in KINDS.items() if name in names)


def say(sentence: str) -> None:
    """To whoever is waiting."""
    click.echo(sentence, err=True)


if __name__ == "__main__":
    main()
