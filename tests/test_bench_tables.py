"""What the bench keeps of a run, and the tables it prints."""

from typing import Any

import pytest

from .bench import accuracy, choices, clock, records, tables, targets
from .bench.records import Measurement, Results
from .bench.scenario import MEMORY, Bound, Scenario, Side, rounds_of
from .bench.statistics import Filtering
from .bench.targets import MAIL_TARGETS


def results(*figures: tuple[str, str, str, float]) -> Results:
    """Measurements of (corpus, contender, measure, seconds), each with half the time on the processor and 200 MB."""
    return Results(
        {},
        [
            Measurement(corpus, contender, measure, 0, seconds, seconds / 2, 200_000_000, 10, 1000)
            for corpus, contender, measure, seconds in figures
        ],
    )


def cells(printed: str) -> list[list[str]]:
    """The heads and the rows of a table."""
    heads, _, *rows = printed.splitlines()
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in (heads, *rows)]


def test_kept_run_is_read_back(tmp_path):
    whole = Measurement("c", "vw", "bulk", 1, 0.25, 0.5, 5, 2, 9, None, 0.5, [Filtering("own", 1, 0.0, 0.5, None)])
    kept = [whole, Measurement("c", "vw", "train", 0, 1.5, 1.0, 7, 2, 9, 1000)]
    lines = [records.line({"commit": "0"}), *map(records.line, kept)]
    (tmp_path / "run.jsonl").write_text("\n".join(lines) + "\n")
    again = records.read(tmp_path / "run.jsonl")
    assert (again.about, again.measurements[0]) == ({"commit": "0"}, whole)
    assert again.measurements[1]._replace(filterings=()) == kept[1]


def test_run_says_nothing_that_names_the_machine():
    about = records.about({"vw": "9"}, 5)
    assert about.keys() == {"time", "commit", "rounds", "machine", "load", "versions"}
    assert about["machine"].keys() == {"cpu", "cores", "memory", "system", "python"}


def test_median_of_rounds_and_highest_memory():
    several = results(*(("c", "vw", "train", seconds) for seconds in (3.0, 1.0, 2.0)))
    assert several.seconds("c", "vw", "train") == 2.0
    assert several.seconds("c", "vw", "bulk") is None
    assert several.memory("c", "vw") == 200_000_000


def side(name: str, script: str, **more: Any) -> Side:
    return Side(name, [["sh", "-c", script]], **more)


def test_scenario_is_measured_beside_all_that_bound_it(monkeypatch, tmp_path):
    monkeypatch.setenv("NBTEXT_BENCH", str(tmp_path))
    said: list[str] = []
    task = Scenario(
        "copy",
        side("nbtext", 'test "$KERNEL" = plain && cat ready', environment={"KERNEL": "plain"}),
        [
            Bound(2, side("cp", "cat ready")),
            Bound(1.5, side("cp", "cat ready"), MEMORY),
            Bound(1, side("broken", "exit 3")),
            Bound(1, side("picky", "exit 3", successes=(0, 3))),
            Bound(1, Side("a minute", took=clock.Took(60, 60, 0))),
        ],
        before=[["touch", "ready"]],
    )
    found = list(rounds_of(task, 2, said.append))
    assert [(m.contender, m.measure, m.round, m.limit) for m in found[:5]] == [
        ("nbtext", "clock", 0, None),
        ("cp", "clock", 0, 2),
        ("cp", "memory", 0, 1.5),
        ("picky", "clock", 0, 1),
        ("a minute", "clock", 0, 1),
    ]
    assert found[1].seconds == found[2].seconds, "a side is run once a round, however many bounds it gives"
    assert [m.round for m in found[5:]] == [1] * 5
    assert "copy: broken is left out: sh ended with status 3: it said nothing" in said


def test_scenario_in_which_nbtext_fails_ends(monkeypatch, tmp_path):
    monkeypatch.setenv("NBTEXT_BENCH", str(tmp_path))
    assert not list(rounds_of(Scenario("copy", side("nbtext", "exit 1"), [Bound(1, side("cp", "true"))]), 2, print))


def test_bounds_are_medians_of_the_ratios_of_rounds():
    def run(contender: str, number: int, seconds: float, limit: float | None = None) -> Measurement:
        return Measurement("copy", contender, "clock", number, seconds, seconds, 100, 0, 0, limit=limit)

    slow_minute = 100.0  # in which both are slow
    found = Results(
        {},
        [
            *(run("nbtext", 0, 1.0), run("cp", 0, 2.0, 0.75), run("2 s", 0, 2.0, 1.0)),
            *(run("nbtext", 1, slow_minute), run("cp", 1, 2 * slow_minute, 0.75), run("2 s", 1, 2.0, 1.0)),
            *(run("nbtext", 2, 3.0), run("cp", 2, 2.0, 0.75), run("2 s", 2, 2.0, 1.0)),
        ],
    )
    assert cells(tables.scenarios(found))[1:] == [
        ["copy", "3.00", "cp", "0.75", "0.500", "0.500", "1.00"],
        ["copy", "3.00", "2 s", "1", "1.50", "1.50", "1.00"],
    ]
    assert (found.corpora(), found.scenarios()) == ([], ["copy"])


def sorted_mail(contender: str, split: int, *filterings: Filtering) -> Measurement:
    """How a contender sorted the hundred messages of a split."""
    return Measurement(f"splits-{split}", contender, "bulk", 0, 1.0, 1.0, 1, 100, 1000, filterings=filterings)


