"""Figures of encoding, studies inside models, smaller models, cascades and earlier versions are those of records."""

import pytest
from tests.docs.record_figures import change_with_interval, median_and_range, page_text, record, unwrapped

HOW = ("in batches of 32", "one by one")


def seconds_and_memory(name, ours, peer, digits):
    """Processor seconds and peak memory of ours and of a peer, with their ratios."""
    figures = record(name)
    seconds = [median_and_range(figures[f"{system}, processor"], digits) for system in (ours, peer)]
    memory = [median_and_range(figures[f"{system}, peak_gb"]) for system in (ours, peer)]
    times_less = (figures[f"{ours}, times less processor"], figures[f"{ours}, times less peak_gb"])
    return [*seconds, median_and_range(times_less[0], 1), median_and_range(times_less[1]), *memory]


def pruned_graphs():
    """How many times as fast pruned models are, and graphs beside our own code."""
    figures, systems = record("pruned_graph"), ("ours, as it computes here", "ours, float32", "graph")
    tables = [figures[f"times as fast, {how}"] for how in HOW]
    pruned = [ratios[f"{system}, pruned beside {system}"] for ratios in tables for system in systems]
    graphs = [ratios[f"graph beside {system}"] for ratios in tables for system in systems[:2]]
    return [median_and_range(ratio) for ratio in (*pruned, *graphs)]


def dtypes_and_kernels():
    figures = record("dtypes_and_kernels")
    return [median_and_range(ratio) for how in HOW for ratio in figures[f"times as fast, {how}"].values()]


def before_and_after():
    """The ratios of each command, in processor seconds and by the clock."""
    commands = record("before_after")["commands"].values()
    return [
        " | ".join(median_and_range(command[unit]["times_faster"]) for unit in ("processor", "clock"))
        for command in commands
    ]


FIGURES = {
    "probes over attention": ("inside", lambda: seconds_and_memory("dependency_probe", "ours", "maps kept", 1)),
    "trees in vectors": ("inside", lambda: seconds_and_memory("syntax_speed", "ours", "as published", 1)),
    "the search for nearest contexts": (
        "inside",
        lambda: seconds_and_memory("nearest_contexts", "ours", "scikit-learn", 2),
    ),
    "pruned graphs": ("small-models", pruned_graphs),
    "number types and kernels": ("encoding", dtypes_and_kernels),
    "before and after": ("versions", before_and_after),
}
"""Name -> the page in docs/benchmarks, and a function that returns its figures."""


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_of_the_benchmarks_is_that_of_its_record(figure):
    page, texts = FIGURES[figure]
    assert [text for text in texts() if text not in unwrapped(f"benchmarks/{page}.md")] == []


@pytest.mark.parametrize("name", ["mr", "subj", "ag_news"])
def test_the_table_of_cascades_is_that_of_its_record(name):
    cascade, page = record("cascade")["sets"][name], page_text("benchmarks/serving-and-search.md")
    (line,) = (line for line in page.splitlines() if line.startswith(f"| `{name}` | "))
    assert change_with_interval(*(cascade[column] for column in ("change", "low", "high"))) in line
    assert f"| {100 * (1 - cascade['measured_share']):.0f} % |" in line
    for how in ("in batches", "one by one"):
        assert median_and_range(cascade[f"times as fast, {how}"]) in line
