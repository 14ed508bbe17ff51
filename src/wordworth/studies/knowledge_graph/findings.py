"""The findings of a knowledge graph study: the ranks of missing entities, warnings and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import interval, mean_draws
from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, decimal, percent, signed_decimal_with_range, some_of
from wordworth.studies.knowledge_graph.tables import MRR
from wordworth.text.knowledge_graph import HEAD, RELATION, TAIL, KnowledgeGraph, Triples
from wordworth.training.knowledge_graph.filtered_ranks import Floats
from wordworth.training.knowledge_graph.settings import GraphTrainingSettings

_FEW_UPDATES = 1_000
"""Updates below which a training has hardly begun; the default makes 5,000 or more."""
_LINKED = 0.05
"""Share of test triples whose two entities are also linked in training, above which there is a warning."""


def findings(
    settings: GraphTrainingSettings, graph: KnowledgeGraph, tables: Mapping[str, Table], ranks: Mapping[str, Floats]
) -> list[Finding]:
    """Return the findings of a `knowledge_graph` record: the verdict, the warnings and the method.

    Args:
        settings: settings of the training.
        graph: the graph.
        tables: tables of the record, among them `scores` and `evaluations`.
        ranks: system -> float64 [test triples, 2], the filtered rank of the tail and of the head; the model comes
            first, then `frequency`.
    """
    return [_verdict(settings, graph, tables, ranks), *_warnings(graph, tables), *_method(settings, graph)]


def _verdict(
    settings: GraphTrainingSettings, graph: KnowledgeGraph, tables: Mapping[str, Table], ranks: Mapping[str, Floats]
) -> Finding:
    own = {row["measure"]: row for row in tables["scores"].rows() if row["system"] == settings.model}
    other = {row["measure"]: row for row in tables["scores"].rows() if row["system"] == "frequency"}
    mrr, hits = own[MRR], own["hits_10"]
    reciprocal = np.stack([(1 / each).mean(1) for each in ranks.values()], axis=1)
    rng = seeds.child(settings.seed, "knowledge graph", "difference")
    drawn = mean_draws(reciprocal, settings.draws, rng)
    difference, ends = mrr["value"] - other[MRR]["value"], interval(drawn[:, 0] - drawn[:, 1])
    certainty = "surely ahead of" if ends.low > 0 else "surely behind" if ends.high < 0 else "not surely ahead of"
    headline = f"{settings.model}: mean reciprocal rank {_between(mrr)}; {percent(hits['value'])} among the first ten."
    text = (
        f"{settings.model} ranks the missing entity of {count_of(len(graph.test), 'test triple')} among "
        f"{len(graph.entities):,}: mean reciprocal rank {_between(mrr)}, first in {percent(own['hits_1']['value'])}, "
        f"among the first ten in {percent(hits['value'])}.\n"
        f"It is {certainty} answers by frequency ({decimal(other[MRR]['value'])}): "
        f"{signed_decimal_with_range(difference, ends.low, ends.high)}."
    )
    numbers = {"mrr": mrr["value"], "hits_10": hits["value"], "difference": difference, **ends.columns()}
    return Finding("verdict", text, {"headline": headline, **numbers})


def _between(row: Mapping[str, float]) -> str:
    return f"{decimal(row['value'])} ({decimal(row['low'])} to {decimal(row['high'])})"


def _warnings(graph: KnowledgeGraph, tables: Mapping[str, Table]) -> Iterator[Finding]:
    """Yield the warnings: random vectors, repeated triples, linked test triples, a training that ended early."""
    learned = np.zeros(len(graph.entities), dtype=bool)
    learned[graph.train[:, [HEAD, TAIL]]] = True
    unseen = int((~learned[graph.test[:, [HEAD, TAIL]]].all(1)).sum())
    if unseen:
        which = count_of(unseen, "test triple has", "test triples have")
        text = f"{which} an entity that no training triple has: its vector is random."
        yield Finding("warning.unseen", text, {"triples": unseen})
    copies = len(graph.train) - len(np.unique(_keys(graph, graph.train)))
    if copies:
        which = some_of(copies, len(graph.train), "training triples repeats", "training triples repeat")
        text = f"{which} another: a triple that stands there twice weighs twice."
        yield Finding("warning.copies", text, {"triples": copies})
    repeated = np.isin(_keys(graph, graph.test), _keys(graph, graph.train))
    if repeated.any():
        which = count_of(int(repeated.sum()), "test triple is a training triple", "test triples are training triples")
        text = f"{which} too: they measure what the model remembers. Remove them from the test triples."
        yield Finding("warning.repeated", text, {"triples": int(repeated.sum())})
    linked = float((np.isin(_pairs(graph, graph.test), _pairs(graph, graph.train)) & ~repeated).mean())
    if linked > _LINKED:
        text = (
            f"In {percent(linked)} of the test triples another training triple links the same two entities: an inverse "
            "or near-equal relation may give the answer away (Toutanova and Chen 2015)."
        )
        yield Finding("warning.linked", text, {"share": linked})
    evaluations = tables["evaluations"].rows()
    yield from _short(evaluations)
    if evaluations and evaluations[-1]["kept"] and len(evaluations) > 1:
        before, last = evaluations[-2]["mrr"], evaluations[-1]["mrr"]
        if last - before > 0.005:  # noqa: PLR2004 - half a point
            text = (
                f"The last evaluation was still {decimal(last - before)} better than the one before: more epochs, "
                "or a larger learning rate, may give more."
            )
            yield Finding("warning.still_learning", text, {"gain": last - before})


def _short(evaluations: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Yield a warning if the training made very few updates, or was at its best at the first evaluation."""
    steps = evaluations[-1]["step"] if evaluations else _FEW_UPDATES
    if steps < _FEW_UPDATES:
        text = (
            f"The training made only {count_of(steps, 'update')} and hardly began: leave the epochs out, which makes "
            "5,000 or more, or give more epochs or smaller batches."
        )
        yield Finding("warning.short", text, {"updates": steps})
    elif len(evaluations) > 1 and evaluations[0]["kept"]:
        text = (
            f"The first of {len(evaluations)} evaluations, after {count_of(evaluations[0]['step'], 'update')}, was the "
            "best: ranks got worse from there; a smaller learning rate may give more."
        )
        yield Finding("warning.best_first", text, {"step": evaluations[0]["step"]})


def _keys(graph: KnowledgeGraph, triples: Triples) -> Triples:
    """Return a number for each triple, int64 [triples]; equal triples have equal numbers."""
    pairs = triples[:, HEAD] * len(graph.entities) + triples[:, TAIL]
    return pairs * len(graph.relations) + triples[:, RELATION]


def _pairs(graph: KnowledgeGraph, triples: Triples) -> Triples:
    """Return a number for the two entities of each triple, int64 [triples], which does not depend on their order."""
    ends = np.sort(triples[:, [HEAD, TAIL]], axis=1)
    return ends[:, 0] * len(graph.entities) + ends[:, 1]


def _method(settings: GraphTrainingSettings, graph: KnowledgeGraph) -> Iterator[Finding]:
    text = (
        "Ranks are filtered: other entities that complete the triple truly, in any part, are left out; among equal "
        "scores the rank is the mean over their orders. Head and tail are each missing once."
    )
    yield Finding("method.ranks", text)
    text = (
        f"Trained with {settings.negatives} random entities a batch and side, weighed by their scores (Sun et al. "
        f"2019); {count_of(len(graph.valid), 'validation triple')} chose the step, at most 1,000 of them."
    )
    yield Finding("method.training", text)