SORTED = [
    sorted_mail("bogofilter", 0, Filtering("own", 4, 0.0, 0.92, 0.99), Filtering("0.5", 2, 0.02, 0.98, 0.99)),
    sorted_mail("nbtext-tuned", 0, Filtering("own", 0, 0.0, 1.0, 1.0), Filtering("chosen", 2, 0.0, 0.96, 1.0)),
    sorted_mail("bogofilter", 1, Filtering("own", 2, 0.0, 0.96, 0.98), Filtering("0.5", 1, 0.02, 1.0, 0.98)),
    sorted_mail("nbtext-tuned", 1, Filtering("own", 3, 0.02, 0.96, 0.9998), Filtering("chosen", 4, 0.0, 0.92, 0.9998)),
]


def test_splits_are_summed_up():
    _, *rows = cells(tables.splits(Results({}, SORTED)))
    assert [[row[0], *row[2:5]] for row in rows] == [
        ["bogofilter, default cutoffs", "6 (4, 2)", "97.00 ±1.41", "0.00 ±0.00"],
        ["bogofilter, 0.5", "3 (2, 1)", "98.50 ±0.71", "2.00 ±0.00"],
        ["nbtext, tuned", "3 (0, 3)", "98.50 ±2.12", "1.00 ±1.41"],
        ["nbtext, tuned, threshold chosen", "6 (2, 4)", "97.00 ±1.41", "0.00 ±0.00"],
    ]
    assert [(row[1], *row[5:]) for row in rows[1:3]] == [
        ("2", "99.00 ±1.41", "0.98500 ±0.00707"),
        ("2", "98.00 ±2.83", "0.99990 ±0.00014"),
    ]


def test_mail_targets_are_bounds_on_the_means():
    values = [target.value(Results({}, SORTED)) for target in MAIL_TARGETS]
    assert values == pytest.approx([1.5, 0.0001, 0.0, 6.0, 0.5, 1.0])
    assert [target.value(Results({}, SORTED[::2])) for target in MAIL_TARGETS] == [None] * len(MAIL_TARGETS)


def answered(corpus: str, contender: str, documents: int, **more: Any) -> Measurement:
    """How a contender answered a split."""
    return Measurement(f"accuracy-{corpus}", contender, "bulk", 0, 1.0, 1.0, 1, documents, 1000, **more)


def test_accuracy_is_the_mean_over_splits_and_of_mail_at_even_odds():
    careful = [Filtering("own", 40, 0.0, 0.2, 0.99), Filtering("0.5", 1, 0.0, 0.98, 0.99)]
    found = Results(
        {},
        [
            answered("film-reviews-0", "nbtext", 500, accuracy=0.8),
            answered("film-reviews-1", "nbtext", 500, accuracy=0.7),
            answered("film-reviews-0", "nbtext-tuned", 500, accuracy=0.9, calibration_error=0.03),
            answered("film-reviews-1", "nbtext-tuned", 500, accuracy=0.88, calibration_error=0.04),
            answered("mail-0", "bogofilter", 100, accuracy=0.6, filterings=careful),
        ],
    )
    reviews, mail = (dict(zip(accuracy.HEADS, row, strict=True)) for row in accuracy.rows(found))
    empty = dict.fromkeys(accuracy.HEADS, "")
    assert reviews == empty | {
        "right, %": "film-reviews",
        "tested": "1,000",
        "nbtext": "75.0",
        "nbtext --tune": "89.0",
        "calibration error of --tune": "0.035",
    }
    assert mail == empty | {"right, %": "mail", "tested": "100", "bogofilter": "99.0"}


def test_choice_is_shown_beside_the_best_with_what_chance_does():
    found = choices.Choice("news", "binary", 0.5, "complement", 0.75, (-0.1, 0.25, 0.6))
    assert found.row == ["news", "binary", "0.5000", "complement", "0.7500", "0.2500", "-0.1000 to 0.6000"]
    assert found._replace(behind=(0.0, 0.0, 0.0)).row[-2:] == ["0.0000", ""]


def test_every_figure_is_beside_accuracy_and_documents():
    measured = results(("c", "vw", "train", 3.0), ("c", "nbtext", "train", 1.5), ("c", "bare", "cold", 0.03))
    heads, *rows = cells(tables.figures(measured, "c"))
    assert [dict(zip(heads, row, strict=True)) for row in rows] == [
        dict.fromkeys(heads, "") | {"contender": "bare", "cold ms": "30.0", "documents": "1", "rounds": "1"},
        *(
            dict.fromkeys(heads, "")
            | {
                "contender": name,
                "train s": wall,
                "train CPU s": cpu,
                "peak MB": "200",
                "documents": "10",
                "rounds": "1",
            }
            for name, wall, cpu in (("nbtext", "1.50", "0.750"), ("vw", "3.00", "1.50"))
        ),
    ]
    assert heads[-3:] == ["accuracy %", "documents", "rounds"]


def test_ratios_are_to_the_bounds_and_to_nbtext():
    measured = results(("c", "vw", "train", 3.0), ("c", "nbtext", "train", 1.5), ("c", targets.PASS, "train", 0.5))
    _, *rows = cells(tables.ratios(measured, "c"))
    assert [[row[0], row[1], row[4]] for row in rows] == [
        ["physical-pass", "1.00", "0.333"],
        ["nbtext", "3.00", "1.00"],
        ["vw", "6.00", "2.00"],
    ]
