"""`kg train` from a file of triples to vectors and a `Record`; a training that was stopped is resumed."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from wordworth.files import filling_folder, write_text
from wordworth.folder_lock import alone_in
from wordworth.models.devices import device_of
from wordworth.models.knowledge_graph import GRAPH_MODELS, GraphModel
from wordworth.progress import Progress
from wordworth.records import RECORD, Record, Table, read
from wordworth.studies.knowledge_graph.findings import findings
from wordworth.studies.knowledge_graph.frequency_baseline import frequency_scorer
from wordworth.studies.knowledge_graph.tables import (
    EXAMPLES,
    RELATIONS,
    SCORES,
    example_rows,
    relation_rows,
    score_rows,
)
from wordworth.studies.study import make_record, timed
from wordworth.studies.training_folder_checks import TRAINING, require_own_or_free, require_same
from wordworth.text.knowledge_graph import KnowledgeGraph, read_graph
from wordworth.training.knowledge_graph.filtered_ranks import KnownAnswers, filtered_ranks, model_scorer
from wordworth.training.knowledge_graph.run import GraphTrainingResult, train
from wordworth.training.knowledge_graph.settings import GraphTrainingSettings
from wordworth.training.pretraining.run_identity import CHECKPOINTS

KIND = "knowledge_graph"
ENTITIES, RELATION_VECTORS = "entities", "relations"
_MACHINE = frozenset({"device", "threads", "save_every"})
_EVALUATIONS = {
    "step": "updates made",
    "loss": "mean training loss since the last evaluation",
    "mrr": "mean reciprocal rank on validation triples",
    "kept": "whether the vectors of this step were kept",
}


def run(settings: GraphTrainingSettings, triples: Path, out: Path, progress: Progress) -> Record:
    """Train vectors, or resume the training in a folder, and write the vectors with their record.

    If the training in the folder has ended, its record is read and nothing is computed.

    Args:
        settings: settings of the training.
        triples: the folder or file of triples.
        out: the folder to write.
        progress: receives progress and messages.

    Raises:
        BadInput: the triples cannot be read, the model cannot have the `dimension` of the settings, or the folder holds
            other files or another training.
    """
    GRAPH_MODELS.get(settings.model).relation_width(settings.dimension)
    device_of(settings.device)
    folder, training, seconds = require_own_or_free(out, KIND), out / TRAINING, dict[str, float]()
    with timed(seconds, "reading"):
        graph = read_graph(triples, settings.seed)
    with alone_in(training, waits=False):
        require_same(_identity(settings, graph), training)
        if all((out / name).exists() for name in (RECORD, f"{ENTITIES}.npy", f"{RELATION_VECTORS}.npy")):
            progress.note(f"{out}: this training has ended already")
            return read(out / RECORD)
        known = KnownAnswers(graph.triples, len(graph.entities))
        result = train(settings, graph, known, training / CHECKPOINTS, progress)
        record = _record(settings, graph, result, known, seconds, progress)
        record = folder.write(record)
        with filling_folder(out, last=".npy") as part:
            write_vectors(graph, result.model, part)
        shutil.rmtree(training / CHECKPOINTS, ignore_errors=True)
    return record


def write_vectors(graph: KnowledgeGraph, model: GraphModel, folder: Path) -> None:
    """Write a graph's vectors of entities and relations as .npy, with identifier and name of each row as .tsv.

    Args:
        graph: the graph, which has the identifiers and names.
        model: the trained model, which has the vectors.
        folder: the folder to write into.
    """
    for name, ids, titles, vectors in (
        (ENTITIES, graph.entities, graph.titles, model.entities),
        (RELATION_VECTORS, graph.relations, graph.relations, model.relations),
    ):
        np.save(folder / f"{name}.npy", vectors.detach().cpu().numpy())
        lines = ["id\tname", *(f"{key}\t{title}" for key, title in zip(ids, titles, strict=True))]
        write_text(folder / f"{name}.tsv", "\n".join(lines) + "\n")


def _identity(settings: GraphTrainingSettings, graph: KnowledgeGraph) -> Mapping[str, Any]:
    """Return the settings and hashes that decide the trained vectors, as JSON values."""
    deciding = {name: value for name, value in asdict(settings).items() if name not in _MACHINE}
    return {"kind": KIND, **deciding, "files": [sha256 for _, sha256, _ in graph.files]}


def _record(
    settings: GraphTrainingSettings,
    graph: KnowledgeGraph,
    result: GraphTrainingResult,
    known: KnownAnswers,
    seconds: dict[str, float],
    progress: Progress,
) -> Record:
    """Rank the test triples by the model and by frequency, and return the record."""
    seconds["training"] = round(result.seconds, 3)
    scorer = model_scorer(result.model)
    with timed(seconds, "ranking"):
        ranks = {
            settings.model: filtered_ranks(scorer, graph.test, known, progress),
            "frequency": filtered_ranks(frequency_scorer(graph), graph.test, known, progress),
        }
    tables = {
        "scores": Table.of(score_rows(ranks, settings), SCORES),
        "relations": Table.of(relation_rows(graph, ranks, settings), RELATIONS),
        "evaluations": Table.of(_evaluations(result), _EVALUATIONS),
        "examples": Table.of(example_rows(graph, scorer, ranks[settings.model], settings.seed), EXAMPLES),
    }
    facts = {
        "name": graph.name,
        "entities": len(graph.entities),
        "relations": len(graph.relations),
        **{part: len(getattr(graph, part)) for part in ("train", "valid", "test")},
        "sources": [{"path": name, "sha256": sha256, "rows": rows} for name, sha256, rows in graph.files],
    }
    chosen = {**asdict(settings), "steps": len(result.losses)}
    chosen = {name: value for name, value in chosen.items() if name not in _MACHINE}
    sentences = findings(settings, graph, tables, ranks)
    return make_record(KIND, chosen, facts, tables=tables, findings=sentences, seconds=seconds)


def _evaluations(result: GraphTrainingResult) -> list[dict[str, Any]]:
    return [
        {"step": each.step, "loss": each.loss, "mrr": each.dev, "kept": each.step == result.kept_step}
        for each in result.evaluations
    ]
