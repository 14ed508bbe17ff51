"""The findings of the study `languages`: which languages a model serves, and what could mislead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.measures.bootstrap import interval
from wordworth.records import Finding, Table
from wordworth.reports.languages_wording import Wording
from wordworth.sentence_formatting import count_of, join_words, percent, signed, signed_range
from wordworth.studies.languages.bootstrap_interval_columns import NO, UNKNOWN, YES
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, MODEL, RANDOM, Answers, TransferScores
from wordworth.studies.languages.language_probe import PER_LANGUAGE
from wordworth.studies.languages.language_texts import LanguageTexts
from wordworth.studies.languages.tables import mean_gap

_MANY_UNKNOWN, _FEW, _MOST_NAMED = 0.02, 100, 8
Rows = Sequence[Mapping[str, Any]]


def verdict(model: str, tables: Mapping[str, Table], answers: Answers, further: Sequence[str] = ()) -> Finding:
    """Return the finding `verdict`: the languages that the model serves, zero-shot gaps, and translations retrieved.

    The model serves a language if it is significantly more accurate than character n-grams, both trained on the
    language itself.

    Args:
        model: name of the model.
        tables: tables of the study.
        answers: which test texts each system labels correctly.
        further: sentences that are appended to the verdict.
    """
    lines = (*_retrieval(tables["retrieval"].rows()), _layers(tables["layers"].rows()), *further)
    return transfer_verdict(model, tables["languages"].rows(), answers, Wording(), lines)


def transfer_verdict(
    model: str, rows: Rows, scores: TransferScores, wording: Wording, further: Sequence[str] = ()
) -> Finding:
    """Return the finding `verdict` on labels, tags or trees: the languages that are served, and zero-shot gaps.

    A language is served if the model scores significantly higher than a baseline that reads only characters or
    spellings, both trained on the language itself.

    Args:
        model: name of the model.
        rows: rows of the table of languages.
        scores: scores of all systems.
        wording: nouns for the sentences, such as the name of the score.
        further: sentences that are appended to the verdict.
    """
    served = [row for row in rows if row["served"] == YES]
    gap, back = mean_gap(scores, back=False), mean_gap(scores, back=True)
    lines = [_served(rows, wording), _transfer(rows, {"there": gap, "back": back}, wording), *further]
    numbers = {
        "headline": f"{model} surely serves {len(served)} of {count_of(len(rows), 'language')}.",
        "served": [row["language"] for row in served],
        "not_served": [row["language"] for row in rows if row["served"] == NO],
        "unknown": [row["language"] for row in rows if row["served"] == UNKNOWN],
        "transfers": [row["language"] for row in rows if row["transfers"] == YES],
        **{f"gap{suffix}": value for suffix, value in zip(("", "_low", "_high"), _ends(gap), strict=True)},
        **{f"back_gap{suffix}": value for suffix, value in zip(("", "_low", "_high"), _ends(back), strict=True)},
    }
    return Finding("verdict", "\n".join(lines), numbers)


def _ends(value: tuple[float, Any]) -> tuple[float, float, float]:
    ends = interval(value[1])
    return value[0], ends.low, ends.high


def _names(rows: Rows) -> str:
    return join_words([str(row["language"]) for row in rows], _MOST_NAMED)


def _served(rows: Rows, wording: Wording) -> str:
    groups = {answer: [row for row in rows if row["served"] == answer] for answer in (YES, UNKNOWN, NO)}
    what = {
        YES: f"With {wording.labels} of the language itself it is surely ahead of {wording.baseline} in {{}}",
        UNKNOWN: f"these {wording.units} cannot tell in {{}}",
        NO: f"{wording.baseline} are surely ahead in {{}}",
    }
    sentences = [what[answer].format(_names(group)) for answer, group in groups.items() if group]
    text = "; ".join(sentences)
    return f"{text[:1].upper()}{text[1:]}."


def _transfer(rows: Rows, gaps: Mapping[str, tuple[float, Any]], wording: Wording) -> str:
    source, others = rows[0]["language"], rows[1:]
    (there, *ends), (back, *back_ends) = (_ends(gaps[name]) for name in ("there", "back"))
    more = f"more than {wording.constant}, random weights and {wording.baseline}"
    labels, theirs = wording.labels.capitalize(), "the others" if len(others) > 1 else others[0]["language"]
    return (
        f"{labels} of {source} in place of the language's own change {wording.score} by {signed(there)} points on "
        f"average ({signed_range(*ends)}), {wording.labels} of {theirs} in place of {source}'s by {signed(back)} "
        f"({signed_range(*back_ends)}). {_carried(labels, rows, more)}"
    )


def _carried(labels: str, rows: Rows, more: str) -> str:
    """Return the sentence that names the languages to which labels of the source language carry over (zero-shot).

    Args:
        labels: the noun for labels, capitalised.
        rows: rows of the table of languages, the source language first.
        more: phrase that names the baselines, beginning with `more than`.
    """
    source, others = rows[0]["language"], rows[1:]
    carried = [row for row in others if row["transfers"] == YES]
    if not carried:
        languages = "any other language" if len(others) > 1 else f"{others[0]['language']}, the only other language"
        return f"{labels} of {source} do not surely carry over to {languages}: that they give {more} is not shown."
    count = f"{len(carried)} of {len(others)} other languages, " if len(others) > 1 else ""
    return f"{labels} of {source} carry over to {count}{_names(carried)}: there they give {more}."


def _retrieval(rows: Rows) -> Iterator[str]:
    systems = {name: [row for row in rows if row["system"] == name] for name in (MODEL, RANDOM, CHARACTERS)}
    if not rows:
        yield "There are no translations, so that finding them was not measured."
        return
    means = {
        name: [sum(row[way] for row in own) / len(own) for way in ("forward", "backward")]
        for name, own in systems.items()
    }
    (there, back), (random, _), (characters, _) = (means[name] for name in (MODEL, RANDOM, CHARACTERS))
    yield (
        f"Translations are the nearest text in {percent(there)} of cases on average and {percent(back)} in the other "
        f"direction; with random weights {percent(random)}, by n-grams of characters {percent(characters)}."
    )


def _layers(rows: Rows) -> str:
    best, last = max(rows, key=lambda row: row["accuracy"]), rows[-1]
    return (
        f"A linear probe tells the language of {percent(best['accuracy'])} of texts from layer {best['layer']} "
        f"(random weights {percent(best['random'])}) and of {percent(last['accuracy'])} from the last."
    )


def warnings(tables: Mapping[str, Table], data: LanguageTexts) -> Iterator[Finding]:
    """Yield warnings: unknown words, few test texts, test texts that are also training texts, no column of items.

    Args:
        tables: tables of the study.
        data: the texts.
    """
    for row in tables["pieces"].rows():
        if row["unknown"] >= _MANY_UNKNOWN:
            text = (
                f"{percent(row['unknown'])} of the words in {row['language']} have a piece that the vocabulary lacks: "
                "such words look alike to the model."
            )
            yield Finding(f"warning.unknown_words.{row['language']}", text, {"share": row["unknown"]})
    few = [row["language"] for row in tables["languages"].rows() if row["test"] < _FEW]
    if few:
        text = f"Fewer than {_FEW} texts test in {join_words(few)}: intervals are wide."
        yield Finding("warning.few_texts", text, {"languages": few})
    shared = _shared(data)
    if shared:
        text = f"{count_of(shared, 'test text stands', 'test texts stand')} among those learned from, word for word."
        yield Finding("warning.shared_texts", text, {"texts": shared})
    if data.columns.item is None:
        text = (
            "No column says which texts are translations of each other: texts of different languages differ in what "
            "they say too, and a translation may be learned from and tested on."
        )
        yield Finding("warning.no_translations", text)


def _shared(data: LanguageTexts) -> int:
    learned = {text.strip() for text, tests in zip(data.texts, data.test, strict=True) if not tests}
    return sum(text.strip() in learned for text, tests in zip(data.texts, data.test, strict=True) if tests)


def method(data: LanguageTexts) -> Iterator[Finding]:
    """Yield the findings that say how the numbers were computed and how the file was read.

    Args:
        data: the texts.
    """
    yield Finding(
        "method.heads",
        "A linear head learns from the frozen sentence vectors; its regularisation is chosen by cross-validation among "
        "the texts that it learns from. All translations of a text are on the same side, and resamples of items are "
        "shared by all systems and languages, so that differences are paired.",
    )
    yield Finding(
        "method.probe",
        f"The probes of the language read the mean state of each layer of at most {PER_LANGUAGE} texts a language, "
        "scaled to unit variance, and are measured on as many others.",
    )
    yield from data.notes
