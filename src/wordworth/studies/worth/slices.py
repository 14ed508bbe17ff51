"""Where context pays: the gap on the easy and the hard half of the test part, by the paper's three measures.

Texts are measured as wholes. In tagging the units are smaller, as the paper has them: entities for complexity, the
words of entities for ambiguity and unseen words (words outside entities are left out: nearly all are right).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures import difficulty
from wordworth.measures.entities import missed, mistagged, scheme
from wordworth.measures.halves import Contrast, Resampling, contrast, split, strata
from wordworth.measures.metrics import errors
from wordworth.measures.sums import floats
from wordworth.records import Table
from wordworth.studies.worth.climb import predicted
from wordworth.studies.worth.scores import picks, test_weights
from wordworth.text.words import words

if TYPE_CHECKING:
    from wordworth.representations.rung import Predictions
    from wordworth.studies.worth.climb import Climbed
    from wordworth.studies.worth.report import Evidence
    from wordworth.tasks.task import Rows, Task

Floats = NDArray[np.float64]
Loss = Callable[["Predictions"], Floats]

SLICES = {
    "measure": "complexity, ambiguity or unseen",
    "meaning": "how it was measured here",
    "rung": "the cheap rung",
    "against": "the contextual rung",
    "easy_n": "test units not above the median",
    "hard_n": "test units above the median",
    "undefined_n": "test units for which the measure has no value",
    "easy_gap": "error of the cheap rung minus that of the contextual one, easy half",
    "hard_gap": "the same, hard half",
    "difference": "hard gap minus easy gap",
    "low": "lower end of the difference's 95 % interval",
    "high": "upper end of the difference's 95 % interval",
    "relative_easy": "share of the cheap rung's errors that the contextual one avoids, easy half",
    "relative_hard": "the same, hard half",
    "logit_easy": "log-odds of the contextual rung's accuracy minus the cheap one's, easy half",
    "logit_hard": "the same, hard half",
    "null_difference": "mean difference when the measure is shuffled among equally difficult units",
    "p": "share of shuffles with a difference at least as large",
    "larger_on_hard": "whether the gap is larger on the hard half",
    "survives_null": "whether it is also larger in log-odds and beyond the null (p at most 0.05)",
}


@dataclass(frozen=True, slots=True)
class Units:
    """What a measure speaks of: texts, entities or words of the test part.

    Attributes:
        values: float64 [units], larger is harder, NaN where undefined.
        item: int64 [units], the test item each unit belongs to, with which it is resampled.
        loss: each unit's error in [0, 1] from a run's predictions.
        meaning: how it was measured, in words.
    """

    values: Floats
    item: NDArray[np.int64]
    loss: Loss
    meaning: str


def slices_table(evidence: Evidence, units_by_measure: Mapping[str, Units]) -> Table:
    """Every measure (as `measures` gives them), for every cheap rung against the reference contextual rung."""
    own = evidence.reference
    if own is None:
        return Table.of([], SLICES)
    rivals = [entry for entry in evidence.measured if entry.rung.name in evidence.named(contextual=False)]
    rows = []
    for name, units in units_by_measure.items():
        everyone = np.mean([_losses(entry, units, evidence).mean(axis=0) for entry in evidence.measured], axis=0)
        rows += [_row(name, units, (rival, own), evidence, strata(everyone)) for rival in rivals]
    return Table.of(rows, SLICES)


def measures(task: Task) -> dict[str, Units]:
    """The three measures of the test part, learned from the whole training part, as the runs they are set beside."""
    return _of_tags(task) if task.kind == "tags" else _of_texts(task)


def unseen_share(task: Task, units: Mapping[str, Units]) -> Floats:
    """float64 [test items]: the share of each text's words that the training part lacks."""
    if task.kind == "tags":
        train, test = _tagged_words(task, task.train), _tagged_words(task, task.test)
        return np.array([np.isinf(one).mean() if len(one) else 0.0 for one in difficulty.rarity(test, train)])
    return units["unseen"].values


def folded(task: Task, rows: Rows) -> list[list[str]]:
    """The words of each example in lower case, both texts of a pair joined."""
    examples = task.examples.take(rows)
    first = [_words(text) for text in examples.first]
    return first if examples.second is None else difficulty.joined(first, [_words(text) for text in examples.second])


def _words(text: str) -> list[str]:
    return [text[start:end].lower() for start, end in words(text)]


