"""Figures of the page on training, on a processor, are those of its records."""

from statistics import fmean, stdev

import pytest
from tests.docs.record_figures import median_and_range, points, record, unwrapped


def pretraining(name, system, peer_dtype="float32"):
    return median_and_range(record(name)[f"times_faster_than_{peer_dtype}"][f"wordworth {system}"])


def finetuning(task):
    """A line of the table: the Trainer's speed, ours, and the ratio of ours to both settings of the Trainer."""
    figures = record("finetune_throughput_amd_mkl")["tasks"][task]
    ratios = (median_and_range(figures[f"times_{peer}"]["wordworth"]) for peer in ("trainer", "like_lengths"))
    speeds = (f"{figures['examples_per_second'][name]['median']:.0f}" for name in ("trainer", "wordworth"))
    return f"| {' | '.join((*speeds, *ratios))} |"


def geometric_means(name):
    return [f"{value:.2f}" for value in record(name)["geometric_mean"].values()]


def scores_with_the_trainers(name, task):
    """Both scores with their deviation over seeds, and their difference with its interval."""
    comparison = record(name)["tasks"][task]
    both = [[100 * score for score in comparison["scores"][system]] for system in ("wordworth", "trainer")]
    cells = [f"{fmean(scores):.1f} ± {stdev(scores):.1f}" for scores in both]
    return " | ".join([*cells, points(*(comparison[name] for name in ("difference", "low", "high")))])


FIGURES = {
    "pretraining, float32": lambda: [pretraining("pretrain_throughput", "float32")],
    "pretraining, bfloat16": lambda: [pretraining("pretrain_throughput", "bfloat16")],
    "pretraining, both in bfloat16": lambda: [pretraining("pretrain_throughput", "bfloat16", "autocast")],
    "pretraining, an AMD": lambda: [pretraining("pretrain_throughput_amd", dtype) for dtype in ("float32", "bfloat16")],
    "pretraining, MKL at its best": lambda: [
        pretraining("pretrain_throughput_amd_mkl", dtype) for dtype in ("float32", "bfloat16")
    ],
    "fine-tuning, by task": lambda: [finetuning(task) for task in ("cola", "sst2", "mrpc", "rte", "stsb", "conll2003")],
    "fine-tuning, the Trainer at its best": lambda: geometric_means("finetune_throughput_amd_mkl"),
    "fine-tuning, as MKL comes": lambda: geometric_means("finetune_throughput_amd"),
    "fine-tuning, an Intel": lambda: geometric_means("finetune_throughput"),
    "scores beside the Trainer's": lambda: [
        scores_with_the_trainers("finetune_quality", task) for task in ("cola", "sst2", "stsb", "mrpc")
    ],
    "RTE beside the Trainer": lambda: [scores_with_the_trainers("finetune_quality_rte", "rte")],
}
SUMMARISED = {
    "pretraining, float32",
    "pretraining, bfloat16",
    "pretraining, both in bfloat16",
    "pretraining, an AMD",
    "fine-tuning, the Trainer at its best",
}
"""Figures that the summary of all benchmarks repeats."""


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_of_the_benchmarks_is_that_of_its_record(figure):
    texts, pages = FIGURES[figure](), ["benchmarks/training.md", *["benchmarks.md"] * (figure in SUMMARISED)]
    assert [(page, text) for page in pages for text in texts if text not in unwrapped(page)] == []
