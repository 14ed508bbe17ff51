"""The findings of the study `layers`: the layer to take, the order in which tasks are solved, warnings, the method."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, decimal, join_words, percent, quoted, signed_with_range
from wordworth.studies.layers.linear_probing import HALVINGS
from wordworth.studies.layers.probe_trainer import EDGE, LINEAR
from wordworth.studies.layers.tables import ORDER
from wordworth.training.probes.span_probes import HIDDEN

Row = Mapping[str, Any]
_SHORT = 100
"""Number of texts below which a warning says that intervals over them are too short."""


def verdict(tables: Mapping[str, Table], depth: int) -> Finding:
    """Return the finding `verdict`: the layer to use for each task, and the order in which tasks are solved.

    The order of the tasks by expected layer is compared with the order in Tenney et al. (2019).

    Args:
        tables: the tables of the record.
        depth: number of layers of the encoder above the input layer.
    """
    choices = tables["choices"].rows()
    deciding = {row["task"]: row["dev"] for row in tables["tasks"].rows()}
    sentences = [choice_sentence(row, depth, deciding[row["task"]]) for row in choices]
    numbers: dict[str, Any] = {}
    if "expected" in tables:
        steps = tables["steps"].rows()
        sentences += _expected_sentences(tables["expected"].rows(), steps)
        numbers |= {"steps": len(steps), "later": sum(row["later"] for row in steps)}
    first = choices[0]
    few = deciding[first["task"]] < _SHORT
    qualifier = f", as far as {count_of(deciding[first['task']], 'text')} can tell" if few else ""
    headline = f"For {quoted(str(first['task']))} take {_layers(first, depth)}{qualifier}."
    if len(choices) > 1:
        headline = (
            f"Stopping early loses nothing sure for {stops(choices, depth)} of {count_of(len(choices), 'label')}."
        )
    return Finding("verdict", "\n".join(sentences), {"headline": headline, **numbers})


def stops(choices: Sequence[Row], depth: int) -> int:
    """Return for how many probing tasks the encoder can stop below its last layer.

    A task counts if the layer chosen for the task is below the last, and does not score significantly less than the mix
    of all layers.

    Args:
        choices: rows of the table of choices.
        depth: number of layers of the encoder above the input layer.
    """
    return sum(row["layer"] < depth and row["change_high"] >= 0 for row in choices)


def choice_sentence(row: Row, depth: int, deciding: int) -> str:
    """Return a sentence on the layer chosen for a task, with its score minus the score of the mix of all layers.

    The sentence also says how uncertain the choice is.

    Args:
        row: a row of the table of choices.
        depth: number of layers of the encoder above the input layer.
        deciding: number of the dev texts on which the layer was chosen.
    """
    loss = signed_with_range(row["change"], row["change_low"], row["change_high"])
    return (
        f"{quoted(str(row['task']))}: {_layers(row, depth)}, micro F1 {percent(row['f1'], 1)} "
        f"({_range(row['low'], row['high'])}); the mix of all layers {percent(row['whole'], 1)}, "
        f"a difference of {loss}. {count_of(deciding, 'text')} chose it; resampled texts choose {_chosen(row)}."
    )


def _chosen(row: Row) -> str:
    """Return a phrase that gives the interval of the chosen layer."""
    low, high = round(row["layer_low"]), round(row["layer_high"])
    return f"layer {low} in 95 % of the draws" if low == high else f"layers {low} to {high} (95 %)"


def _layers(row: Row, depth: int) -> str:
    if row["mix"]:
        return f"the mix of layers 0 to {row['layer']} of {depth}"
    return f"layer {row['layer']} of {depth}" if row["layer"] else f"layer 0 of {depth}, the words alone"


def _range(low: float, high: float) -> str:
    return f"{decimal(100 * low, 1)} to {decimal(100 * high, 1)}"


def _expected_sentences(rows: Sequence[Row], steps: Sequence[Row]) -> Iterator[str]:
    """Yield sentences on the expected layers, on the published order of tasks, and on layers that lower the score.

    Args:
        rows: rows of the table of expected layers.
        steps: rows on two tasks that are neighbours in the published order.
    """
    known = [row for row in rows if _has_value(row["expected"]) and _has_value(row["low"])]
    if known:
        named = [f"{quoted(str(row['task']))} {decimal(row['expected'], 2)} ({_ends(row)})" for row in known]
        yield f"Expected layers: {join_words(named)}."
    if unknown := [quoted(str(row["task"])) for row in rows if row not in known]:
        yield f"No expected layer of {join_words(unknown)}: what the layers gain over layer 0 is too little to say."
    if steps:
        later = sum(row["later"] for row in steps)
        back = [f"{row['second']} before {row['first']}" for row in steps if row["earlier"]]
        text = f"Published order, {', '.join(_named(steps))}: {later} of {count_of(len(steps), 'step')} surely come out"
        yield text + (f"; surely the other way round: {join_words(back)}." if back else ", none surely the other way.")
    if losing := [f"{row['negative']} for {quoted(str(row['task']))}" for row in rows if row["negative"]]:
        yield f"Number of layers that take away from the score: {join_words(losing)}."


def _has_value(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def _ends(row: Row) -> str:
    return f"{decimal(row['low'], 2)} to {decimal(row['high'], 2)}"


def _named(steps: Sequence[Row]) -> list[str]:
    return [str(steps[0]["first"]), *(str(row["second"]) for row in steps)]


def warnings(tables: Mapping[str, Table], windowed: int) -> Iterator[Finding]:
    """Yield a warning for everything that could make the results misleading.

    Args:
        tables: the tables of the record.
        windowed: number of texts that did not fit into the encoder's window.
    """
    if windowed:
        text = f"{count_of(windowed, 'text')} did not fit into the encoder and went in overlapping windows."
        yield Finding("warning.long_texts", text, {"texts": windowed})
    choices = {row["task"]: row for row in tables["choices"].rows()}
    for row in tables["tasks"].rows():
        if row["dev"] < _SHORT:
            text = (
                f"Only {count_of(row['dev'], 'text')} chose the layer for {quoted(str(row['task']))}: another sample "
                f"may choose another; resampled texts choose {_chosen(choices[row['task']])}. Give more labelled texts."
            )
            yield Finding(f"warning.few_deciding.{row['task']}", text, {"texts": row["dev"]})
    few = [row["task"] for row in tables["tasks"].rows() if row["test"] < _SHORT]
    if few:
        text = f"Fewer than {_SHORT} texts measure {join_words(list(map(quoted, few)))}: intervals are too short."
        yield Finding("warning.few_texts", text, {"tasks": few})
    if "expected" not in tables:
        return
    rows = tables["expected"].rows()
    random = [row["task"] for row in rows if row["random_high"] >= row["f1_low"]]
    if random:
        text = (
            f"With random weights {join_words(list(map(quoted, random)))} is read as well, as far as can be told: what "
            "the probe finds there need not have been learned."
        )
        yield Finding("warning.random", text, {"tasks": random})
    apart = [row["task"] for row in rows if not _agrees(row)]
    if apart:
        text = (
            f"A second seed of the probes gives another expected layer for {join_words(list(map(quoted, apart)))}, "
            "outside the interval of the first: intervals over texts do not hold the luck of training."
        )
        yield Finding("warning.second_seed", text, {"tasks": apart})
    text = "That a probe can read a label from a layer does not mean that the model uses it there."
    yield Finding("warning.probing", text)


def _agrees(row: Row) -> bool:
    if not all(_has_value(row[name]) for name in ("again", "low", "high")):
        return True
    return bool(row["low"] <= row["again"] <= row["high"])


def method(tables: Mapping[str, Table]) -> Iterator[Finding]:
    """Yield the findings that describe the method of a `layers` record."""
    if "expected" in tables:
        yield Finding(
            "method.edge_probes",
            "An edge probe (Tenney et al. 2019) reads a scalar mix of frozen layers, each scaled to a root mean square "
            f"of 1, projects it to {HIDDEN}, pools each span by attention and scores labels by a layer of {HIDDEN} "
            "tanh units and a sigmoid each; micro F1. Words stand in for pieces: a word is the mean of its pieces. "
            "Probe l mixes layers 0 to l; the expected layer weighs each layer by what it adds to the score, also "
            f"where it adds less than nothing. Adam at {EDGE.rate:g}, at most {EDGE.passes} passes. The published "
            f"order: {', '.join(ORDER)}; chunks were not in it.",
        )
    control = (
        "The control task gives each word a label of its own, drawn from those of the task (Hewitt and Liang 2019); "
        "selectivity is the score less that of the control task, both on words that were trained on. "
    )
    has_control = any(row["control"] is not None for row in tables["layers"].rows())
    yield Finding(
        "method.linear_probes",
        f"A linear probe reads one layer, or a mix of layers 0 to l; Adam at {LINEAR.rate:g}, at most {LINEAR.passes} "
        f"passes. {control if has_control else ''}Description length is that of online coding (Voita and Titov 2020) "
        f"in blocks that double {HALVINGS} times: the area under the learning curve of the log-loss.",
    )
    yield Finding(
        "method.choice",
        "Some texts choose the layer, others measure it. The chosen layer is the lowest one whose score is at most one "
        "standard error below the best score; the same rule on resamples of the choosing texts gives the interval of "
        "the layer. No document is in two parts. Intervals are 95 % bootstrap intervals over texts.",
    )
