"""Figures of the page on a GPU are those of its records."""

import math

import pytest
from tests.docs.record_figures import record, unwrapped


def unrounded(measurements):
    """A median with its range as the record has them."""
    return f"{measurements['median']:g} ({measurements['low']:g} to {measurements['high']:g})"


def pretraining(length):
    """The speed of each system, its share of the peak and its ratio to transformers, as in a line of the table."""
    figures = record(f"pretrain_gpu_{length}")
    ratios = {name: unrounded(ratio).removesuffix(" (1 to 1)") for name, ratio in figures["times_faster"].items()}
    shares = {name: math.floor(1000 * share) / 10 for name, share in figures["share_of_peak"].items()}
    return [
        f"| {int(speed):,} | {shares[name]} % | {ratios[name]}" for name, speed in figures["tokens_per_second"].items()
    ]


def finetuning():
    """The speed of each system, and the ratios of ours to the Trainer in both number types."""
    figures = record("finetune_gpu")
    speeds = [f"{figures['examples_per_second'][name]['median']:g} | " for name in figures["seconds"]]
    ratios = [figures[f"times_trainer_{dtype}"] for dtype in ("float32", "bfloat16")]
    return [*speeds, *ratios_of_ours(ratios, figures["seconds"])]


def encoding():
    """The ratios of ours to each peer, and the speed of each system."""
    figures = record("encode_gpu")
    ratios = [figures[name] for name in figures if name.startswith("times_faster")]
    speeds = (f"| {int(speed):,} |" for speed in figures["texts_per_second"].values())
    return [*ratios_of_ours(ratios, figures["seconds"]), *speeds]


def ratios_of_ours(ratios, systems):
    return [" | ".join(unrounded(ratio[name]) for ratio in ratios) for name in systems if "word" in name]


FIGURES = {
    "pretraining on a GPU": lambda: [*pretraining(128), *pretraining(512)],
    "fine-tuning on a GPU": finetuning,
    "encoding on a GPU": encoding,
}


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_of_the_benchmarks_is_that_of_its_record(figure):
    page = unwrapped("benchmarks/gpu.md")
    assert [text for text in FIGURES[figure]() if text not in page] == []
