"""The findings of the study `prune`: the verdict on the smaller model, the random control, warnings and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from wordworth.inference.onnx_export import NAME
from wordworth.inference.prune import GOOD_FOR, SmallerModel
from wordworth.measures.paired_changes import Change
from wordworth.models.pruning import size_of
from wordworth.models.transformer import Transformer
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, percent, points, signed, signed_range, signed_with_range
from wordworth.studies.labelled_rows_settings import few_rows
from wordworth.studies.prune.comparison import Comparison
from wordworth.studies.prune.tables import heads_left
from wordworth.tasks.task import Task

Facts = Mapping[str, Any]


def verdict(smaller: SmallerModel, whole: Transformer, comparison: Comparison | None, facts: Facts) -> Finding:
    """Return the finding `verdict`: the smaller model's change of the score, and the share of parameters that it saves.

    Args:
        smaller: the smaller encoder that was written.
        whole: the encoder of the whole model.
        comparison: comparison of the two models; None without rows.
        facts: the `data` of the record, with the names of the metric.
    """
    before, after = size_of(whole), size_of(smaller.model)
    what, left = _what(smaller, whole), heads_left(smaller)
    numbers: dict[str, Any] = {"form": smaller.form, "heads": left, "layers": after.layers}
    sentences = [f"{count_of(after.layers, 'layer')} and {count_of(left, 'head')} are left."]
    headline = f"{what}: not scored."
    if comparison is not None:
        change, title = comparison.change, facts["metric_title"]
        headline = f"{what}: {signed(change.value)} points of {title}."
        ends, rows = change.interval, f"{facts['measuring']:,} rows{' that ranked no head' * bool(smaller.heads)}"
        scores = f"{points(comparison.score)} on {rows}, before {points(comparison.score_before)}"
        sentences.append(
            f"{title[:1].upper()}{title[1:]} is {scores}: "
            f"{signed_with_range(change.value, ends.low, ends.high)}, without further training."
        )
        numbers |= {"change": change.value, **ends.columns()}
    saved = 1 - after.parameters / before.parameters
    share = f", {percent(saved)} fewer" if saved else ": as many as before"
    sentences.append(f"The encoder has {after.parameters:,} of {before.parameters:,} parameters{share}.")
    sentences.append(GOOD_FOR[smaller.form])
    if facts["onnx_bytes"] is not None:
        sentences.append(f"{NAME}: from token ids to scores, for onnxruntime, without Wordworth.")
    return Finding("verdict", "\n".join(sentences), {"headline": headline, **numbers})


def _what(smaller: SmallerModel, whole: Transformer) -> str:
    size = size_of(whole)
    if smaller.form == "layers dropped":
        return f"The first {smaller.model.config.num_layers} of {count_of(size.layers, 'layer')}"
    how = "removed" if smaller.form == "heads removed" else "set to zero"
    return f"{len(smaller.heads)} of {count_of(size.heads, 'head')} {how}"


def random_heads(comparison: Comparison | None, facts: Facts) -> Iterator[Finding]:
    """Yield the finding that compares removing the least important heads with removing as many random heads."""
    if comparison is None or not comparison.random:
        return
    values = [change.value for change in comparison.random]
    mean = Change(float(np.mean(values)), np.mean([change.draws for change in comparison.random], axis=0))
    gain = Change(comparison.change.value - mean.value, comparison.change.draws - mean.draws)
    ends = gain.interval
    text = (
        f"As many heads chosen at random, {len(values)} times, change {facts['metric_title']} by {signed(mean.value)} "
        f"points in the mean ({signed(min(values))} to {signed(max(values))}); the least important ones are "
        f"{signed(gain.value)} points beside that ({signed_range(ends.low, ends.high)})."
    )
    numbers = {"change": mean.value, **mean.interval.columns(), "gain": gain.value, **ends.columns("gain_")}
    yield Finding("random", text, numbers)


def warnings(comparison: Comparison | None, task: Task | None) -> Iterator[Finding]:
    """Yield the warnings: no rows, few rows, a model of a single fine-tuning run, and problems of the data."""
    if comparison is None or task is None:
        text = (
            "No labelled rows were given: what the smaller model scores, what it loses beside the whole one and how "
            "fast it is are not known. Of a fine-tuned model, rows that it did not learn from would say it."
        )
        yield Finding("warning.not_scored", text)
        return
    yield from few_rows(task)
    yield Finding(
        "warning.one_run",
        "One fine-tuned run was made smaller, and the interval is over rows alone: another seed may lose more or less "
        "(wordworth study heads compares two).",
    )
    yield from (finding for finding in task.warnings if finding.name != "method.split")  # `method` has the halves


def method(smaller: SmallerModel, facts: Facts) -> Iterator[Finding]:
    """Yield the findings that say how heads were ranked and how scores and times were measured."""
    if smaller.importance is not None:
        yield Finding(
            "method.importance",
            f"{facts['ranking']:,} rows rank the heads and {facts['measuring']:,} others measure; no text is in both. "
            "The importance of a head is the mean over rows of |dL/dxi|, xi a factor on its output (Michel et al. "
            "2019, equation 5), divided by its norm within the layer for the order. A layer keeps its most "
            "important head.",
        )
    yield Finding(
        "method.training", "Nothing was trained: what is lost is more than what would be lost after training."
    )
    if "measuring" in facts:
        yield Finding(
            "method.interval",
            "Intervals are 95 % bootstrap intervals over rows, of both models on the same rows. Times are of one "
            f"thread of this machine, each model in turn with the whole one. Scores are computed in {facts['dtype']}, "
            "importance in float32.",
        )
