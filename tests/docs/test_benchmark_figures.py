"""Figures of docs/benchmarks.md about models and corpora of our own are those of their records."""

import pytest
from tests.docs.record_figures import finding, percent_of, points, record, row, rows, unwrapped


def blimp():
    return percent_of(*(finding("blimp_mini")["numbers"][name] for name in ("accuracy", "low", "high")))


def numbers(record_name, *names):
    return points(*(finding(record_name)["numbers"][name] for name in names))


def domain_gain(measure, text, part, scale, digits):
    """What going on with biomedical text gains, with its sign; the ends change sides where less is better."""
    gain = row("domain_mini", "gains", model="biomedical", over="plain", on=text, measure=measure, part=part)
    low, high = sorted(scale * gain[name] for name in ("low", "high"))
    return f"{scale * gain['gain']:+.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def corpora():
    figures = record("corpus_build")
    return f"{figures['peak_megabytes'] / 1000:.2f} GB, {figures['megabytes_per_core_second']:.1f} MB"


def last_of_the_trio():
    """The last evaluation of each of the three architectures, in the order of the page."""
    evaluations = rows("trio_again", "looks")
    return [
        [evaluation for evaluation in evaluations if evaluation["architecture"] == architecture][-1]
        for architecture in ("bert", "gpt", "bilm")
    ]


def trio_nats():
    return ", ".join(f"{last['unigram'] - last['loss']:.2f}" for last in last_of_the_trio())


def trio_right():
    return ", ".join(f"{100 * last['right']:.1f} %" for last in last_of_the_trio())


FIGURES = {
    "BLiMP": lambda: [blimp()],
    "pretrained less fresh": lambda: [numbers("downstream_mini", "gain", "low", "high")],
    "SQuAD": lambda: [numbers("squad1_minilm", "mean", "low", "high")],
    "domain, bits": lambda: [domain_gain("bits per character", "biomedical", "held-out", -1, 3)],
    "domain, entities": lambda: [domain_gain("entity F1", task, "test", 100, 1) for task in ("ncbi_disease", "bc5cdr")],
    "corpora": lambda: [corpora()],
    "trio, nats": lambda: [trio_nats()],
    "trio, right": lambda: [trio_right()],
}


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_of_the_benchmarks_is_that_of_its_record(figure):
    page = unwrapped("benchmarks.md")
    assert [text for text in FIGURES[figure]() if text not in page] == []
