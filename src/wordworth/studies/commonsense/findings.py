"""The findings of the study `commonsense`: where the model is above guessing, warnings, and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, join_words, percent
from wordworth.studies.commonsense.attention_scores import FROM
from wordworth.studies.commonsense.items import ChoiceSet
from wordworth.studies.commonsense.likelihood_scores import ALONE, PER_PIECE, WHOLE
from wordworth.studies.commonsense.option_scores import UNANSWERED, Answers
from wordworth.studies.commonsense.tables import LEVEL, RANDOM

Row = Mapping[str, Any]
_WIDE = 0.05
"""Half the width of an interval, as a share, from which a warning says that the data set is small."""


def verdict(tables: Mapping[str, Table], model: str) -> Finding:
    """Return the finding `verdict`: on how many data sets the model is significantly above guessing.

    Args:
        tables: the tables of the record.
        model: name of the model.
    """
    rows = [row for row in tables["scores"].rows() if not row["control"]]
    names = list(dict.fromkeys(row["set"] for row in rows))
    above = [name for name in names if any(_is_above(row) for row in rows if row["set"] == name)]
    which = f"{len(above)} of {count_of(len(names), 'set')}" if above else "no set"
    headline = f"{model} is surely above guessing on {which}."
    meaning = (
        "The model is surely above guessing on a set if a method gives more right answers there than guessing does, at "
        "a level corrected for the number of methods and sets."
    )
    sentences = [meaning] + [_of_set([row for row in rows if row["set"] == name]) for name in names]
    return Finding(
        "verdict", "\n".join(sentences), {"headline": headline, "above": above, "sets": len(names), "model": model}
    )


def _is_above(row: Row) -> bool:
    return bool(row["corrected"] <= LEVEL)


def _of_set(rows: Sequence[Row]) -> str:
    main = [row for row in rows if row["method"] in (FROM, WHOLE, PER_PIECE)]
    parts = [f"{row['method']} {percent(row['accuracy'])} ({_ends(row)})" for row in main]
    better = [row["method"] for row in rows if _is_above(row)]
    answer = f"surely above it: {join_words(better)}" if better else "nothing surely above it"
    whole = max(rows, key=lambda row: row["items"])
    return (
        f"{whole['set']}, {whole['items']:,} items: {', '.join(parts)}; guessing {percent(whole['chance'])}, {answer}."
    )


def _ends(row: Row) -> str:
    return f"{100 * row['low']:.0f} to {100 * row['high']:.0f}"


def warnings(
    tables: Mapping[str, Table], read: Sequence[ChoiceSet], answers: Sequence[Answers], facts: Mapping[str, Any]
) -> Iterator[Finding]:
    """Yield a warning for everything about a `commonsense` study that could mislead a reader.

    The warnings name items or data sets that were left out, methods that score no better than with random weights or
    without the context, and small data sets.

    Args:
        tables: the tables of the record.
        read: the data sets as they were read, before items that are too long are left out.
        answers: the answers to each data set, in the same order.
        facts: `no_head`, the reason why the model has no language model head, or ""; `too_long`, name of a data set ->
            number of its items that are too long for the model.
    """
    if facts["no_head"]:
        text = f"{facts['no_head'][:1].upper()}{facts['no_head'][1:]}: only its attention is asked, of pronouns."
        yield Finding("warning.no_head", text)
    silent = [each.items.name for each in answers if not each.own]
    if silent and len(silent) < len(answers):
        yield Finding("warning.silent", f"Not asked: {join_words(silent)}.", {"sets": silent})
    for items, each in zip(read, answers, strict=True):
        yield from _left_out(items, each)
    for name, number in facts["too_long"].items():
        text = f"{name}: {count_of(number, 'item')} with more pieces than the model reads at once left out."
        yield Finding(f"warning.too_long.{name}", text, {"items": number})
    rows = [row for row in tables["differences"].rows() if row["other"] == RANDOM]
    behind = [row for row in rows if row["difference"] <= 0 or row["corrected"] > LEVEL]
    if behind and len(behind) == len(rows):
        text = "No method is surely ahead of the same model with random weights on any set."
        yield Finding("warning.random", text)
    yield from _without_context(tables)
    small = [row for row in tables["sets"].rows() if row["half_width"] >= _WIDE]
    if small:
        yield Finding("warning.small_sets", _small(small), {"sets": [row["set"] for row in small]})


def _without_context(tables: Mapping[str, Table]) -> Iterator[Finding]:
    """Yield a warning if on some data sets methods beat guessing, but none is significantly better than `ALONE`.

    `ALONE` is the control that scores endings without the text before them.
    """
    above = {(row["set"], row["method"]) for row in tables["scores"].rows() if not row["control"] and _is_above(row)}
    beside = [row for row in tables["differences"].rows() if row["other"] == ALONE]
    sets_ahead = {row["set"] for row in beside if row["difference"] > 0 and row["corrected"] <= LEVEL}
    names = list(dict.fromkeys(row["set"] for row in beside if (row["set"], row["method"]) in above))
    without = [name for name in names if name not in sets_ahead]
    if without:
        text = (
            f"On {join_words(without)} no method is surely ahead of the endings alone, which are chosen without "
            "reading the text before them: being above guessing there is no sign of common sense."
        )
        yield Finding("warning.ending_alone", text, {"sets": without})


def _left_out(items: ChoiceSet, answers: Answers) -> Iterator[Finding]:
    unusable = items.rows - len(items.items)
    if unusable:
        why = {
            "pronouns": "whose pronoun stands more than once, so that its place is not known",
            "pairs": "of twice the same sentence",
            "endings": "without an ending",
        }[items.kind]
        text = f"{items.name}: {count_of(unusable, 'row')} left out {why}."
        yield Finding(f"warning.unusable.{items.name}", text, {"rows": unusable})
    if FROM in answers.own:
        without = int((answers.right(FROM) == UNANSWERED).sum())
        if without:
            text = (
                f"{items.name}: attention answers {len(answers.items.items) - without:,} of "
                f"{count_of(len(answers.items.items), 'item')}; in the others a candidate or the pronoun is not where "
                "the model can attend to it."
            )
            yield Finding(f"warning.attention.{items.name}", text, {"items": without})


def _small(rows: Sequence[Row]) -> str:
    parts = [
        f"with the {row['items']:,} items of {row['set']} an interval reaches {percent(row['half_width'])} to either "
        f"side, and only a model that is right in {percent(row['detectable'])} would usually be told from guessing"
        for row in rows
        if row["detectable"] is not None
    ]
    tiny = [row["set"] for row in rows if row["detectable"] is None]
    parts += (
        [f"with {join_words(tiny)} nothing can be shown: even if all answers are right, that may be luck"]
        if tiny
        else []
    )
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def filtering(tables: Mapping[str, Table]) -> Iterator[Finding]:
    """Yield a finding on each data set that was filtered: the discriminator's accuracy before and after filtering."""
    rows = tables["filtering"].rows() if "filtering" in tables else []
    for name in dict.fromkeys(row["set"] for row in rows):
        first, *_, last = (row for row in rows if row["set"] == name)
        text = (
            f"{name}: a discriminator that is trained anew in every round (logistic, TF-IDF of words and their pairs) "
            f"told the human ending from the machine's in {percent(first['accuracy'])} of items that it did not learn "
            f"from ({_ends(first)}), after {count_of(last['round'], 'round')} of filtering in "
            f"{percent(last['accuracy'])} ({_ends(last)}); guessing {percent(last['chance'])}. Human endings are "
            "always kept; the machine's are drawn from trigrams of other items' endings."
        )
        yield Finding(f"filtering.{name}", text, {"first": first["accuracy"], "last": last["accuracy"]})


