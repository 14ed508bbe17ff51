"""The tables of a record of kind `layers`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from wordworth.measures.bootstrap import Interval, interval
from wordworth.measures.expected_layer import centre_of_gravity, gains, kl_to_uniform
from wordworth.measures.weighted_sums import floats
from wordworth.records import Table
from wordworth.studies.layers.edge_probing import EdgeProbing, finite_interval
from wordworth.studies.layers.linear_probing import Choice, LinearProbing
from wordworth.studies.layers.span_task import SpanTask

TASKS = {
    "task": "name of the task",
    "title": "what it asks",
    "train": "number of texts that train",
    "dev": "number of texts that decide when to stop and which layer is taken",
    "test": "number of texts that measure",
    "targets": "number of targets in the texts that measure",
    "labels": "number of labels",
}
EXPECTED = {
    "task": "name of the task",
    "expected": "expected layer of edge probes, E_Delta; missing where all layers gain nothing over layer 0",
    "low": "of its 95 % interval, over texts",
    "high": "of its 95 % interval",
    "again": "expected layer with a second seed",
    "again_low": "of its 95 % interval",
    "again_high": "of its 95 % interval",
    "centre": "centre of gravity of the mixing weights of all layers, E_s",
    "kl": "Kullback-Leibler divergence of these weights from equal ones, in nats",
    "words": "micro F1 of the edge probe of layer 0",
    "f1": "micro F1 of the edge probe of all layers",
    "f1_low": "of its 95 % interval",
    "f1_high": "of its 95 % interval",
    "random": "micro F1 of the edge probe of all layers of an encoder with random weights",
    "random_low": "of its 95 % interval",
    "random_high": "of its 95 % interval",
    "negative": "number of layers whose gain is below 0",
}
DEPTHS = {
    "task": "name of the task",
    "layer": "highest layer that is mixed; 0 is the input layer",
    "f1": "micro F1 of the edge probe that mixes layers 0 to this one",
    "low": "of its 95 % interval, over texts",
    "high": "of its 95 % interval",
    "gain": "its micro F1 less that of the layer below; missing for layer 0",
    "gain_low": "of its 95 % interval, on the same resampled texts",
    "gain_high": "of its 95 % interval",
    "again": "micro F1 with a second seed",
    "share": "weight of the layer in the mix of all layers",
}
LAYERS = {
    "task": "name of the task",
    "layer": "number of the layer; 0 is the input layer",
    "f1": "micro F1 of a linear probe of this layer",
    "low": "of its 95 % interval, over texts",
    "high": "of its 95 % interval",
    "mix": "micro F1 of a linear probe that mixes layers 0 to this one",
    "mix_low": "of its 95 % interval",
    "mix_high": "of its 95 % interval",
    "random": "micro F1 of a linear probe of this layer of an encoder with random weights",
    "random_low": "of its 95 % interval",
    "random_high": "of its 95 % interval",
    "control": "micro F1 on the control task, where each word has a random label of its own; missing for whole texts",
    "selectivity": "micro F1 less that of the control task, on words that were trained on",
    "selectivity_low": "of its 95 % interval",
    "selectivity_high": "of its 95 % interval",
    "code": "bits a target of the labels of the training texts, by online coding",
    "compression": "the uniform code's bits over these",
}
STEPS = {
    "first": "a task",
    "second": "the next in the published order",
    "difference": "expected layer of the second less that of the first",
    "low": "of its 95 % interval, over texts",
    "high": "of its 95 % interval",
    "later": "whether the interval, at a level corrected for the number of steps, is above 0",
    "earlier": "whether it is below 0",
}
CHOICES = {
    "task": "name of the task",
    "layer": "highest layer that is read",
    "layer_low": "of the 95 % interval of that layer, chosen on resamples of the texts that decide",
    "layer_high": "of its 95 % interval",
    "mix": "whether layers 0 to this one are mixed, or it is read alone",
    "f1": "micro F1 of the linear probe that is taken, on texts that chose nothing",
    "low": "of its 95 % interval, over texts",
    "high": "of its 95 % interval",
    "whole": "micro F1 of the linear probe that mixes all layers",
    "whole_low": "of its 95 % interval",
    "whole_high": "of its 95 % interval",
    "change": "the first less the second",
    "change_low": "of its 95 % interval, on the same resampled texts",
    "change_high": "of its 95 % interval",
    "numbers": "number of weights of the probe",
}
ORDER = ("pos", "chunk", "dep", "ner", "spr", "rel", "dpr")
"""Tasks in the order in which BERT solves them by Tenney et al. (2019, figure 2), with chunks after parts of speech."""
Edges = Mapping[str, EdgeProbing]


def tables_of(tasks: Sequence[SpanTask], edges: Edges, linear: Mapping[str, LinearProbing]) -> dict[str, Table]:
    """Return the tables of a `layers` record by name.

    Args:
        tasks: the tasks of the study.
        edges: name of a task -> the results of its edge probes; if it is empty, the tables of edge probes are left out.
        linear: name of a task -> the results of its linear probes.
    """
    tables = {"tasks": Table.of([_task(task) for task in tasks], TASKS)}
    if edges:
        tables["expected"] = Table.of([_expected(name, edge) for name, edge in edges.items()], EXPECTED)
        tables["depths"] = Table.of([row for name, edge in edges.items() for row in _depths(name, edge)], DEPTHS)
        tables["steps"] = Table.of(_steps(edges), STEPS)
    tables["layers"] = Table.of([row for name, each in linear.items() for row in _layers(name, each)], LAYERS)
    tables["choices"] = Table.of([_choice(name, each.choice) for name, each in linear.items()], CHOICES)
    return tables


def _task(task: SpanTask) -> dict[str, Any]:
    train, dev, test = map(len, task.parts)
    sizes = {"train": train, "dev": dev, "test": test, "targets": len(task.targets_of(task.parts[2]))}
    return {"task": task.name, "title": task.title, **sizes, "labels": len(task.classes)}


def _value(of: tuple[float, Interval] | None, name: str, prefix: str = "") -> dict[str, float | None]:
    """Return three columns of a table by name: a value and the two ends of its interval; all None if `of` is None.

    Args:
        of: the value with its interval, or None.
        name: name of the value's column.
        prefix: beginning of the names of the other columns, `{prefix}low` and `{prefix}high`.
    """
    if of is None:
        return {name: None, f"{prefix}low": None, f"{prefix}high": None}
    return {name: of[0], **of[1].columns(prefix)}


def _expected(name: str, edge: EdgeProbing) -> dict[str, Any]:
    (expected, drawn), (again, drawn_again) = edge.expected, edge.expected_again
    random = (edge.random[1].f1, interval(edge.resampled_f1[:, -1]))
    return {
        "task": name,
        **_value((expected, finite_interval(drawn)), "expected"),
        **_value((again, finite_interval(drawn_again)), "again", "again_"),
        "centre": centre_of_gravity(edge.shares),
        "kl": kl_to_uniform(edge.shares),
        "words": edge.counts[0].f1,
        **_value((edge.counts[-1].f1, interval(edge.by_depth[:, -1])), "f1", "f1_"),
        **_value(random, "random", "random_"),
        "negative": int((gains(edge.scores) < 0).sum()),
    }


def _depths(name: str, edge: EdgeProbing) -> list[dict[str, Any]]:
    added, drawn = gains(edge.scores), gains(edge.by_depth)
    rows = []
    for layer, counts in enumerate(edge.counts):
        gain = None if layer == 0 else (float(added[layer - 1]), interval(drawn[:, layer - 1]))
        value = _value((counts.f1, interval(edge.by_depth[:, layer])), "f1") | _value(gain, "gain", "gain_")
        others = {"again": edge.again[layer].f1, "share": float(edge.shares[layer])}
        rows.append({"task": name, "layer": layer, **value, **others})
    return rows


def _layers(name: str, linear: LinearProbing) -> list[dict[str, Any]]:
    return [
        {
            "task": name,
            "layer": each.layer,
            **_value(each.f1, "f1"),
            **_value(each.mix, "mix", "mix_"),
            **_value(each.random, "random", "random_"),
            "control": each.control,
            **_value(each.selectivity, "selectivity", "selectivity_"),
            "code": each.code / linear.targets,
            "compression": linear.uniform / each.code,
        }
        for each in linear.layers
    ]


def _steps(edges: Edges) -> list[dict[str, Any]]:
    """Return a row for each two tasks that are neighbours in the published order, on their expected layers."""
    known = [name for name in ORDER if name in edges]
    level = 1 - 0.05 / max(1, len(known) - 1)
    rows = []
    for first, second in pairwise(known):
        (before, drawn_before), (after, drawn_after) = edges[first].expected, edges[second].expected
        drawn = floats(np.subtract(drawn_after, drawn_before))
        corrected = finite_interval(drawn, level)
        value = _value((after - before, finite_interval(drawn)), "difference")
        rows.append(
            {"first": first, "second": second, **value, "later": corrected.low > 0, "earlier": corrected.high < 0}
        )
    return rows


def _choice(name: str, choice: Choice) -> dict[str, Any]:
    taken = choice.taken
    return {
        "task": name,
        **_value(choice.depth, "layer", "layer_"),
        "mix": taken.is_mix,
        **_value(choice.f1, "f1"),
        **_value(choice.whole, "whole", "whole_"),
        **_value(choice.change, "change", "change_"),
        "numbers": sum(weights.numel() for weights in taken.probe.parameters() if weights.requires_grad),
    }
