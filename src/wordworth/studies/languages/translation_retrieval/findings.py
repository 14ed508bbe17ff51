"""The findings of the retrieval of translations: what the chosen layer retrieves, and what could mislead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wordworth.measures.bootstrap import interval
from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, join_words, percent, some_of
from wordworth.studies.languages.bootstrap_interval_columns import NO, UNKNOWN, YES
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, RANDOM
from wordworth.studies.languages.translation_retrieval.layers import LayerChoice
from wordworth.studies.languages.translation_retrieval.tables import (
    CHOSEN,
    INPUT,
    VECTORS,
    RetrievedPairs,
    mean_retrieved,
)

_FEW, _MANY_UNKNOWN, _MOST_NAMED = 100, 0.02, 8


def verdict(model: str, tables: Mapping[str, Table], retrieved: RetrievedPairs) -> Finding:
    """Return the finding `verdict`: the share of translations retrieved, and where the model beats the baselines.

    Args:
        model: name of the model.
        tables: tables of the study.
        retrieved: the translations that each system retrieves.
    """
    rows = tables["languages"].rows()
    groups = {
        answer: [str(row["language"]) for row in rows if row["aligned"] == answer] for answer in (YES, NO, UNKNOWN)
    }
    value, draws = mean_retrieved(retrieved, CHOSEN)
    ends = interval(draws)
    means = {name: mean_retrieved(retrieved, name)[0] for name in (VECTORS, INPUT, RANDOM, CHARACTERS)}
    there, back = (mean_retrieved(retrieved, CHOSEN, (direction,))[0] for direction in (0, 1))
    own = (
        f"{_layer(retrieved.choices[CHOSEN])}, chosen on training pairs, retrieves {percent(value, 1)} of translations "
        f"({percent(ends.low, 1)} to {percent(ends.high, 1)}): {percent(there, 1)} from {retrieved.pairs.source}, "
        f"{percent(back, 1)} to it."
    )
    others = (
        f"The model's own sentence vectors retrieve {percent(means[VECTORS], 1)}, its input layer "
        f"{percent(means[INPUT], 1)}, random weights {percent(means[RANDOM], 1)}, n-grams of characters "
        f"{percent(means[CHARACTERS], 1)}."
    )
    numbers = {
        "headline": f"{model} retrieves {percent(value)} of translations from {count_of(len(rows), 'language')}.",
        "retrieved": value,
        **ends.columns("retrieved_"),
        "forward": there,
        "backward": back,
        "aligned": groups[YES],
        "not_aligned": groups[NO],
        "unknown": groups[UNKNOWN],
        "layer": retrieved.choices[CHOSEN].layer,
        "centred": retrieved.choices[CHOSEN].centred,
    }
    return Finding("verdict", "\n".join([own, others, _sure(groups, len(rows))]), numbers)


def _layer(choice: LayerChoice) -> str:
    return f"Layer {choice.layer}{', centred by language' if choice.centred else ''}"


def _sure(groups: Mapping[str, list[str]], languages: int) -> str:
    sure = groups[YES]
    where = f" ({join_words(sure, _MOST_NAMED)})" if sure else ""
    behind = f" It is surely behind one of them in {join_words(groups[NO], _MOST_NAMED)}." if groups[NO] else ""
    return (
        f"It is surely above n-grams, random weights and the input layer in "
        f"{some_of(len(sure), languages, 'languages', 'languages')}{where}.{behind}"
    )


def warnings(tables: Mapping[str, Table]) -> Iterator[Finding]:
    """Yield the warnings of a retrieval of translations: unknown subwords, and few test pairs.

    Args:
        tables: tables of the study.
    """
    for row in tables["languages"].rows():
        if row["unknown"] >= _MANY_UNKNOWN:
            share = percent(row["unknown"])
            text = f"{share} of the pieces in {row['language']} are unknown: they look alike to the model."
            yield Finding(f"warning.unknown_pieces.{row['language']}", text, {"share": row["unknown"]})
    few = [str(row["language"]) for row in tables["languages"].rows() if row["pairs"] < _FEW]
    if few:
        text = f"Fewer than {_FEW} pairs test in {join_words(few, _MOST_NAMED)}: intervals are wide."
        yield Finding("warning.few_pairs", text, {"languages": few})


def method(retrieved: RetrievedPairs) -> Iterator[Finding]:
    """Yield the findings that say how the numbers were computed and how the file was read.

    Args:
        retrieved: the translations that each system retrieves.
    """
    yield Finding(
        "method.retrieval",
        "The nearest text by cosine is sought among all texts of the language. The layer, and whether the mean of each "
        "language is subtracted, are chosen on training pairs, for the model and for random weights alike; test pairs "
        "measure. Intervals are 95 % over test pairs; their resamples are shared by all systems, so that differences "
        "are paired.",
    )
    yield from retrieved.pairs.notes
