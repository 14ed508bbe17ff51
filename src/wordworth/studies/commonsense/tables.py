"""The tables of a record of kind `commonsense`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.binomial import (
    detectable_share,
    exact_interval,
    guessing_tail,
    holm,
    least_above_guessing,
    paired_shares,
)
from wordworth.measures.weighted_sums import Integers
from wordworth.records import Table
from wordworth.studies.commonsense.adversarial_filtering import Round
from wordworth.studies.commonsense.attention_scores import FROM
from wordworth.studies.commonsense.candidate_mentions import NEAREST
from wordworth.studies.commonsense.items import Choice
from wordworth.studies.commonsense.likelihood_scores import ALONE, PER_PIECE, WHOLE
from wordworth.studies.commonsense.option_scores import UNANSWERED, Answers, chosen

LEVEL = 0.05
RANDOM = "random weights"
SETS = {
    "set": "the data set",
    "kind": "pronouns: what one stands for; endings: how a text ends; pairs: which of two sentences is good",
    "items": "items asked",
    "rows": "items in the file",
    "chance": "share that guessing has right",
    "half_width": "half of the exact 95 % interval of a method that is right as often as guessing",
    "needed": "smallest share of right items that guessing reaches in at most 5 % of cases",
    "detectable": "share that a method needs in the long run to reach this in 80 % of cases",
}
SCORES = {
    "set": "the data set",
    "method": "how the model, or a rule, chooses",
    "control": "whether this is a rule or a control and not an answer of the model",
    "items": "items that the method answers",
    "right": "of them right; where several options have the highest score the answer is wrong",
    "accuracy": "share of right items",
    "low": "of its exact 95 % interval (Clopper and Pearson), for independent items",
    "high": "of its exact 95 % interval",
    "chance": "share that guessing has right",
    "p_value": "probability that guessing has as many right, exact",
    "corrected": "the same, corrected for all methods of the model on all sets (Holm)",
    "random_accuracy": "share that the method has right with random weights",
    "random_low": "of its exact 95 % interval",
    "random_high": "of its exact 95 % interval",
}
DIFFERENCES = {
    "set": "the data set",
    "method": "the first method",
    "other": "the second: a method, a rule, or the first with random weights",
    "items": "items that both answer",
    "only_first": "of them right by the first alone",
    "only_second": "of them right by the second alone",
    "difference": "accuracy of the first less that of the second",
    "low": "of its exact 95 % interval, given the number of items on which they differ",
    "high": "of its 95 % interval",
    "p_value": "of McNemar's exact test",
    "corrected": "the same, corrected for all comparisons (Holm)",
}
PEOPLE_AND_MODELS = ("human", "ngram", "lstm", "txl", "gpt2")
PAIRS = {
    "set": "the data set",
    "name": "phenomenon or paradigm; all: every pair of the set",
    "method": "how the model chooses",
    "items": "number of pairs",
    "accuracy": "share of pairs whose good sentence is the likelier one",
    "low": "of its exact 95 % interval, for new pairs of the same paradigms",
    "high": "of its exact 95 % interval",
    "human": "share that people accept, as published: mean over paradigms",
    "ngram": "published accuracy of a 5-gram model",
    "lstm": "published accuracy of an LSTM",
    "txl": "published accuracy of Transformer-XL",
    "gpt2": "published accuracy of GPT-2",
}
EXAMPLES = {
    "set": "the data set",
    "text": "the text, with its pronoun or the place of its ending in brackets",
    "answer": "the right option",
    "others": "the other options, with | between them",
    "likelihood": "what likelihood chooses; empty where it does not choose or there is none",
    "attention": "what attention chooses",
    "attention_share": "maximum attention score of the right option",
}
FILTERING = {
    "set": "the data set",
    "round": "splits and new discriminators so far; the last replaced nothing",
    "items": "items that the discriminator did not learn from",
    "right": "of them those whose human ending it scored highest",
    "accuracy": "share of right items",
    "low": "of its exact 95 % interval",
    "high": "of its exact 95 % interval",
    "chance": "share that guessing has right",
    "replaced": "machine's endings of these items that were replaced by harder ones",
}
_EXAMPLES = 6
_RULES = {NEAREST, ALONE}


def tables_of(answers: Sequence[Answers], seed: int) -> dict[str, Table]:
    """Return the tables of a `commonsense` record by name, except the table `filtering`.

    Args:
        answers: the answers to each data set.
        seed: seed of the draw of items for the table `examples`.
    """
    scores = [row for each in answers for row in _scores(each)]
    tested = [row for row in scores if not row["control"]]
    for row, corrected in zip(tested, holm([row["p_value"] for row in tested]), strict=True):
        row["corrected"] = corrected
    differences = [row for each in answers for row in _differences(each)]
    for row, corrected in zip(differences, holm([row["p_value"] for row in differences]), strict=True):
        row["corrected"] = corrected
    tables = {
        "sets": Table.of([_set(each) for each in answers], SETS),
        "scores": Table.of(scores, SCORES),
        "differences": Table.of(differences, DIFFERENCES),
        "examples": Table.of([row for each in answers for row in _examples(each, seed)], EXAMPLES),
    }
    pairs = [each for each in answers if each.items.kind == "pairs"]
    if pairs:
        tables["phenomena"] = Table.of([row for each in pairs for row in _pairs(each, "phenomenon")], PAIRS)
        tables["paradigms"] = Table.of([row for each in pairs for row in _pairs(each, "paradigm")], PAIRS)
    return tables


def filtering_table(rounds: Mapping[str, Sequence[Round]]) -> dict[str, Table]:
    """Return `filtering` -> the table of that name, which has a row for each round of adversarial filtering.

    The mapping is empty if no data set was filtered.

    Args:
        rounds: name of each data set -> its rounds of filtering.
    """
    rows = [
        {"set": name, "round": each.number, "replaced": each.replaced, "chance": each.chance}
        | {"items": each.items, "right": each.right, "accuracy": each.right / each.items}
        | exact_interval(each.right, each.items).columns("")
        for name, done in rounds.items()
        for each in done
    ]
    return {"filtering": Table.of(rows, FILTERING)} if rows else {}


def _set(answers: Answers) -> dict[str, Any]:
    chances = _chances(answers.items.items)
    items, chance = len(chances), float(np.mean(chances))
    least = least_above_guessing(chances, LEVEL)
    ends = exact_interval(round(chance * items), items)
    facts = {"set": answers.items.name, "kind": answers.items.kind, "items": items, "rows": answers.items.rows}
    width = {"chance": chance, "half_width": (ends.high - ends.low) / 2}
    if least > items:
        return facts | width | {"needed": None, "detectable": None}
    return facts | width | {"needed": least / items, "detectable": detectable_share(least, items)}


def _chances(items: Sequence[Choice]) -> list[float]:
    return [1 / len(item.options) for item in items]


def _scores(answers: Answers) -> Iterator[dict[str, Any]]:
    for method in answers.own:
        right = answers.right(method)
        answered = right != UNANSWERED
        if not answered.any():
            continue
        chances = [
            chance for chance, is_answered in zip(_chances(answers.items.items), answered, strict=True) if is_answered
        ]
        row: dict[str, Any] = {"set": answers.items.name, "method": method, "control": method in answers.without_model}
        row |= _share(right[answered]) | {"chance": float(np.mean(chances))}
        row |= {"p_value": guessing_tail(row["right"], chances), "corrected": None}
        if method in answers.random:
            twin = _share(answers.right(method, random=True)[answered])
            yield row | {f"random_{name}": twin[name] for name in ("accuracy", "low", "high")}
        else:
            yield row | dict.fromkeys(("random_accuracy", "random_low", "random_high"))


def _share(right: Integers) -> dict[str, Any]:
    hits, items = int((right == 1).sum()), len(right)
    return {"items": items, "right": hits, "accuracy": hits / items, **exact_interval(hits, items).columns("")}


@dataclass(frozen=True, slots=True)
class _Compared:
    """Two methods to compare on one data set, with whether each is right on each item.

    Attributes:
        method, other: names of the two; `other` may be `RANDOM`, which is `method` with random weights.
        first, second: int64 [items], as `Answers.right` returns them.
    """

    method: str
    other: str
    first: Integers
    second: Integers


def _compared(answers: Answers) -> Iterator[_Compared]:
    """Yield the comparisons of each method that uses the model.

    A method that was run with random weights too is compared with that run, and with the rules in `_RULES`. Every
    method but `WHOLE` is compared with `WHOLE`, the likelihood of the whole text.
    """
    right = {method: answers.right(method) for method in answers.own}
    for method in answers.own:
        if method in answers.without_model:
            continue
        if method in answers.random:
            yield _Compared(method, RANDOM, right[method], answers.right(method, random=True))
            for rule in sorted(_RULES & right.keys()):
                yield _Compared(method, rule, right[method], right[rule])
        if WHOLE in right and method != WHOLE:
            yield _Compared(method, WHOLE, right[method], right[WHOLE])


def _differences(answers: Answers) -> Iterator[dict[str, Any]]:
    for each in _compared(answers):
        both = (each.first != UNANSWERED) & (each.second != UNANSWERED)
        if not both.any():
            continue
        first, second = each.first[both] == 1, each.second[both] == 1
        only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
        compared = paired_shares(only_first, only_second, int(both.sum()))
        yield {
            "set": answers.items.name,
            "method": each.method,
            "other": each.other,
            "items": int(both.sum()),
            "only_first": only_first,
            "only_second": only_second,
            "difference": compared.value,
            **compared.interval.columns(""),
            "p_value": compared.p_value,
            "corrected": None,
        }


def _pairs(answers: Answers, by: str) -> Iterator[dict[str, Any]]:
    """Yield a row on the accuracy for each method and phenomenon (or paradigm); for phenomena, also for all pairs.

    Args:
        answers: the answers to a data set of minimal pairs.
        by: what the pairs are grouped by: `phenomenon` or `paradigm`.
    """
    names = np.array([getattr(item, by) for item in answers.items.items])
    members_of = [(name, names == name) for name in sorted(set(names.tolist())) if name]
    if by == "phenomenon":
        members_of.append(("all", np.ones(len(names), bool)))
    groups = [(name, members, _published(answers, name, members)) for name, members in members_of]
    for method in answers.own:
        right = answers.right(method)
        for name, members, published in groups:
            answered = right[members & (right != UNANSWERED)]
            if len(answered):
                share = _share(answered)
                share.pop("right")
                yield {"set": answers.items.name, "name": name, "method": method, **share, **published}


def _published(answers: Answers, name: str, members: np.ndarray) -> dict[str, float | None]:
    """Return name of a column -> published accuracy of people or a model on a paradigm or phenomenon, or None.

    Where no accuracy on a phenomenon was published, the value is the mean over its paradigms, if all are published.

    Args:
        answers: the answers to the data set.
        name: name of the paradigm or phenomenon; `all` for all pairs.
        members: bool [items], whether each pair belongs to the paradigm or phenomenon.
    """
    published = answers.items.published
    own = published.get("overall" if name == "all" else name, {})
    paradigms = sorted({answers.items.items[number].paradigm for number in np.flatnonzero(members).tolist()})
    columns: dict[str, float | None] = {}
    for column in PEOPLE_AND_MODELS:
        known = [published[each][column] for each in paradigms if column in published.get(each, {})]
        mean = float(np.mean(known)) if known and len(known) == len(paradigms) else None
        columns[column] = own.get(column, mean)
    return columns


def _examples(answers: Answers, seed: int) -> Iterator[dict[str, Any]]:
    """Yield rows on a few items drawn at random, with the options that methods choose; no rows for minimal pairs."""
    if answers.items.kind == "pairs":
        return
    items = answers.items.items
    likelihood = answers.own.get(PER_PIECE, answers.own.get(WHOLE))
    attention = answers.own.get(FROM)
    rng = seeds.child(seed, "commonsense", "examples", answers.items.seed_name)
    for number in sorted(rng.permutation(len(items))[:_EXAMPLES].tolist()):
        item = items[number]
        share = attention[number] if attention else None
        yield {
            "set": answers.items.name,
            "text": f"{item.before}[{item.pronoun.strip('[]') or '…'}]{item.after}",
            "answer": item.options[item.answer],
            "others": " | ".join(option for option in item.options if option != item.options[item.answer]),
            "likelihood": _option(item, likelihood[number] if likelihood else None),
            "attention": _option(item, share),
            "attention_share": None if share is None else float(share[item.answer]),
        }


def _option(item: Choice, scores: np.ndarray | None) -> str:
    best = None if scores is None else chosen(scores)
    return "" if best is None else item.options[best]
