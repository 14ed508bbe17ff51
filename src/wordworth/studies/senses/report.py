"""What was found, in sentences that are written from the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding, best_rows
from wordworth.studies.senses import scores
from wordworth.studies.senses.pairs import Pairs
from wordworth.studies.senses.sets import Set
from wordworth.studies.senses.settings import SensesSettings

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]
_FEW = 500


def verdict(tables: Tables) -> Finding:
    """How far senses are told apart: a sentence a set, on the model that does best there."""
    told = [
        row
        for row in tables["scores"]
        if row["system"] == scores.NEAREST and row["layer"] == scores.CHOSEN and row["of"] == scores.AMBIGUOUS
    ]
    pairs = [row for row in tables["pairs"] if row["chosen"]]
    best = [*best_rows(told, "data", "score"), *best_rows(pairs, "data", "test")]
    text = " ".join(_told(tables, row) if "score" in row else _paired(row) for row in best)
    return Finding("verdict", text, {"headline": _headline(tables, best), "tagged": told, "pairs": pairs})


def _headline(tables: Tables, best: Sequence[Row]) -> str:
    """Of the first set, on the model that does best there: how far above what needs no vectors."""
    row = best[0]
    if "score" not in row:
        gap, low, what = row["test"] - row["chance"], row["low"] - row["chance"], "chance"
    elif (lot := _fooled(tables, row)) is not None:
        gap, low, what = row["score"] - lot, row["low"] - lot, "chance"
    else:
        gap, low, what = row["gap"], row["gap_low"], "frequency"
    return f"{row['model']}: {100 * gap:.1f} points above {what}." if low > 0 else f"Not above {what}."


def _plain(tables: Tables, row: Row, system: str) -> float:
    """The score of what needs no vectors, on the words of a row."""
    asked = (system, row["data"], row["of"])
    return next(float(one["score"]) for one in tables["scores"] if (one["system"], one["data"], one["of"]) == asked)


def _fooled(tables: Tables, row: Row) -> float | None:
    """The score of a sense by lot, where the most frequent one is right less often and so is nothing to beat.

    Of a word whose senses are equally frequent, the others always show more of every sense but the one left out.
    """
    usual, lot = _plain(tables, row, scores.FREQUENT), _plain(tables, row, scores.CHANCE)
    return lot if usual < lot else None


def _told(tables: Tables, row: Row) -> str:
    usual, lot = _plain(tables, row, scores.FREQUENT), _fooled(tables, row)
    if lot is not None:
        return (
            f"On {row['data']} the nearest sense centroid of {row['model']} is right for {_percent(row['score'])} % of "
            f"the words that have a choice (95 % interval: {_percent(row['low'])} to {_percent(row['high'])} %), a "
            f"sense by lot for {_percent(lot)} %."
        )
    return (
        f"On {row['data']} the nearest sense centroid of {row['model']} is right for {_percent(row['score'])} % of the "
        f"words that have a choice, the most frequent sense for {_percent(usual)} % (95 % interval of the "
        f"difference: {_points(row['gap_low'])} to {_points(row['gap_high'])} points)."
    )


def _paired(row: Row) -> str:
    return (
        f"On {row['data']}, one sense or two, {row['model']} is right for {_percent(row['test'])} % of the pairs "
        f"({_percent(row['low'])} to {_percent(row['high'])}), where {_percent(row['chance'])} % is chance."
    )


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _points(value: float) -> str:
    return f"{100 * value:+.1f}".replace("-", "−")


def warnings(tables: Tables, sets: Sequence[Set]) -> Iterator[Finding]:
    """What could mislead."""
    for one in sets:
        for why, number in one.source.left_out.items():
            name = f"warning.left_out.{one.name}.{why.split()[0]}"
            yield Finding(name, f"{one.name}: left out {number:,} {why}.", {"number": number})
    for row in tables["scores"]:
        if row["system"] == scores.FREQUENT and row["of"] == scores.AMBIGUOUS and row["words"] < _FEW:
            text = f"{row['data']}: only {row['words']} tested words have a choice of senses."
            yield Finding(f"warning.few.{row['data']}", text, {"words": row["words"]})
    for row in tables["scores"]:
        frequent = row["system"] == scores.FREQUENT and row["of"] == scores.AMBIGUOUS
        if frequent and (lot := _fooled(tables, row)) is not None:
            text = (
                f"{row['data']}: the most frequent sense is right for {_percent(row['score'])} %, less than a sense by "
                f"lot ({_percent(lot)} %), and so is too low to hold a model against. Where senses are about equally "
                "frequent, leaving out the word that is told makes another sense the most frequent."
            )
            yield Finding(f"warning.frequent.{row['data']}", text, {"frequent": row["score"], "lot": lot})
    if any(row["system"] == scores.FIRST for row in tables["scores"]):
        text = (
            "The first sense of WordNet was put first because it is the most frequent in SemCor, the tested documents "
            "among it: on SemCor it knows more than any fair rival, so the sense most frequent in other documents is "
            "the one to beat."
        )
        yield Finding("warning.first_sense", text)


_METHOD = """\
A word's vector is the {pooling} of its pieces' states, in its own sentence; of several words their mean.

Senses: every sense of a word has one centroid, the mean of its unit vectors, and an occurrence is given the sense whose
centroid has the largest cosine (Coenen et al. 2019). Only the senses of the same word and part of speech are
candidates. Where a model has no vector, the most frequent sense is taken.

Where a set has no test part of its own, each document is told by all the others (a sentence, where the set has no
documents): centroids and frequencies never see the document that they are tested on. In SemCor the texts of which only
verbs are tagged teach and are not tested.

The layer is chosen on one half of the documents and used on the other, and the other way round. Curves by layer show
every layer on all of them. Chance is one of a word's senses by lot.

Pairs: the cosine of the word in its two sentences, read apart; from a threshold on, the answer is “one sense”. The
threshold is fitted on train for each layer, and the layer chosen on dev (on train where there is none).

Explanations: over words that occur {occurrences} times or more, rank correlations of self-similarity (mean cosine of
two occurrences) with the number of senses and of sentences, the variety of the words around and of the word's own
forms; then each with the others and the part of speech held fixed. The number of senses seen grows with the number of
sentences, so only the latter kind can tell them apart.

Pictures: at most {shown} occurrences of a word, its commonest senses with three at least, in the plane of their own two
largest principal components. Neighbours: the nearest of {pool:,} occurrences of other words, no stop words, at most two
of a form, by cosine after the mean of those is subtracted.

Intervals hold the truth 95 times in 100 over {draws:,} resampled sets of documents (senses) or words (pairs,
explanations)."""
_OF_PAIRS = ("Pairs:",)
_OF_TAGGED = ("Senses:", "Where a set", "The layer", "Explanations:", "Pictures:")


def method(settings: SensesSettings, sets: Sequence[Set]) -> list[Finding]:
    """How it was done, a finding a paragraph, of what was done."""
    told = _METHOD.format(
        pooling=settings.pooling,
        occurrences=settings.occurrences,
        draws=settings.draws,
        shown=settings.shown,
        pool=settings.pool,
    )
    pairs = [isinstance(one, Pairs) for one in sets]
    unfit = [*([] if any(pairs) else _OF_PAIRS), *(_OF_TAGGED if all(pairs) else [])]
    kept = [text for text in told.split("\n\n") if not text.startswith(tuple(unfit))]
    return [Finding(f"method.{place}", " ".join(text.split())) for place, text in enumerate(kept, 1)]