def _of_texts(task: Task) -> dict[str, Units]:
    test, gold = folded(task, task.test), task.gold(task.test)
    assert not isinstance(task.labels, tuple)  # noqa: S101 - tags go the other way
    known = difficulty.lexicon(folded(task, task.train), task.labels[task.train], len(task.classes))
    item = np.arange(len(test))
    examples = task.examples.take(task.test)
    whole = (
        examples.first
        if examples.second is None
        else [" ".join(pair) for pair in zip(examples.first, examples.second, strict=True)]
    )
    clauses = difficulty.clause_lengths(whole, [words(text) for text in whole])

    def loss(predictions: Predictions) -> Floats:
        return errors(gold, predictions)

    return {
        "complexity": Units(
            clauses,
            item,
            loss,
            "words between punctuation marks, which stand in for the structure of sentences (no parser was used)",
        ),
        "ambiguity": Units(
            difficulty.ambiguity(test, known),
            item,
            loss,
            "how evenly its words are spread over the labels in training; 0 where one has them all (entropy, bits)",
        ),
        "unseen": Units(difficulty.unseen(test, known), item, loss, "share of words never seen in training"),
    }


def _tagged_words(task: Task, rows: Rows) -> list[tuple[str, ...]]:
    assert task.examples.words is not None  # noqa: S101 - tagging tasks have words
    return [task.examples.words[row] for row in rows]


def _of_tags(task: Task) -> dict[str, Units]:
    gold, tags = task.gold(task.test), task.gold(task.train)
    assert isinstance(gold, tuple)  # noqa: S101 - tagging tasks
    assert isinstance(tags, tuple)  # noqa: S101 - tagging tasks
    train, test = _tagged_words(task, task.train), _tagged_words(task, task.test)
    entities, _ = missed(gold, gold, task.classes)
    item, _ = mistagged(gold, gold)
    inside = np.flatnonzero(scheme(task.classes).kind[np.concatenate(gold)] >= 0)

    def entity_loss(predictions: Predictions) -> Floats:
        return missed(gold, predictions, task.classes)[1]

    def word_loss(predictions: Predictions) -> Floats:
        return mistagged(gold, predictions)[1][inside]

    ambiguity = np.concatenate(difficulty.tag_ambiguity(test, train, tags, task.classes))[inside]
    rarity = np.concatenate(difficulty.rarity(test, train))[inside]
    types, seen = "types the word had in training", "one over the times the word was seen in training"
    return {
        "complexity": Units(floats(entities.lengths), entities.sentence, entity_loss, "words of the entity"),
        "ambiguity": Units(ambiguity, item[inside], word_loss, f"{types}, words of entities only"),
        "unseen": Units(rarity, item[inside], word_loss, f"{seen}, words of entities only"),
    }


def _losses(entry: Climbed, units: Units, evidence: Evidence) -> Floats:
    """float64 [runs, units]: the errors of each run on all labels, by seed; a failed run makes the constant's."""
    return np.stack([units.loss(said) for said in predicted(entry, evidence.plan.top, evidence.case.climbed)])


def _row(
    name: str, units: Units, pair: tuple[Climbed, Climbed], evidence: Evidence, groups: NDArray[np.int64]
) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(SLICES) | {"measure": name, "meaning": units.meaning}
    row |= {"rung": pair[0].rung.name, "against": pair[1].rung.name, "easy_n": 0, "hard_n": 0}
    row["undefined_n"] = int(np.isnan(units.values).sum())
    halves = split(units.values)
    if halves is None:
        return row
    told = _contrast(units, pair, evidence, groups)
    row |= {"easy_n": int(halves.easy.sum()), "hard_n": int(halves.hard.sum())}
    row |= {"easy_gap": told.easy.accuracy, "hard_gap": told.hard.accuracy, "difference": told.difference}
    row |= {"low": told.span.low, "high": told.span.high, "null_difference": told.null_difference, "p": told.p}
    row |= {"relative_easy": told.easy.relative, "relative_hard": told.hard.relative}
    row |= {"logit_easy": told.easy.logit, "logit_hard": told.hard.logit}
    return row | {"larger_on_hard": told.larger_on_hard, "survives_null": told.survives_null}


def _contrast(units: Units, pair: tuple[Climbed, Climbed], evidence: Evidence, groups: NDArray[np.int64]) -> Contrast:
    halves = split(units.values)
    assert halves is not None  # noqa: S101 - asked before
    draws, seed = evidence.case.doubt
    rival, own = (_losses(entry, units, evidence) for entry in pair)
    shared = min(len(rival), len(own))
    weights = test_weights(evidence.case.task, draws, seed)
    using = Resampling(weights, picks(shared, draws, seed), groups, groups=units.item)
    return contrast(rival[:shared], own[:shared], halves, using, seeds.child(seed, "slices", pair[0].rung.name))