def method(tables: Mapping[str, Table], facts: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the findings that describe the method.

    Args:
        tables: the tables of the record.
        facts: `attention`, whether the model has attention; `no_head`, the reason why the model has no language model
            head, or ""; `reads`, how the model reads a text (`Subject.reads`).
    """
    kinds = {row["kind"] for row in tables["sets"].rows()}
    if facts["attention"] and "pronouns" in kinds:
        yield Finding(
            "method.attention",
            "Attention chooses by the maximum attention score (Klein and Nabi 2019): every head of every layer "
            "votes, by its weight, for the candidate that it ties to the pronoun most. From or to the pronoun: the "
            "pronoun's row or column of the weights. A word of several pieces has their largest weight; of several "
            "mentions the nearest is taken. Where the text has a "
            "blank for the pronoun, as PDP, WSC and Winogender have here, attention is that of the mask.",
        )
    if not facts["no_head"]:
        yield Finding("method.likelihood", _likelihood(facts["reads"], kinds))
    yield Finding(
        "method.statistics",
        "Intervals of shares are exact (Clopper and Pearson), as are the tests beside guessing (binomial) and between "
        "two methods on the same items (McNemar); each family is corrected for its number by Holm's method. They take "
        "items as independent: sentences that come in twos with opposite answers, as in WSC and DPR, vary less. Where "
        "several options have the same highest score, the answer counts as wrong.",
    )
    yield Finding(
        "method.random",
        "Random weights: the same model with weights drawn anew, which shows what the architecture does alone.",
    )


def _likelihood(reads: str, kinds: set[str]) -> str:
    parts = {
        "masked": "Likelihood is pseudo-log-likelihood: each piece is masked in turn and the log-probabilities are "
        "summed (Salazar et al. 2020); within words, the following pieces of its word are masked with it (Kauf and "
        "Ivanova 2023).",
        "causal": "Likelihood is the log-probability of the text, read from left to right.",
        "bidirectional": "Likelihood is the mean of the log-probabilities of both reading directions.",
    }
    sentences = [parts[reads]]
    if "pronouns" in kinds:
        sentences.append(
            "Each candidate is put in the pronoun's place; partial scoring counts only what follows it (Trinh and Le "
            "2018)."
        )
    if "endings" in kinds:
        sentences.append(
            "The log-probabilities of an ending's pieces, read after its context, are summed, or averaged over the "
            "pieces. The ending alone, without its context, is a control."
        )
    return " ".join(sentences)
