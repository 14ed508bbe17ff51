"""Filtered ranks: the rank of a true answer among all entities except other true answers (Bordes et al. 2013)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.models.devices import on_device
from wordworth.models.knowledge_graph import GraphModel
from wordworth.progress import SILENT, Progress
from wordworth.text.knowledge_graph import Triples
from wordworth.training.batch_sampler import Numbers
from wordworth.training.knowledge_graph.negative_sampling import BOTH_SIDES, known_and_answer

Floats = NDArray[np.float64]
Scorer = Callable[[Numbers, Numbers, bool], Tensor]
"""Maps known entities and relations, int64 [n] each, and whether the tail is missing to scores, float [n, entities]."""
_BATCH = 256


class KnownAnswers:
    """The entities that truly answer each query, that is, complete the query to a known triple of the graph.

    A query is a triple without its tail, or without its head.

    Args:
        triples: int64 [n, 3], all triples that are known to be true.
        entities: number of entities.
    """

    def __init__(self, triples: Triples, entities: int) -> None:
        self._entities = entities
        self._sides = {tail: self._sorted(triples, tail=tail) for tail in BOTH_SIDES}

    def _sorted(self, triples: Triples, *, tail: bool) -> tuple[Numbers, Numbers]:
        known, relation, answer = known_and_answer(triples, tail=tail)
        keys = relation * self._entities + known
        order = np.argsort(keys, kind="stable")
        return keys[order], answer[order]

    def positions(self, known: Numbers, relations: Numbers, *, tail: bool) -> tuple[Numbers, Numbers]:
        """Return all true answers of some queries as pairs (index of the query, entity that answers it).

        Args:
            known: int64 [queries], the known entity of each query.
            relations: int64 [queries], the relation of each query.
            tail: True for queries without a tail, False for queries without a head.

        Returns:
            (indices of queries, entities), int64 [m] each, with one entry for each true answer.
        """
        keys, answers = self._sides[tail]
        wanted = relations * self._entities + known
        begin, end = np.searchsorted(keys, wanted, "left"), np.searchsorted(keys, wanted, "right")
        counts = end - begin
        rows = np.repeat(np.arange(len(wanted)), counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return rows, answers[np.repeat(begin, counts) + within]


def model_scorer(model: GraphModel) -> Scorer:
    """Return a function that computes a model's score of every entity as the answer to queries."""

    def score(known: Numbers, relations: Numbers, tail: bool) -> Tensor:  # noqa: FBT001 - a Scorer
        entities, relation = (on_device(each, model.entities.device) for each in (known, relations))
        return model.scores(model.queries(entities, relation, tail=tail), model.entities)

    return score


@torch.inference_mode()
def filtered_ranks(scorer: Scorer, triples: Triples, known: KnownAnswers, progress: Progress = SILENT) -> Floats:
    """Return the filtered rank of each triple's tail and head, float64 [n, 2]; the best rank is 1.

    Other true answers to the query are not ranked. Entities with equal scores share the mean of their ranks, so that a
    model that scores everything alike gets a rank in the middle (Berrendorf et al. 2020, arXiv 2002.06914,
    "realistic"). A test compares the ranks with the ranks of a slow version that sorts the entities for each triple.

    Args:
        scorer: scores every entity for a query.
        triples: int64 [n, 3], the triples to rank.
        known: all true answers.
        progress: receives the number of triples ranked.
    """
    ranks = np.empty((len(triples), len(BOTH_SIDES)))
    with progress.step("ranking", len(BOTH_SIDES) * len(triples)) as step:
        for column, tail in enumerate(BOTH_SIDES):
            for start in range(0, len(triples), _BATCH):
                entity, relation, answer = known_and_answer(triples[start : start + _BATCH], tail=tail)
                scores = scorer(entity, relation, tail)
                rows, true = (
                    torch.from_numpy(each).to(scores.device) for each in known.positions(entity, relation, tail=tail)
                )
                wanted = scores.gather(1, torch.from_numpy(answer).to(scores.device)[:, None])
                scores[rows, true] = -torch.inf
                above, equal = (scores > wanted).sum(1), (scores == wanted).sum(1)
                ranks[start : start + _BATCH, column] = (1 + above + equal / 2).cpu().numpy()
                step.advance(len(answer))
    return ranks
