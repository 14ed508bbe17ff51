"""The findings of the study `patterns`: types of heads, where attention goes, what could mislead, and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, nan
from typing import Any

from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, decimal, join_words, percent, significant

Row = Mapping[str, Any]
_SMALL = 0.05
_FEW = 30
_SAYS = {
    "previous": "to the previous token",
    "next": "to the next token",
    "special": "to special tokens",
    "broad": "broadly",
}


def verdict(tables: Mapping[str, Table]) -> Finding:
    """Return the finding `verdict`: the number of heads of each published type, and where most attention goes."""
    rows = tables["types"].rows()
    total = sum(row["heads"] for row in rows)
    focused, broad = sum(row["heads"] for row in rows[:-2]), rows[-2]
    headline = (
        f"{focused} of {count_of(total, 'head')} {'attends' if focused == 1 else 'attend'} mostly to a neighbour or to "
        f"special tokens, {broad['heads']} broadly."
    )
    parts = [f"{_SAYS[row['type']]} {row['heads']} ({row['low']:.0f} to {row['high']:.0f})" for row in rows[:-1]]
    random = [f"{row['random']:g} {row['type']} ({row['random_least']} to {row['random_most']})" for row in rows[:-1]]
    sentences = [
        f"Heads that attend {join_words(parts)}; intervals of 95 % over texts.",
        f"By luck, in the mean (least to most) of encoders with random weights: {join_words(random)}.",
        _attention(tables["layers"].rows()),
        *_effect(tables["layers"].rows()),
        _entropy(tables["layers"].rows()),
        _distances(tables["distances"].rows()),
    ]
    numbers = {"headline": headline, "focused": focused, "broad": broad["heads"], "heads": total}
    return Finding("verdict", "\n".join(sentences), numbers)


def _attention(layers: Sequence[Row]) -> str:
    top = max(layers, key=lambda row: row["special"])
    ends = f"{percent(top['special_low'])} to {percent(top['special_high'])}"
    return (
        f"Attention to special tokens is largest in layer {top['layer']}, {percent(top['special'])} ({ends}); "
        f"with random weights {percent(top['random_special'])}."
    )


def _entropy(layers: Sequence[Row]) -> str:
    largest, smallest = (choose(layers, key=lambda row: row["entropy"])["layer"] for choose in (max, min))
    return f"Entropy is largest in layer {largest}, smallest in layer {smallest}."


def _effect(layers: Sequence[Row]) -> Iterator[str]:
    """Yield the sentence on gradients with respect to attention to special tokens.

    The sentence is on the layer in which special tokens receive most attention.
    """
    top = max(layers, key=lambda row: row["special"])
    name = "first" if top["first"] >= top["separator"] else "separator"
    own, random = (top[f"{each}gradient_{name}"] / (top[f"{each}gradient_other"] or nan) for each in ("", "random_"))
    if isfinite(own) and isfinite(random):
        token = "the first token" if name == "first" else "separators"
        yield (
            f"There the loss changes {significant(own)} times as much with attention to {token} as with attention to "
            f"other tokens; with random weights {significant(random)} times."
        )


def _distances(rows: Sequence[Row]) -> str:
    own, random = rows
    closer = own["p"] < _SMALL and own["low"] > 0
    words = "Heads of one layer are closer than heads of two" if closer else "Heads of one layer are not surely closer"
    figures = f"{decimal(own['within'])} against {decimal(own['between'])} nats, p {_p(own['p'])}"
    control = f"{decimal(random['within'], 5)} against {decimal(random['between'], 5)}"
    return f"{words} ({figures}); with random weights {control}."


def _p(value: float) -> str:
    return "undefined" if value != value else decimal(value, 4)  # noqa: PLR0124 - NaN


def warnings(tables: Mapping[str, Table], facts: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the warnings: head types that random weights have too, few texts, and what attention does not show.

    Args:
        tables: the tables of the record.
        facts: the description of the data.
    """
    random = [row["type"] for row in tables["types"].rows()[:-1] if row["random"] >= max(1, row["heads"])]
    if random:
        text = (
            f"Encoders with random weights have in the mean at least as many heads of type {join_words(random)}: that "
            "need not be learned."
        )
        yield Finding("warning.random", text, {"types": random})
    if facts["texts"] < _FEW:
        text = f"The segments are from {count_of(facts['texts'], 'text')}: intervals over so few texts are too short."
        yield Finding("warning.texts", text, {"texts": facts["texts"]})
    yield Finding(
        "warning.attention", "Attention shows where a head reads, not what the model does with it: see the gradients."
    )


def method(facts: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the findings that say how each kind of number of a `patterns` record was computed."""
    counted = f"{count_of(facts['segments'], 'segment')} of {count_of(facts['texts'], 'text')}"
    yield Finding(
        "method.segments",
        f"{counted}: the first of every text, then "
        "the second ones, and so on. Means are over tokens; intervals are 95 % bootstrap intervals over texts.",
    )
    yield Finding(
        "method.types",
        "Thresholds are those of Clark et al. (2019); their 3.8 nats of 128 tokens are a share of ln 128 here, so that "
        "shorter segments count too. Entropies are of attention with 0.01 % uniform attention mixed in, divergences "
        "with 0.1 %, as in their code.",
    )
    of_loss = {
        "masked-LM loss": "The loss is that of masked tokens, 15 % of each segment, as in the paper.",
        "cosine of halves": "This model has no masked-LM head; the loss is 1 less the cosine of the mean states of a "
        "segment's two halves.",
    }
    loss = of_loss[facts["loss"]]
    yield Finding(
        "method.gradients",
        f"Gradients are means of |d loss / d attention| over {count_of(facts['gradient_segments'], 'segment')}. {loss} "
        "Their scale is the loss's: compare kinds of tokens within a model, not models.",
    )
    yield Finding(
        "method.random",
        f"The control is an encoder of the same shape with random weights, on the first "
        f"{count_of(facts['control_segments'], 'segment')}; types of heads are counted in {facts['random_encoders']} "
        f"such encoders, each with weights of its own; all but that one read {facts['few_segments']:,} segments.",
    )
    yield Finding(
        "method.plane",
        "The plane of heads is classical multidimensional scaling of Jensen-Shannon divergences, the squares of "
        "Euclidean distances; the p-value is of 9,999 permutations of heads over layers.",
    )
