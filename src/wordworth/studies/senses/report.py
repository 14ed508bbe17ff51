"""The warnings and the description of the method, written from the numbers."""

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
    """Yield a warning for everything that could make the numbers misleading."""
    for dataset in sets:
        yield from _limited(dataset)
        for why, number in dataset.source.left_out.items():
            name = f"warning.left_out.{dataset.name}.{why.split()[0]}"
            yield Finding(name, f"{dataset.name}: left out {number:,} {why}.", {"number": number})
    for row in tables["scores"]:
        if row["system"] == scores.FREQUENT and row["of"] == scores.AMBIGUOUS and row["words"] < _FEW:
            text = f"{row['data']}: only {row['words']} test occurrences are of words with several senses."
            yield Finding(f"warning.few.{row['data']}", text, {"words": row["words"]})
    for row in tables["scores"]:
        frequent = row["system"] == scores.FREQUENT and row["of"] == scores.AMBIGUOUS
        if frequent and (lot := fooled(tables, row)) is not None:
            text = (
                f"{row['data']}: the most frequent sense is right for {percent(row['score'])} %, less than a random "
                f"sense ({percent(lot)} %), so it is too low a baseline. Where senses are about equally frequent, "
                "leaving out the tested occurrence makes another sense the most frequent."
            )
            yield Finding(f"warning.frequent.{row['data']}", text, {"frequent": row["score"], "lot": lot})
    if any(row["system"] == scores.FIRST for row in tables["scores"]):
        text = (
            "WordNet orders senses by their frequency in SemCor, the tested documents included: on SemCor its first "
            "sense is based on the test answers, so the sense most frequent in other documents is the one to beat."
        )
        yield Finding("warning.first_sense", text)


def _limited(dataset: Set) -> Iterator[Finding]:
    """Warn that only part of a set was read, and how many training examples it has."""
    if isinstance(dataset, Pairs):
        read, training = len(dataset.word), dataset.of("train").sum()
    else:
        read, training = len(dataset.sentences), dataset.train_mask.sum()
    if read < dataset.source.rows:
        what = "pairs" if isinstance(dataset, Pairs) else "sentences"
        fewer = "" if isinstance(dataset, Pairs) else " Words with a single sense among these are left out."
        text = (
            f"{dataset.name}: {read:,} of {dataset.source.rows:,} {what} were drawn (--limit), with {training:,} "
            f"training examples.{fewer} Figures of the whole set, published or ours, rest on more data; do not compare "
            "these with them."
        )
        yield Finding(f"warning.drawn.{dataset.name}", text, {"read": read, "given": dataset.source.rows})


_METHOD = """\
A word's vector is the {pooling} of its subwords' states, read in its own sentence; several words have the mean of their
vectors.

Senses: every sense of a word has one centroid, the mean of its unit vectors, and an occurrence is given the sense whose
centroid has the largest cosine (Coenen et al. 2019). Only the senses of the same word and part of speech are
candidates. Where a model has no vector, the most frequent sense is taken.

Where a set has no test split of its own, each document is predicted from all the others (each sentence, where the set
has no documents): centroids and frequencies never see the document that they are tested on. In SemCor the texts in
which only verbs are tagged are used for training and not for testing.

The layer is chosen on one half of the documents and used on the other, and the other way round. Curves by layer show
every layer on all of them. Chance is a random one of a word's senses.

Pairs: the cosine of the word in its two sentences, read separately; at or above a threshold, the answer is “one sense”.
The threshold is fitted on train for each layer, and the layer chosen on dev (on train where there is none).

Explanations: over words that occur {occurrences} times or more, rank correlations of self-similarity (mean cosine of
two occurrences) with the number of senses and of sentences, the variety of the words around and of the word's own
forms; then each with the others and the part of speech held fixed. The number of senses seen grows with the number of
sentences, so only the partial correlations can separate the two.

Plots: at most {shown} occurrences of a word, from its most frequent senses with at least three each, in the plane of
their own two largest principal components. Neighbours: the nearest of {pool:,} occurrences of other words, without stop
words, at most two of a form, by cosine after the mean of those is subtracted.

Intervals are 95 % intervals over {draws:,} resampled sets of documents (senses) or words (pairs, explanations)."""
_OF_PAIRS = ("Pairs:",)
_OF_TAGGED = ("Senses:", "Where a set", "The layer", "Explanations:", "Plots:")


def method(settings: SensesSettings, sets: Sequence[Set]) -> list[Finding]:
    """Describe the parts of the method that were used, one finding per paragraph."""
    text = _METHOD.format(
        pooling=settings.pooling,
        occurrences=settings.occurrences,
        draws=settings.draws,
        shown=settings.shown,
        pool=settings.pool,
    )
    pairs = [isinstance(dataset, Pairs) for dataset in sets]
    unused = [*([] if any(pairs) else _OF_PAIRS), *(_OF_TAGGED if all(pairs) else [])]
    paragraphs = [paragraph for paragraph in text.split("\n\n") if not paragraph.startswith(tuple(unused))]
    return [Finding(f"method.{number}", " ".join(paragraph.split())) for number, paragraph in enumerate(paragraphs, 1)]
