"""The findings of the study `senses`: how well every model predicts senses, warnings and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding
from wordworth.sentence_formatting import join_words, points, signed
from wordworth.studies.senses import scores
from wordworth.studies.senses.datasets import Dataset
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.wic import Pairs

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]


def verdict(tables: Tables) -> Finding:
    """Return the finding `verdict`: for each data set a sentence with the score of every model."""
    tagged = [
        row
        for row in tables["scores"]
        if row["system"] == scores.NEAREST and row["layer"] == scores.CHOSEN and row["of"] == scores.AMBIGUOUS
    ]
    pairs = [row for row in tables["pairs"] if row["chosen"]]
    lines = [_tagged_line(tables, rows) for rows in _by_set(tagged)] + [_pairs_line(rows) for rows in _by_set(pairs)]
    numbers = {"headline": _headline(tables, [*_by_set(tagged), *_by_set(pairs)]), "tagged": tagged, "pairs": pairs}
    return Finding("verdict", "\n".join(lines), numbers)


def _by_set(rows: Sequence[Row]) -> list[list[Row]]:
    """Group the rows by data set; each group has a row for each model."""
    return [[row for row in rows if row["data"] == data] for data in dict.fromkeys(row["data"] for row in rows)]


def _headline(tables: Tables, sets: Sequence[Sequence[Row]]) -> str:
    """Return the headline of the verdict: how far each model is above its baseline on the first data set.

    Args:
        tables: the tables of the record.
        sets: for each data set the rows of all models.
    """
    rows = sets[0]
    where = f" on {rows[0]['data']}" if len(sets) > 1 else ""
    advantages = [(str(row["model"]), *_advantage(tables, row)) for row in rows]
    what = f"{advantages[0][3]}{where}"
    above = [(name, points(gap)) for name, gap, low, _ in advantages if low > 0]
    rest = [name for name, _, low, _ in advantages if low <= 0]
    if len(rows) == 1:
        return f"{above[0][0]}: {above[0][1]} points above {what}." if above else f"Not above {what}."
    if not above:
        return f"Not above {what}: {join_words(rest)}."
    (first, gain), *others = above
    more = "".join(f", {name} by {gap}" for name, gap in others)
    return f"Above {what}: {first} by {gain} points{more}{f'; not {join_words(rest)}' * bool(rest)}."


def _advantage(tables: Tables, row: Row) -> tuple[float, float, str]:
    """Return a model's score minus its baseline's, the lower end of the interval, and the baseline's name."""
    if "score" not in row:
        return row["test"] - row["chance"], row["low"] - row["chance"], "chance"
    if (random_score := random_baseline(tables, row)) is not None:
        return row["score"] - random_score, row["low"] - random_score, "chance"
    return row["gap"], row["gap_low"], "frequency"


def _baseline(tables: Tables, row: Row, system: str) -> float:
    """Return the score of the baseline `system` on the data set and the words of a model's row (`data` and `of`)."""
    key = (system, row["data"], row["of"])
    return next(float(score["score"]) for score in tables["scores"] if _key(score) == key)


def _key(row: Row) -> tuple[str, str, str]:
    return row["system"], row["data"], row["of"]


def random_baseline(tables: Tables, row: Row) -> float | None:
    """Return the score of a random sense if it is higher than the score of the most frequent sense, else None.

    A random sense scores higher if the senses of a word are equally frequent. The test occurrence is not counted, so
    that its own sense then has fewer occurrences than the others, and the most frequent sense is always wrong.

    Args:
        tables: the tables of the record.
        row: the row of a model and a data set.
    """
    usual, random_score = _baseline(tables, row, scores.FREQUENT), _baseline(tables, row, scores.CHANCE)
    return random_score if usual < random_score else None


def _tagged_line(tables: Tables, rows: Sequence[Row]) -> str:
    data, random_score = rows[0]["data"], random_baseline(tables, rows[0])
    if random_score is None:
        usual, what = _baseline(tables, rows[0], scores.FREQUENT), "the most frequent sense"
        ends = [f"{signed(row['gap_low'])} to {signed(row['gap_high'])} points" for row in rows]
    else:
        usual, what = random_score, "a random sense"
        ends = [f"{points(row['low'])} to {points(row['high'])} %" for row in rows]
    models = ", ".join(
        f"of {row['model']} for {points(row['score'])} % ({end}{_tie_note(row, random=random_score is not None)})"
        for row, end in zip(rows, ends, strict=True)
    )
    of = " of the difference" * (random_score is None)
    return (
        f"On {data} {what} is right for {points(usual)} % of the words with several senses, the nearest sense "
        f"centroid {models}; 95 % intervals{of} in brackets."
    )


