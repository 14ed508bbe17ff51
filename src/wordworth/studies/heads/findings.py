"""The findings of the study `heads`: how many heads can be removed, warnings, and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wordworth.measures.paired_changes import Change, is_within
from wordworth.records import Finding
from wordworth.sentence_formatting import (
    count_of,
    join_words,
    passing_by_chance,
    percent,
    points_phrase,
    signed,
    signed_range,
    signed_with_range,
)
from wordworth.studies.compression_frontier import Variant
from wordworth.studies.heads.ablation_score_changes import CHOSEN, Measurements
from wordworth.studies.heads.cheaper_models import INT8
from wordworth.studies.heads.pruning_curves import lead_over
from wordworth.studies.heads.results import HeadResults
from wordworth.studies.labelled_rows_settings import few_rows
from wordworth.tasks.task import Task

Facts = Mapping[str, Any]


def verdict(results: HeadResults, facts: Facts, margin: float) -> Finding:
    """Return the finding `verdict`: how many heads can be removed at a loss within the margin, and what that saves.

    Args:
        results: results of the study.
        facts: the `data` of the record, with the names of the metric.
        margin: the largest loss of score that pruning may cost, in points of 100.
    """
    measured = results.measured
    heads, num_within_margin = len(measured.heads["zero"]), measured.num_within_margin
    sure = is_within(measured.pruned.interval.low, margin / 100)
    headline, pruned = _pruned(measured, facts, margin, sure=sure)
    sentences = [pruned, *_saved(results), _alone(results)]
    numbers = {"headline": headline, "heads": heads, "within": num_within_margin, "margin": margin / 100}
    return Finding("verdict", "\n".join(sentences), numbers | {"change": measured.pruned.value, "sure": sure})


def _pruned(measured: Measurements, facts: Facts, margin: float, *, sure: bool) -> tuple[str, str]:
    """Return the headline, and the sentence on the loss from pruning the chosen heads, on the half for measurements.

    Args:
        measured: the changes of the score.
        facts: the `data` of the record, with the names of the metric.
        margin: the largest loss of score that pruning may cost, in points of 100.
        sure: whether the interval of the loss is within the margin too.
    """
    heads, num_within_margin, allowed = (
        len(measured.heads["zero"]),
        measured.num_within_margin,
        points_phrase(margin / 100),
    )
    if not num_within_margin:
        text = f"Pruning the least important tenth of the heads already costs more than {allowed} of {facts['metric']}."
        return "Every head is needed.", text
    headline, beyond = f"{num_within_margin} of {heads} heads can go.", ""
    if not is_within(measured.pruned.value, margin / 100):
        chosen = f"the {num_within_margin} of {heads} that were chosen cost more on other rows"
        headline, beyond = f"Whether heads can go is not clear: {chosen}.", ", which is less"
    elif not sure:
        headline, beyond = f"{num_within_margin} of {heads} heads may go.", ", and the interval reaches further"
    text = (
        f"Without the {num_within_margin} least important heads ({percent(num_within_margin / heads)}) "
        f"{facts['metric_title']} changes by {_phrase(measured.pruned)} on rows that did not choose them, without "
        f"further training; {allowed} was allowed{beyond}."
    )
    return headline, text


def _alone(results: HeadResults) -> str:
    changes = results.measured.heads["zero"]
    sure = sum(change.is_sure(len(changes)) for change in changes.values())
    by_luck = passing_by_chance(len(changes), 0.05)
    who = f"{count_of(sure, 'head')} changes" if sure == 1 else f"{sure or 'no'} heads change"
    return f"Removed alone, {who} the score beyond doubt, at a level corrected for {len(changes)} heads ({by_luck})."


def orders(results: HeadResults) -> Finding:
    """Return the finding that compares the orders of pruning: importance, its reverse, gates, ablation and random."""
    curves = results.measured.curves
    random = [curve for name, curve in curves.items() if name.startswith("random")]
    gain, ends = lead_over(curves[CHOSEN], random)
    loss, loss_ends = lead_over(curves["reverse"], random)
    gated, gated_ends = lead_over(curves["gates"], [curves[CHOSEN]])
    alone, alone_ends = lead_over(curves["by ablation"], [curves[CHOSEN]])
    text = (
        f"In the mean over all numbers of pruned heads, the least important first is {signed(gain)} points beside "
        f"random orders ({signed_range(ends.low, ends.high)}), the most important first {signed(loss)} "
        f"({signed_range(loss_ends.low, loss_ends.high)}). By learned gates it is {signed(gated)} beside that of "
        f"importance ({signed_range(gated_ends.low, gated_ends.high)}), by what each head alone costs {signed(alone)} "
        f"({signed_range(alone_ends.low, alone_ends.high)})."
    )
    return Finding("orders", text, {"importance": gain, "reverse": loss, "gates": gated, "by ablation": alone})


def _saved(results: HeadResults) -> Iterator[str]:
    measured, whole = results.measured, results.variants[0]
    pruned = [
        each
        for each in results.variants
        if whole.size.heads - measured.num_within_margin == each.size.heads < whole.size.heads
    ]
    for variant in pruned[:1]:
        saved = percent(1 - variant.size.parameters / whole.size.parameters)
        yield f"Removed for good, they save {saved} of the encoder's parameters and make it {_faster(variant)}."


def _faster(variant: Variant) -> str:
    phrases = []
    for batch, speed in variant.speed.items():
        middle, least, most = speed.speedup
        how = "one by one" if batch == 1 else f"in batches of {batch}"
        phrases.append(f"{middle:.2f} times ({least:.2f} to {most:.2f}) as fast {how}")
    return join_words(phrases)


def _phrase(change: Change) -> str:
    ends = change.interval
    return signed_with_range(change.value, ends.low, ends.high)


def warnings(results: HeadResults, task: Task) -> Iterator[Finding]:
    """Yield the warnings: few rows, a second run that is missing or differs, and problems of the data."""
    yield from few_rows(task)
    if results.second is not None:
        text = f"A second run, which differs in its seed, scores {_phrase(results.second)} beside this one."
        yield Finding("warning.second_run", text, {"change": results.second.value})
    else:
        text = (
            "One fine-tuned run is studied, and intervals are over rows alone: another seed may need other heads. A "
            "second run that differs in its seed would say how far two runs differ."
        )
        yield Finding("warning.one_run", text)
    yield from (finding for finding in task.warnings if finding.name != "method.split")  # `method` has the halves


def method(results: HeadResults, facts: Facts) -> Iterator[Finding]:
    """Yield the findings that say how each kind of number of a `heads` record was computed."""
    yield Finding(
        "method.halves",
        f"{facts['choosing']:,} rows choose (importance, the orders of pruning, how many heads can go, the head that a "
        f"layer keeps) and {facts['measuring']:,} others measure; no text is in both. Intervals are 95 % bootstrap "
        "intervals over rows.",
    )
    yield Finding(
        "method.importance",
        "The importance of a head is the mean over rows of |dL/dxi|, xi a factor on its output (Michel et al. 2019, "
        "equation 5), divided by its norm within the layer for the order of pruning. A layer keeps at least one head.",
    )
    yield Finding(
        "method.gates",
        "Gates are hard concrete (Louizos et al. 2018), one on each head, learned by the loss of the task with a price "
        "for open ones (Voita et al. 2019); the model's own weights stay as they are, other than there.",
    )
    yield Finding(
        "method.ablation",
        "A head is ablated by zero (Michel et al. 2019), by its mean output, or by uniform attention (Kovaleva et al. "
        "2019); nothing is trained again, so that every loss is an upper bound of what a trained model would lose. "
        f"All scores are computed in {results.dtype}, importance and the check of removal in float32.",
    )
    yield Finding("method.int8", _int8(results))
    if results.difference is not None:
        text = (
            f"Removing the heads for good changes no score by more than {results.difference:.1e} beside scaling them "
            "to 0, in float32."
        )
        yield Finding("method.removal", text, {"largest_difference": results.difference})


def _int8(results: HeadResults) -> str:
    for variant in results.variants:
        if variant.name == INT8:
            return (
                f"In int8 the whole model scores {_phrase(variant.change)} beside itself in {results.dtype}, "
                f"{_faster(variant)}; it runs on kernels of its own, whose part of that is not told apart."
            )
    return "int8 was not measured: this processor or this kind of model does not support it."
