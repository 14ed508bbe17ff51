"""Adversarial filtering: choose machine-written wrong endings that a discriminator cannot tell from human ones.

The method is the one of SWAG (Zellers et al. 2018, arXiv 1808.05326, algorithm 1) and HellaSwag (Zellers et al. 2019,
arXiv 1905.07830). Each round splits the items at random and trains a new discriminator on one part; in the other part,
machine-written endings that the discriminator finds easy are replaced by harder ones from a pool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.weighted_sums import Floats, Integers
from wordworth.progress import Step
from wordworth.studies.commonsense.items import Choice, ChoiceSet
from wordworth.studies.commonsense.ngram_sampler import NgramSampler

POOL = 16
"""Number of machine-written endings in the pool of an item, from which its wrong endings are chosen."""
LEAST_ITEMS, MOST_ITEMS = 40, 2_000
"""Fewest items from which a discriminator can learn; most items that are filtered, so that a round takes seconds."""
_TRIES = 20
Scorer = Callable[[Sequence[str]], Floats]
"""Function from endings to scores, float64 [endings]; a higher score means more likely human."""
Discriminator = Callable[[Sequence[str], Sequence[str]], Scorer]
"""Function from human endings and machine-written ones to a scorer that has learned to tell them apart."""


@dataclass(frozen=True, slots=True)
class EndingPool:
    """The human-written ending of an item, and machine-written endings, of which some become wrong endings."""

    human: str
    machine: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """The result of one round of adversarial filtering.

    Attributes:
        number: index of the round, from 0.
        items: number of items on which the discriminator was tested, none of which it was trained on.
        right: number of these items whose human ending got the discriminator's highest score.
        replaced: number of machine-written endings of these items that were replaced.
        chance: expected accuracy of guessing, 0 to 1.
    """

    number: int
    items: int
    right: int
    replaced: int
    chance: float


def tfidf_discriminator(human: Sequence[str], machine: Sequence[str]) -> Scorer:
    """Train a logistic regression, on TF-IDF of words and word bigrams, that tells human from machine-written endings.

    Args:
        human: endings that people wrote.
        machine: endings that a machine wrote.
    """
    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"\S+")  # noqa: S106 - no password
    labels = np.repeat([1, 0], [len(human), len(machine)])
    model = LogisticRegression(C=10.0, class_weight="balanced", max_iter=300)
    model.fit(words.fit_transform([*human, *machine]), labels)
    return lambda endings: np.asarray(model.decision_function(words.transform(endings)), dtype=np.float64)


def filtered(
    pools: Sequence[EndingPool],
    wrong: int,
    rounds: int,
    rng: np.random.Generator,
    discriminator: Discriminator = tfidf_discriminator,
    step: Step | None = None,
) -> tuple[Integers, list[Round]]:
    """Choose hard wrong endings for each item by rounds of adversarial filtering.

    Args:
        pools: the pool of endings of each item.
        wrong: number of wrong endings of an item.
        rounds: number of rounds that replace endings; one further round only tests the discriminator.
        rng: source of randomness, which splits the items into items that train and items that test the discriminator.
        discriminator: function that trains a discriminator from human and from machine-written endings; it is called in
            every round.
        step: advanced by 1 with each round.

    Returns:
        The indices of the chosen endings in the pool of each item, int64 [items, wrong]; and the results of the rounds.
    """
    chosen = np.tile(np.arange(wrong), (len(pools), 1))
    done = []
    for number in range(rounds + 1):
        order = rng.permutation(len(pools))
        learned, held_out = np.array_split(order, 2)
        scorer = discriminator(
            [pools[item].human for item in learned],
            [pools[item].machine[at] for item in learned for at in chosen[item]],
        )
        right = replaced = 0
        for item, human, machine in zip(held_out, *_scored([pools[item] for item in held_out], scorer), strict=True):
            right += all(human > machine[at] for at in chosen[item])
            if number < rounds:
                harder = _harder(human, machine, chosen[item].tolist())
                replaced += int((harder != chosen[item]).sum())
                chosen[item] = harder
        done.append(Round(number, len(held_out), right, replaced, 1 / (wrong + 1)))
        if step is not None:
            step.advance(1)
    return chosen, done


def _scored(pools: Sequence[EndingPool], scorer: Scorer) -> tuple[list[float], list[list[float]]]:
    """Return the scores of the human endings, [pools], and for each pool the scores of its machine-written endings."""
    scores = scorer([ending for pool in pools for ending in pool.machine]).tolist()
    ends = np.cumsum([0, *(len(pool.machine) for pool in pools)])
    return scorer([pool.human for pool in pools]).tolist(), [scores[start:end] for start, end in pairwise(ends)]


def _harder(human: float, machine: Sequence[float], chosen: Sequence[int]) -> Integers:
    """Return the chosen endings of an item with the easy ones replaced, as indices into the item's pool.

    Chosen endings that score below the human ending are easy. One by one, the easiest first, they are replaced by the
    ending with the highest score that is not chosen yet, if its score is higher.

    Args:
        human: the score of the human ending.
        machine: the score of each machine-written ending of the pool.
        chosen: indices of the endings that are chosen so far.
    """
    held = list(chosen)
    for easy in sorted((at for at in chosen if machine[at] < human), key=lambda at: machine[at]):
        free = [at for at in range(len(machine)) if at not in held and machine[at] > machine[easy]]
        if free:
            held[held.index(easy)] = max(free, key=lambda at: machine[at])
    return np.array(held, dtype=np.int64)


def filtered_sets(items: ChoiceSet, rounds: int, seed: int, step: Step) -> tuple[list[ChoiceSet], list[Round]]:
    """Return a data set with machine-written wrong endings, once as drawn and once after adversarial filtering.

    Half of the items, at most `MOST_ITEMS`, get machine-written wrong endings; their right endings are taken as written
    by people. Wrong endings are drawn from a trigram model of the right endings of the other items. A trigram model of
    the same items' endings would repeat these endings, so that the discriminator would learn to call human endings
    machine-written.

    Args:
        items: a data set of texts with endings.
        rounds: number of rounds of filtering.
        seed: seed of all draws.
        step: advanced by 1 with each round.

    Returns:
        Two data sets, with the wrong endings before filtering and after it; and the results of the rounds.

    Raises:
        BadInput: there are too few items.
    """
    if len(items.items) < LEAST_ITEMS:
        what = f"{len(items.items)} items are too few for a discriminator"
        raise BadInput(what, where=items.name, mend=f"give {LEAST_ITEMS} or more, or leave --filter-rounds out")
    rng = seeds.child(seed, "commonsense", "filtering", items.seed_name)
    order = rng.permutation(len(items.items))
    size = min(MOST_ITEMS, len(order) // 2)
    others = [items.items[number] for number in order[size:]]
    items = replace(items, items=[items.items[number] for number in sorted(order[:size])], rows=size)
    wrong = len(items.items[0].options) - 1
    sampler = NgramSampler((item.before, item.options[item.answer]) for item in others)
    pools = [_pool(item, sampler, rng) for item in items.items]
    rows = [number for number, pool in enumerate(pools) if len(pool.machine) > wrong]
    pools = [pools[number] for number in rows]
    chosen, done = filtered(pools, wrong, rounds, rng, step=step)
    answers = rng.integers(wrong + 1, size=len(rows))
    versions = [
        replace(items, name=f"{items.name}, {title}", items=_with(items, rows, pools, numbers, answers))
        for title, numbers in (("machine's", np.tile(np.arange(wrong), (len(rows), 1))), ("filtered", chosen))
    ]
    return versions, done


def _pool(item: Choice, sampler: NgramSampler, rng: np.random.Generator) -> EndingPool:
    human = item.options[item.answer]
    drawn = dict.fromkeys(sampler.continued(item.before, rng) for _ in range(POOL + _TRIES))
    return EndingPool(human, tuple(ending for ending in drawn if ending not in {"", human})[:POOL])


def _with(
    items: ChoiceSet, rows: Sequence[int], pools: Sequence[EndingPool], chosen: Integers, answers: Integers
) -> list[Choice]:
    made = []
    for row, pool, numbers, answer in zip(rows, pools, chosen, answers.tolist(), strict=True):
        options = [pool.machine[at] for at in numbers]
        options.insert(answer, pool.human)
        made.append(replace(items.items[row], options=tuple(options), answer=answer))
    return made
