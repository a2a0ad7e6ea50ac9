"""Time and memory of training as the corpus grows, as a picture: matplotlib, from the extra `report`."""

from collections.abc import Sequence
from pathlib import Path

from .records import Results
from .tables import MEGABYTE


def draw(results: Results, corpora: Sequence[str], path: Path) -> None:
    """Write an SVG: two panels of logarithmic scales, a line for each contender."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.2), layout="constrained")
    time, memory = figure.subplots(1, 2)
    for name in results.contenders(corpora[0]):
        rounds = {corpus: results.of(corpus, name, "train") for corpus in corpora}
        sizes = [found[0].size / MEGABYTE for found in rounds.values() if found]
        seconds = [results.seconds(corpus, name, "train") or 0 for corpus, found in rounds.items() if found]
        peaks = [(results.memory(corpus, name) or 0) / MEGABYTE for corpus, found in rounds.items() if found]
        time.plot(sizes, seconds, marker="o", label=name)
        memory.plot(sizes, peaks, marker="o", label=name)
    for panel, title in (time, "training, seconds"), (memory, "training, peak memory in MB"):
        panel.set(title=title, xlabel="corpus, MB", xscale="log", yscale="log")
        panel.grid(which="both", alpha=0.3)
    time.legend()
    with mpl.rc_context({"svg.hashsalt": "nbtext"}):
        figure.savefig(path, metadata={"Date": None})
