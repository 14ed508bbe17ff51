"""The findings of the study `finetuning`: the verdict, the loss landscape, words, warnings and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from wordworth.measures.attention_patterns import PATTERNS
from wordworth.measures.bootstrap import Interval
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.records import Finding, Table
from wordworth.sentence_formatting import (
    count_of,
    decimal,
    join_words,
    passing_by_chance,
    percent,
    points,
    signed,
    signed_range,
)
from wordworth.studies.finetuning_changes.compare_representations import RUN, TUNED
from wordworth.studies.finetuning_changes.layer_roll_back import ALL, THIRDS
from wordworth.studies.finetuning_changes.loss_landscape import RUN_LINE, SCRATCH_LINE, SECOND_LINE
from wordworth.studies.finetuning_changes.read_models import Models
from wordworth.studies.finetuning_changes.results import MIXED, PURE, ChangeResults
from wordworth.tasks.task import Task

Row = Mapping[str, Any]
Tables = Mapping[str, Table]
_FEW_ROWS = 200


def verdict(results: ChangeResults, tables: Tables, facts: Mapping[str, Any]) -> Finding:
    """Return the finding `verdict`: which layer fine-tuning changed most.

    The verdict also names the layers that fine-tuning changed more than a change of the seed does.

    Args:
        results: the measured changes.
        tables: the tables of the record.
        facts: the description of the data.
    """
    layers = tables["layers"].rows()[1:]
    least = min(layers, key=lambda row: row["cka"])
    top = len(layers)
    where = "the last layer" if least["layer"] == top else f"layer {least['layer']} of {top}"
    is_sure = _margin(results, least["layer"]).low > 0
    headline = f"Fine-tuning changed {where} most." if is_sure else "No layer surely changed most."
    sentences = [
        _states(least, layers[0]),
        *_luck(layers),
        *_attention(tables),
        _falling(tables["basins"].rows()),
        _rolled(tables["roll_back"].rows(), results.score, facts),
    ]
    numbers = {"headline": headline, "layer": least["layer"], "layers": top, "cka": least["cka"]}
    return Finding("verdict", "\n".join(sentences), numbers)


def _margin(results: ChangeResults, layer: int) -> Interval:
    """Return the 95 % interval of a difference: the mean CKA of the other layers minus the CKA of one layer.

    Args:
        results: the measured changes.
        layer: number of the one layer, from 1; the input layer is not among the other layers.
    """

    def gap(values: Mapping[tuple[str, str], Floats]) -> Floats:
        cka = values[TUNED][..., 1:]
        others = np.delete(cka, layer - 1, axis=-1)
        return floats(others.mean(-1, keepdims=True) - cka[..., [layer - 1]])

    return results.similarity.interval(gap)[0]


def _states(least: Row, first: Row) -> str:
    return (
        f"The states of layer {least['layer']} have a CKA of {_with_ends(least, 'cka')} with those before fine-tuning; "
        f"in layer 1 it is {_with_ends(first, 'cka')}, with random weights {decimal(least['cka_random'])} in layer "
        f"{least['layer']}."
    )


def _with_ends(row: Row, name: str) -> str:
    return f"{decimal(row[name])} ({decimal(row[f'{name}_low'])} to {decimal(row[f'{name}_high'])})"


def _luck(layers: Sequence[Row]) -> Iterator[str]:
    if layers[0]["more"] is None:
        return
    more = [str(row["layer"]) for row in layers if row["more_low"] is not None and row["more_low"] > 0]
    last = layers[-1]
    beyond = f"in layer{'s' * (len(more) > 1)} {join_words(more)}" if more else "in no layer"
    yield (
        f"Two seeds of the same training have {decimal(last['cka_seed'])} in the last layer. Fine-tuning changed "
        f"states more than the seed does {beyond} beyond doubt."
    )


def _attention(tables: Tables) -> Iterator[str]:
    heads, layers = tables["heads"].rows(), tables["layers"].rows()[1:]
    least = min(layers, key=lambda row: row["cosine"])
    text = (
        f"Attention maps changed most in layer {least['layer']}: cosine {_with_ends(least, 'cosine')} before and after"
    )
    if heads[0]["sure"] is None:
        yield text + "."
        return
    sure = sum(bool(row["sure"]) for row in heads)
    yield (
        f"{text}, {decimal(least['cosine_seed'])} between seeds; {sure} of {count_of(len(heads), 'head')} changed more "
        f"than between seeds (with no difference, {passing_by_chance(len(heads), 0.025)})."
    )


def _falling(basins: Sequence[Row]) -> str:
    lines = {(row["line"], row["rows"]): row for row in basins if row["direction"] == "line"}
    rows = "learned" if (RUN_LINE, "learned") in lines else "unseen"
    own = lines[RUN_LINE, rows]
    which = "it learned from" if rows == "learned" else "it did not learn from"
    text = (
        f"On the line from the start to the model the loss on rows {which} falls from {decimal(own['start'])} to "
        f"{decimal(own['end'])}, in {percent(own['falling'])} of the segments"
    )
    others = [(name, lines[name, rows]) for name in (SECOND_LINE, SCRATCH_LINE) if (name, rows) in lines]
    further = "; ".join(
        f"{name} {decimal(row['start'])} to {decimal(row['end'])}, in {percent(row['falling'])}" for name, row in others
    )
    return text + (f" ({further})." if further else ".")


def _rolled(rows: Sequence[Row], score: float, facts: Mapping[str, Any]) -> str:
    by_part = {row["part"]: row for row in rows}
    phrases = [f"{name} {_change(by_part[name])}" for name in (*THIRDS, ALL) if name in by_part]
    return (
        f"With layers as they were before fine-tuning {facts['metric_title']} ({points(score)}) changes by so many "
        f"points: {join_words(phrases)}."
    )


def _change(row: Row) -> str:
    return f"{signed(row['change'])} ({signed_range(row['low'], row['high'])})"


def landscape_findings(results: ChangeResults, tables: Tables) -> Iterator[Finding]:
    """Yield the findings on how wide the loss basins are, and on the lowest loss on the plane."""
    rows = [row for row in tables["basins"].rows() if row["direction"] != "line"]
    widths = join_words([f"{row['line']}, {row['direction']}: {_width(row)}" for row in rows])
    yield Finding(
        "basins",
        "Width in which the loss stays under twice that of the end, in norms of the weights, row by row: "
        + widths
        + ".",
    )
    plane = results.landscape.plane
    if plane is not None:
        least = min(tables["plane"].rows(), key=lambda row: row["loss"])
        yield Finding(
            "plane",
            f"The second direction leads to: {plane.second}, as long as the first, at a cosine of "
            f"{decimal(plane.cosine)} to it. The least loss on the plane is {decimal(least['loss'])}, at "
            f"({least['across']:g}, {least['up']:g}).",
            {"second": plane.second, "cosine": plane.cosine},
        )


def _width(row: Row) -> str:
    return f"{'at least ' * bool(row['wider'])}{_with_ends(row, 'width')}"


def words_finding(results: ChangeResults) -> Finding:
    """Return the finding on the words whose states moved most.

    The finding compares these words with the mean of all words, and with how far states move between two seeds.
    """
    words = results.words
    if not words.words:
        return Finding("words", "No word occurs often enough in both halves of the texts to be compared.")
    named = join_words([f"“{word.word}” {decimal(word.moved)}" for word in words.words[:5]])
    seed = "" if words.mean_by_seed != words.mean_by_seed else f", between seeds {decimal(words.mean_by_seed)}"
    return Finding("words", f"Moved most: {named}; the mean over all words is {decimal(words.mean)}{seed}.")


def warnings(models: Models, task: Task, rows: int) -> Iterator[Finding]:
    """Yield the warnings on missing runs or rows, on few rows, on widths of loss basins, and on problems of the data.

    Widths depend on the scale of the weights, which layer norms make arbitrary.

    Args:
        models: the models of the study.
        task: the labelled rows.
        rows: number of rows that were measured.
    """
    yield from _missing(models)
    if rows < _FEW_ROWS:
        yield Finding(
            "warning.few_rows", f"{rows} rows measure: small changes cannot be told from luck.", {"rows": rows}
        )
    yield Finding(
        "warning.flatness",
        "Layer norms make the scale of weights arbitrary: that one basin is wider than another on the raw line says "
        "nothing of which model generalises; see the directions whose filters are as long as the weights'.",
    )
    yield from (finding for finding in task.warnings if finding.name != "method.split")


def _missing(models: Models) -> Iterator[Finding]:
    """Yield a warning for each run or file that is missing, with the results that are therefore missing."""
    if not models.base.verified:
        text = (
            f"The run does not keep the fingerprint of its start: that it began from {models.base.name} is what its "
            "record, or you, say."
        )
        yield Finding("warning.start", text)
    if models.path is None:
        text = (
            "The run kept no path: losses on rows that it learned from, the way of the training, and the head that it "
            "began with are missing. A fine-tuning that keeps its path has them."
        )
        yield Finding("warning.path", text)
    if models.second is None:
        text = (
            "There is no second run with another seed: how much of each change is luck is not known. A fine-tuning "
            "that keeps its path keeps one, if it has several restarts."
        )
        yield Finding("warning.second", text)
    if models.scratch is None:
        text = "There is no run of the same training from random weights: what pretraining gives the loss is not shown."
        yield Finding("warning.scratch", text)


def method(results: ChangeResults, models: Models, rows: Mapping[str, int]) -> Iterator[Finding]:
    """Yield the findings that say how each kind of number in a `finetuning` record was computed.

    Args:
        results: the measured changes.
        models: the models of the study.
        rows: name of a table -> the number of rows that it was measured on.
    """
    rules, network = (_right(results, PURE, classifier) for classifier in ("rules", "network"))
    agreement = _right(results, RUN, "network")
    yield Finding(
        "method.cka",
        f"CKA is linear and debiased, of {len(results.compared.drawn):,} words of {count_of(results.texts, 'text')}, a "
        "word's state being the mean of its pieces'; intervals leave out tenths of the texts in turn. Cosines are of "
        "whole attention maps of one text, without padding; their intervals are a bootstrap over texts.",
    )
    yield Finding(
        "method.patterns",
        "Patterns of maps are by rules on the attention to special tokens, to near words and within a text, each less "
        "what uniform attention gives; a small network, which learned from synthetic maps, sees the map alone. Of "
        f"synthetic maps of one pattern the rules tell {percent(rules)} right, the network "
        f"{percent(network)}; of the run's maps both say the same of {percent(agreement)}.",
        {"network": network, "rules": rules, "agreement": agreement},
    )
    yield Finding(
        "method.words",
        "Words are chosen on half of the texts and measured on the other half; a state's distance is 1 less the "
        "cosine, each state less its model's mean.",
    )
    restored = "every" if results.landscape.restored else "not every"
    counted = join_words([f"{number:,} {name}" for name, number in rows.items()])
    yield Finding(
        "method.losses",
        f"Losses are means over {counted} rows, without dropout, in float32, on the plane in the dtype in which the "
        "model predicts. Lines move the encoder; the head stays that of the model, except in `with its first "
        "head`. Losses at the start and at the end, on the line and on the plane, differ from those measured on the "
        f"models themselves by {results.landscape.measured:g}; afterwards {restored} weight was what it was, to the "
        "bit.",
        {"difference": results.landscape.measured, "restored": results.landscape.restored},
    )
    moved, start = results.landscape.distance
    share = percent(moved / start, 1) if start else "an undefined share"
    yield Finding(
        "method.distance",
        f"The encoder moved by {share} of the norm of its weights.",
        {"moved": moved, "start": start},
    )
    yield Finding(
        "method.roll_back",
        "Reset layers have their weights of before; the head, with a pooler if there is one, stays fine-tuned. Nothing "
        f"is trained again. Started from {models.base.name}.",
    )


def _right(results: ChangeResults, maps: str, classifier: str) -> float:
    """Return the accuracy of a classifier of attention patterns, from 0 to 1.

    Args:
        results: the measured changes.
        maps: source of the attention maps, as in `ChangeResults.confusion`; the true patterns of the run's maps are
            taken from the rules.
        classifier: `rules` or `network`.
    """
    chosen = {key: number for key, number in results.confusion.items() if key[:2] == (maps, classifier)}
    return sum(number for key, number in chosen.items() if key[2] == key[3]) / max(1, sum(chosen.values()))


def mixed(results: ChangeResults) -> Finding:
    """Return the finding on the patterns that the network predicts for mixtures of two patterns."""
    counts = {key: number for key, number in results.confusion.items() if key[0] == MIXED and key[1] == "network"}
    shares = {name: sum(number for key, number in counts.items() if key[3] == name) for name in PATTERNS}
    total = max(1, sum(shares.values()))
    answers = join_words([f"{name} {percent(number / total)}" for name, number in shares.items() if number])
    return Finding("method.mixtures", f"Of mixtures, half of each of two patterns, the network says: {answers}.")
