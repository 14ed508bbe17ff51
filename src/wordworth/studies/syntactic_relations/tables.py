"""The tables of a `relations` record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wordworth.models.pruning import Heads
from wordworth.records import Table
from wordworth.studies.syntactic_relations.attention_head_selection import Counts, SelectedMap
from wordworth.studies.syntactic_relations.correct_attachment_counts import DIRECTIONS, OFFSETS

RELATIONS = {
    "relation": "the relation of a word to its head; all: every relation but punctuation",
    "words": "number of words measured, in the half that did not choose the head",
    "layer": "layer of the best attention head, from 1",
    "head": "its number in the layer, from 1, as in the model before any was pruned",
    "direction": "from dependent: each word's most attended word; to dependent: the word that attends most to it",
    "accuracy": "share of words whose syntactic head it finds",
    "low": "of its 95 % interval, over documents",
    "high": "of its 95 % interval",
    "offset": "the best fixed offset from a word to its head, in words",
    "offset_accuracy": "share of words whose head is there",
    "offset_low": "of its 95 % interval",
    "offset_high": "of its 95 % interval",
    "random_accuracy": "share that the best attention head of an encoder with random weights finds",
    "random_low": "of its 95 % interval",
    "random_high": "of its 95 % interval",
    "gap": "accuracy less that of the offset",
    "gap_low": "of its 95 % interval, on the same draws",
    "gap_high": "of its 95 % interval",
    "ahead": "whether the interval of the gap, widened for the number of relations, is above 0",
    "random_gap": "the random encoder's accuracy less that of the offset",
    "random_ahead": "whether the random encoder is ahead of the offset in the same way",
    "on_choosing_half": "accuracy of the best attention head on the half that chose it",
}
HEADS = {
    "layer": "layer, from 1",
    "head": "number of the head in its layer, from 1",
    "direction": "as in the table relations",
    "accuracy": "share of words whose syntactic head it finds, of all relations but punctuation, on all sentences",
}


def tables_of(names: Sequence[str], counts: Counts, selected: Sequence[SelectedMap], heads: Heads) -> dict[str, Table]:
    """Return the tables of a `relations` record by name.

    Args:
        names: names of the relations.
        counts: numbers of correctly predicted syntactic heads in all sentences.
        selected: the best map (attention head read in one direction) of each relation.
        heads: (layer, head) of each attention head, from 0, layer by layer.
    """
    return {
        "relations": Table.of([_relation(names, each, heads) for each in selected], RELATIONS),
        "heads": Table.of(_heads(counts, heads), HEADS),
    }


def _relation(names: Sequence[str], selected: SelectedMap, heads: Heads) -> dict[str, Any]:
    accuracies = {
        "": ("accuracy", selected.accuracy),
        "offset_": ("offset_accuracy", selected.offset_accuracy),
        "random_": ("random_accuracy", selected.random_accuracy),
        "gap_": ("gap", selected.gap),
    }
    row: dict[str, Any] = {"relation": names[selected.relation], "words": selected.words}
    row |= columns_of(selected.map, heads) | {"offset": OFFSETS[selected.offset]}
    for prefix, (name, (value, ends)) in accuracies.items():
        row |= {name: value, **ends.columns(prefix)}
    row |= {"ahead": selected.is_ahead, "random_gap": selected.random_gap[0], "random_ahead": selected.random_is_ahead}
    return row | {"on_choosing_half": selected.optimistic}


def columns_of(number: int, heads: Heads) -> dict[str, Any]:
    """Return the columns that name a map, an attention head read in one direction.

    The columns are the map's layer and its head, from 1, and the direction.

    Args:
        number: index of the map.
        heads: (layer, head) of each attention head, from 0, layer by layer.
    """
    index, direction = divmod(number, len(DIRECTIONS))
    layer, head = heads[index]
    return {"layer": layer + 1, "head": head + 1, "direction": DIRECTIONS[direction]}


def _heads(counts: Counts, heads: Heads) -> list[dict[str, Any]]:
    shares = counts.maps[:, :, 0].sum(0) / np.maximum(counts.totals[:, 0].sum(), 1)
    return [{**columns_of(number, heads), "accuracy": float(share)} for number, share in enumerate(shares)]