def _tie_note(row: Row, *, random: bool) -> str:
    """Return a note on a model for which all centroids are always equally near, or "" for other models.

    Args:
        row: the row of the model.
        random: whether the model then answers with a random sense, not with the most frequent one.
    """
    instead = "a random sense" if random else "the most frequent sense"
    return f"; all centroids are equally near, so it answers {instead}" if row["tied"] == 1 else ""


def _pairs_line(rows: Sequence[Row]) -> str:
    models = ", ".join(
        f"{row['model']} for {points(row['test'])} % ({points(row['low'])} to {points(row['high'])})" for row in rows
    )
    return (
        f"On {rows[0]['data']}, one sense or two, chance is right for {points(rows[0]['chance'])} % of the pairs, "
        f"{models}."
    )


_FEW = 500


def warnings(tables: Tables, sets: Sequence[Dataset]) -> Iterator[Finding]:
    """Yield a warning for each problem of a `senses` study that may make its numbers misleading.

    Args:
        tables: the tables of the record.
        sets: the data sets.
    """
    for dataset in sets:
        yield from _limited(dataset)
        for why, number in dataset.source.left_out.items():
            name = f"warning.left_out.{dataset.name}.{why.split()[0]}"
            yield Finding(name, f"{dataset.name}: left out {number:,} {why}.", {"number": number})
    for row in tables["scores"]:
        if row["system"] == scores.FREQUENT and row["of"] == scores.AMBIGUOUS and row["words"] < _FEW:
            text = f"{row['data']}: only {row['words']} test occurrences are of words with several senses."
            yield Finding(f"warning.few.{row['data']}", text, {"words": row["words"]})
    left_out = {
        tagged.name for tagged in sets if isinstance(tagged, SenseDataset) and (tagged.train_mask & tagged.tested).any()
    }
    for row in tables["scores"]:
        frequent = row["system"] == scores.FREQUENT and row["of"] == scores.AMBIGUOUS
        if frequent and (random_score := random_baseline(tables, row)) is not None:
            yield _too_low(row, random_score, leaves_out=row["data"] in left_out)
    if any(row["system"] == scores.FIRST for row in tables["scores"]):
        text = (
            "WordNet orders senses by their frequency in SemCor, the tested documents included: on SemCor its first "
            "sense is based on the test answers, so the sense most frequent in other documents is the one to beat."
        )
        yield Finding("warning.first_sense", text)


def _too_low(row: Row, random_score: float, *, leaves_out: bool) -> Finding:
    """Return a warning that the most frequent sense is correct less often than a random sense.

    Args:
        row: the row of the most frequent sense.
        random_score: the score of a random sense.
        leaves_out: whether a tested occurrence is left out of the occurrences that predict its sense.
    """
    text = (
        f"{row['data']}: the most frequent sense is right for {points(row['score'])} %, less than a random sense "
        f"({points(random_score)} %), so it is too low a baseline."
    )
    if leaves_out:
        text += (
            " Where senses are about equally frequent, leaving out the tested occurrence makes another sense the most "
            "frequent."
        )
    return Finding(f"warning.frequent.{row['data']}", text, {"frequent": row["score"], "lot": random_score})


def _limited(dataset: Dataset) -> Iterator[Finding]:
    """Yield a warning if only part of a set was read."""
    if isinstance(dataset, Pairs):
        read, training = len(dataset.word), dataset.in_split("train").sum()
    else:
        read, training = len(dataset.sentences), dataset.train_mask.sum()
    if read < dataset.source.rows:
        what = "pairs" if isinstance(dataset, Pairs) else "sentences"
        fewer = "" if isinstance(dataset, Pairs) else " Words with a single sense among these are left out."
        text = (
            f"{dataset.name}: {read:,} of {dataset.source.rows:,} {what} were drawn (the option limit), with "
            f"{training:,} training examples.{fewer} Figures of the whole set, published or ours, rest on more data; "
            "do not compare these with them."
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


def method(settings: SensesSettings, sets: Sequence[Dataset]) -> list[Finding]:
    """Return the findings that describe the method: a finding for each step of the method that the study used.

    Args:
        settings: the settings of the study.
        sets: the data sets.
    """
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
