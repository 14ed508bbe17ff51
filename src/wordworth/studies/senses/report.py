"""What was found, in sentences that are written from the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wordworth.records import Finding
from wordworth.studies.senses import scores
from wordworth.studies.senses.datasets import Set
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.verdict import Tables, fooled, percent
from wordworth.studies.senses.wic_file import Pairs

_FEW = 500


def warnings(tables: Tables, sets: Sequence[Set]) -> Iterator[Finding]:
    """What could mislead."""
    for one in sets:
        yield from _drawn(one)
        for why, number in one.source.left_out.items():
            name = f"warning.left_out.{one.name}.{why.split()[0]}"
            yield Finding(name, f"{one.name}: left out {number:,} {why}.", {"number": number})
    for row in tables["scores"]:
        if row["system"] == scores.FREQUENT and row["of"] == scores.AMBIGUOUS and row["words"] < _FEW:
            text = f"{row['data']}: only {row['words']} tested words have a choice of senses."
            yield Finding(f"warning.few.{row['data']}", text, {"words": row["words"]})
    for row in tables["scores"]:
        frequent = row["system"] == scores.FREQUENT and row["of"] == scores.AMBIGUOUS
        if frequent and (lot := fooled(tables, row)) is not None:
            text = (
                f"{row['data']}: the most frequent sense is right for {percent(row['score'])} %, less than a sense by "
                f"lot ({percent(lot)} %), and so is too low to hold a model against. Where senses are about equally "
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


def _drawn(one: Set) -> Iterator[Finding]:
    """That not all of a set was read, and how much of it teaches."""
    read, taught = (
        (len(one.word), one.of("train").sum()) if isinstance(one, Pairs) else (len(one.sentences), one.train_mask.sum())
    )
    if read < one.source.rows:
        what = "pairs" if isinstance(one, Pairs) else "sentences"
        fewer = "" if isinstance(one, Pairs) else " Words that show a single sense among these are left out."
        text = (
            f"{one.name}: {read:,} of {one.source.rows:,} {what} were drawn (--limit), so that {taught:,} examples "
            f"teach.{fewer} Figures of the whole set, published or ours, stand on more; do not compare these with them."
        )
        yield Finding(f"warning.drawn.{one.name}", text, {"read": read, "given": one.source.rows})


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
