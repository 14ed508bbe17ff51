"""The findings of the study `sentences`: the model's score compared to poolings and controls, warnings, the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, points, signed_with_range, some_of
from wordworth.studies.sentences.pair_sets import PairSet, different_texts
from wordworth.studies.sentences.systems import OWN, System
from wordworth.studies.sentences.tables import ALL_SETS, WHOLE

_FEW = 200
_NAMES = {
    OWN: "the model with its own pooling",
    "mean": "mean pooling",
    "cls": "the first token",
    "max": "max pooling",
    "random weights": "random weights",
    "input layer, mean": "the mean of the input layer",
}


def findings(
    model: str, pooling: str | None, systems: Sequence[System], sets: Sequence[PairSet], tables: Mapping[str, Table]
) -> list[Finding]:
    """Return the findings of a `sentences` record: the verdict, the warnings and the method.

    Args:
        model: name of the model.
        pooling: name of the model's own pooling; None if its vectors do not come from a single pooling.
        systems: all systems with their cosines.
        sets: the pairs with their gold scores.
        tables: tables of the study.
    """
    names = _NAMES if pooling is None else _NAMES | {OWN: f"the model with its own pooling ({pooling})"}
    return [_verdict(model, names, sets, tables), *_warnings(systems, sets), *_method(sets)]


def _verdict(model: str, names: Mapping[str, str], sets: Sequence[PairSet], tables: Mapping[str, Table]) -> Finding:
    means = {row["system"]: row for row in tables["scores"].rows() if (row["set"], row["subset"]) == (ALL_SETS, WHOLE)}
    own = means[OWN]
    over = f"over {count_of(len(sets), 'set')}" if len(sets) > 1 else f"on {sets[0].name}"
    headline = f"{model}: Spearman × 100 {over} is {points(own['spearman'])}."
    ends = f"{points(own['low'])} to {points(own['high'])}"
    lines = [f"95 % interval over {count_of(own['pairs'], 'pair')}: {ends}."]
    comparisons = tables["comparisons"].rows()
    lines += [_sentence(row, 1 - 0.05 / len(comparisons), names) for row in comparisons]
    numbers: dict[str, Any] = {name: own[name] for name in ("spearman", "low", "high", "pearson", "pairs")}
    return Finding("verdict", "\n".join(lines), {"headline": headline, **numbers})


def _sentence(row: Mapping[str, Any], level: float, names: Mapping[str, str]) -> str:
    """Return the sentence on the difference of two systems, with its interval and whether it is significant.

    Args:
        row: a row of the table `comparisons`.
        level: confidence level of the interval, corrected for the number of comparisons.
        names: name of a system -> its name in the sentence.
    """
    first, second = (names.get(row[name], row[name]) for name in ("first", "second"))
    change = signed_with_range(row["difference"], row["corrected_low"], row["corrected_high"], level)
    certainty = "" if row["sure"] else "; which is ahead cannot be told"
    return f"{first[:1].upper()}{first[1:]} less {second}: {change}{certainty}."


def _warnings(systems: Sequence[System], sets: Sequence[PairSet]) -> Iterator[Finding]:
    few = [each.name for each in sets if len(each) < _FEW]
    if few:
        text = f"Fewer than {_FEW} pairs in {', '.join(few)}: intervals are wide, and small differences are not seen."
        yield Finding("warning.few_pairs", text, {"sets": few})
    texts = len(different_texts(sets))
    for system in systems:
        if system.zeros:
            what = some_of(system.zeros, texts, "texts has", "texts have")
            text = f"{what} no known word for {system.name}: their cosines count as 0."
            yield Finding("warning.no_vector", text, {"system": system.name, "texts": system.zeros, "of": texts})
    equal = sum(first == second for each in sets for first, second in zip(each.first, each.second, strict=True))
    if equal:
        text = f"{count_of(equal, 'pair has', 'pairs have')} two equal texts, whose cosine is 1 for every system."
        yield Finding("warning.equal_texts", text, {"pairs": equal})


def _method(sets: Sequence[PairSet]) -> Iterator[Finding]:
    yield Finding(
        "method.score",
        "Spearman's correlation of the cosines of the two vectors with the gold scores, over all pairs of a set at "
        "once, then the mean over sets; special tokens are pooled too. Resamples of pairs are shared by all systems.",
    )
    drawn = [each for each in sets if len(each) < each.rows]
    if drawn:
        listed = ", ".join(f"{len(each):,} of {each.rows:,} in {each.name}" for each in drawn)
        yield Finding("method.limit", f"Pairs drawn at random: {listed}.")
    for each in sets:
        yield from each.notes
