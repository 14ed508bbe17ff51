"""The study `senses`: word sense prediction with every layer of every model, as a `Record`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from wordworth.errors import BadInput
from wordworth.progress import Progress
from wordworth.records import Finding, Record, Table
from wordworth.studies.senses import scores, self_similarity_factors, wic, word_explorer_data
from wordworth.studies.senses.datasets import Dataset, read_sets
from wordworth.studies.senses.findings import method, verdict, warnings
from wordworth.studies.senses.nearest_centroid import classify, fit_centroids
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.wic import Pairs
from wordworth.studies.senses.word_explorer_data import SetResults, plan_explorer
from wordworth.studies.study import Study, make_record, timed
from wordworth.studies.word_explorer_tables import EMPTY, NEIGHBOURS, OCCURRENCES, ExplorerPlan, explorer_tables
from wordworth.studies.word_vectors_by_layer import LayerReader, long_texts, open_reader, require_unique_names

_MODELS = {"model": "name as given", "layers": "number of layers above the input layer", "width": "vector dimensions"}
_SETS = {
    "data": "set",
    "what": "tagged words, or pairs",
    "sentences": "number of sentences read",
    "words": "number of different tagged words",
    "senses": "number of different senses they are tagged with",
    "taught": "number of training occurrences, from which centroids are computed",
    "tested": "number of test occurrences or pairs",
    "teachers": "where training occurrences are: another `part` of the set, or its other `documents` or `sentences`",
}
_PART = "part"
_PARTS: Mapping[str, Mapping[str, str]] = {
    "scores": scores.DESCRIBE,
    "pairs": wic.PAIRS,
    "apart": self_similarity_factors.APART,
    "explanations": self_similarity_factors.DESCRIBE,
    "explorer": word_explorer_data.WORDS,
    "occurrences": OCCURRENCES,
    "neighbours": NEIGHBOURS,
}


Rows = dict[str, list[dict[str, Any]]]
"""Name of each table of the record -> its rows, collected set by set."""


def study(settings: SensesSettings, progress: Progress) -> Record:
    """Predict the senses of tagged words, and whether two occurrences share a sense, with every layer of every model.

    Raises:
        BadInput: a model or a set cannot be read, or no tested word has two senses to choose from.
    """
    sets = read_sets(settings)
    tagged = [dataset for dataset in sets if isinstance(dataset, SenseDataset)]
    models = _open_models(settings)
    explored = _explored_model(models)
    rows: Rows = {name: [] for name in _PARTS}
    seconds = dict[str, float]()
    for model in models:
        with timed(seconds, model.name):
            plan_of = plan_explorer(tagged, settings) if model is explored and settings.words else {}
            _study_model(model, sets, plan_of, settings, rows, progress)
    return make_record(
        STUDY.kind,
        settings,
        _data(sets),
        tables=_tables(rows, models, sets),
        findings=[verdict(rows), *_warnings(rows, models, sets), *method(settings, sets)],
        seconds=seconds,
    )


STUDY = Study(
    "senses",
    "Classify word senses by the nearest centroid; look at words one by one.",
    SensesSettings,
    study,
    inputs={},
)


def _open_models(settings: SensesSettings) -> list[LayerReader]:
    models = [open_reader(name, settings.pooling) for name in settings.models]
    require_unique_names((model.name for model in models), called="models", mend="give each once, or rename a folder")
    return models


def _warnings(rows: Rows, models: Sequence[LayerReader], sets: Sequence[Dataset]) -> Iterator[Finding]:
    yield from warnings(rows, sets)
    sentences = [sentence for dataset in sets for sentence in dataset.sentences]
    for model in models:
        yield from long_texts(model.name, model.lengths(sentences))


def _explored_model(models: Sequence[LayerReader]) -> LayerReader:
    """Return the model that the explorer shows: the first with layers, else the first."""
    return next((model for model in models if model.layers > 1), models[0])


def _study_model(
    model: LayerReader,
    sets: Sequence[Dataset],
    plan_of: Mapping[str, ExplorerPlan],
    settings: SensesSettings,
    rows: Rows,
    progress: Progress,
) -> None:
    seen = list[SetResults]()
    for dataset in sets:
        if isinstance(dataset, Pairs):
            cosines = wic.cosines(model, dataset, progress)
            rows["pairs"] += wic.pair_rows(model.name, cosines, settings.draws, settings.seed)
        else:
            results = _study_tagged(model, dataset, plan_of.get(dataset.name, EMPTY), settings, rows, progress)
            seen += [results] if plan_of else []
    tables = explorer_tables(word_explorer_data.entries(seen))
    for name, new_rows in zip(("explorer", "occurrences", "neighbours"), tables, strict=True):
        rows[name] += new_rows


def _study_tagged(
    model: LayerReader,
    dataset: SenseDataset,
    plan: ExplorerPlan,
    settings: SensesSettings,
    rows: Rows,
    progress: Progress,
) -> SetResults:
    centroids = fit_centroids(model, dataset, plan, settings.occurrences, progress)
    predictions = classify(model, dataset, centroids, progress)
    if not (predictions.candidates > 1).any():
        mend = "every word needs training occurrences in other documents (or sentences) than those it is tested in"
        raise BadInput("no tested word has two senses to choose from", where=dataset.source.path, mend=mend)
    hits = scores.hits(dataset, predictions, settings.seed)
    known = self_similarity_factors.words(dataset, centroids, settings)
    new = scores.rows(model.name, dataset, hits, settings.draws, settings.seed)
    there = {(row["data"], row["system"]) for row in rows["scores"] if row["model"] is None}
    rows["scores"] += [row for row in new if row["model"] or (row["data"], row["system"]) not in there]
    rows["apart"] += self_similarity_factors.separation(model.name, dataset, known, settings)
    rows["explanations"] += self_similarity_factors.rows(model.name, dataset, known, settings)
    return SetResults(dataset, plan, centroids, predictions, hits)


def _data(sets: Sequence[Dataset]) -> dict[str, Any]:
    sources = [
        {"path": dataset.source.path, "sha256": dataset.source.sha256, "rows": dataset.source.rows} for dataset in sets
    ]
    left_out = {dataset.name: dict(dataset.source.left_out) for dataset in sets if dataset.source.left_out}
    return {"name": ", ".join(dataset.name for dataset in sets), "left_out": left_out, "sources": sources}


def _tables(rows: Rows, models: Sequence[LayerReader], sets: Sequence[Dataset]) -> dict[str, Table]:
    model_rows = [{"model": model.name, "layers": model.layers - 1, "width": model.width} for model in models]
    names = {dataset.name for dataset in sets}
    figures = [figure._asdict() for figure in PUBLISHED if figure.data in names]
    return {
        "models": Table.of(model_rows, _MODELS),
        "sets": Table.of([_set_row(dataset) for dataset in sets], _SETS),
        **{name: Table.of(rows[name], describe) for name, describe in _PARTS.items()},
        "published": Table.of(figures, _PUBLISHED_COLUMNS),
    }


def _set_row(dataset: Dataset) -> dict[str, Any]:
    if isinstance(dataset, Pairs):
        training, tested = (int(dataset.in_split(split).sum()) for split in ("train", "test"))
        counts = (len(dataset.sentences), len(set(dataset.word)), None, training, tested)
        return dict(zip(_SETS, (dataset.name, "pairs", *counts, _PART), strict=True))
    sizes = (len(dataset.sentences), len(dataset.words), len(dataset.senses))
    tagged = (int(dataset.train_mask.sum()), int(dataset.tested.sum()))
    return dict(zip(_SETS, (dataset.name, "tagged words", *sizes, *tagged, training_source(dataset)), strict=True))


def training_source(dataset: SenseDataset) -> str:
    """Return a name for the training occurrences from which the sense of a test occurrence is predicted.

    The name is `part` for the training part of the file, if the file has one; else `documents` for the other documents
    of the data set, or `sentences` for its other sentences if each sentence is a document.
    """
    if not (dataset.train_mask & dataset.tested).any():
        return _PART
    return "documents" if len(dataset.sentences) > len(np.unique(dataset.document)) else "sentences"


class Published(NamedTuple):
    """The `score` that a paper (`source`) reports for a `system` on a data set (`data`).

    `same_test` is True if the study scores the same test items as the paper.
    """

    data: str
    system: str
    score: float
    source: str
    same_test: bool


_COENEN = "Coenen et al. 2019: all of SemCor teaches, tested on the five Senseval and SemEval sets"
_WIC = "benchmark listing of WiC (Pilehvar and Camacho-Collados 2019): the same test pairs"
PUBLISHED = (
    Published("semcor", "most frequent sense", 0.648, _COENEN, same_test=False),
    Published("semcor", "ELMo, nearest centroid", 0.701, _COENEN, same_test=False),
    Published("semcor", "BERT-base, nearest centroid", 0.711, _COENEN, same_test=False),
    Published("semcor", "BERT-base, learned map, nearest centroid", 0.715, _COENEN, same_test=False),
    Published("wic", "BERT-large", 0.655, _WIC, same_test=True),
    Published("wic", "context2vec", 0.593, _WIC, same_test=True),
    Published("wic", "DeConf", 0.587, _WIC, same_test=True),
    Published("wic", "SW2V", 0.581, _WIC, same_test=True),
    Published("wic", "ELMo", 0.577, _WIC, same_test=True),
    Published("wic", "sentence LSTM", 0.531, _WIC, same_test=True),
)
_PUBLISHED_COLUMNS = {
    "data": "set",
    "system": "system as published",
    "score": "F1 on tagged words, accuracy on pairs; between 0 and 1",
    "source": "publication, training and test data",
    "same_test": "whether our figures are on the same test items",
}
