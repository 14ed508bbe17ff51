"""From tagged words, pairs and models to a `Record`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from wordworth.errors import BadInput
from wordworth.progress import Progress
from wordworth.records import Finding, Record, Table
from wordworth.studies.environment import environment
from wordworth.studies.layer_reader import long_texts, require_unique_names
from wordworth.studies.senses import explorer, published, report, scores, variance_factors, wic_scores
from wordworth.studies.senses.datasets import Set, read_sets
from wordworth.studies.senses.explorer import Seen
from wordworth.studies.senses.explorer_words import EMPTY, Plan, plans
from wordworth.studies.senses.nearest_centroid import classify, fit_centroids
from wordworth.studies.senses.readers import Reader, reader
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.verdict import verdict
from wordworth.studies.senses.wic_file import Pairs
from wordworth.studies.word_explorer import NEIGHBOURS, OCCURRENCES

KIND = "senses"
_MODELS = {"model": "as it was given", "layers": "above the input layer", "width": "numbers in a vector"}
_SETS = {
    "data": "set",
    "what": "tagged words, or pairs",
    "sentences": "read",
    "words": "different ones that are tagged",
    "senses": "they are tagged with",
    "taught": "occurrences that make centroids",
    "tested": "occurrences or pairs whose answer is to be told",
    "teachers": "what teaches: another `part` of the set, or the other `documents` or `sentences` of what is tested",
}
_PART = "part"
_PARTS: Mapping[str, Mapping[str, str]] = {
    "scores": scores.DESCRIBE,
    "pairs": wic_scores.DESCRIBE,
    "apart": variance_factors.APART,
    "explanations": variance_factors.DESCRIBE,
    "explorer": explorer.WORDS,
    "occurrences": OCCURRENCES,
    "neighbours": NEIGHBOURS,
}


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of every table, as they come."""

    tables: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {name: [] for name in _PARTS})


def study(settings: SensesSettings, progress: Progress) -> Record:
    """Tell senses and pairs with every model, under every layer.

    Raises:
        BadInput: a model or a set cannot be read, or there is nothing to be told.
    """
    sets = read_sets(settings)
    tagged = [one for one in sets if isinstance(one, SenseDataset)]
    models = _opened(settings)
    pictured = _pictured(models)
    rows, seconds = _Rows(), dict[str, float]()
    for model in models:
        began = time.monotonic()
        kept = plans(tagged, settings) if model is pictured and settings.words else {}
        _model(model, sets, kept, settings, rows, progress)
        seconds[model.name] = round(time.monotonic() - began, 1)
    return Record(
        kind=KIND,
        settings=asdict(settings),
        data=_data(sets),
        tables=_tables(rows, models, sets),
        findings=[verdict(rows.tables), *_warnings(rows, models, sets), *report.method(settings, sets)],
        timings={"seconds": seconds},
        environment=environment(threads=1),
    )


def _opened(settings: SensesSettings) -> list[Reader]:
    found = [reader(name, settings.pooling) for name in settings.models]
    require_unique_names((model.name for model in found), called="models", mend="give each once, or rename a folder")
    return found


def _warnings(rows: _Rows, models: Sequence[Reader], sets: Sequence[Set]) -> Iterator[Finding]:
    yield from report.warnings(rows.tables, sets)
    sentences = [sentence for one in sets for sentence in one.sentences]
    for model in models:
        yield from long_texts(model.name, model.lengths(sentences))


def _pictured(models: Sequence[Reader]) -> Reader:
    """The model that the explorer shows: the first that has layers."""
    return next((model for model in models if model.layers > 1), models[0])


def _model(
    model: Reader,
    sets: Sequence[Set],
    kept: Mapping[str, Plan],
    settings: SensesSettings,
    rows: _Rows,
    progress: Progress,
) -> None:
    tables, seen = rows.tables, list[Seen]()
    for one in sets:
        if isinstance(one, Pairs):
            found = wic_scores.cosines(model, one, progress)
            tables["pairs"] += wic_scores.rows(model.name, found, settings.draws, settings.seed)
        else:
            looked = _tagged(model, one, kept.get(one.name, EMPTY), settings, rows, progress)
            seen += [looked] if kept else []
    for name, found_rows in zip(("explorer", "occurrences", "neighbours"), explorer.explorer(seen), strict=True):
        tables[name] += found_rows


def _tagged(
    model: Reader, of: SenseDataset, plan: Plan, settings: SensesSettings, rows: _Rows, progress: Progress
) -> Seen:
    learnt = fit_centroids(model, of, plan, settings.occurrences, progress)
    told = classify(model, of, learnt, progress)
    if not (told.candidates > 1).any():
        mend = "every word's senses must be taught in other documents (or sentences) than it is tested in"
        raise BadInput("no tested word has two senses to choose from", where=of.source.path, mend=mend)
    hits = scores.hits(of, told, settings.seed)
    known = variance_factors.words(of, learnt, settings)
    tables = rows.tables
    new = scores.rows(model.name, of, hits, settings.draws, settings.seed)
    there = {(row["data"], row["system"]) for row in tables["scores"] if row["model"] is None}
    tables["scores"] += [row for row in new if row["model"] or (row["data"], row["system"]) not in there]
    tables["apart"] += variance_factors.separation(model.name, of, known, settings)
    tables["explanations"] += variance_factors.rows(model.name, of, known, settings)
    return Seen(of, plan, learnt, told, hits)


def _data(sets: Sequence[Set]) -> dict[str, Any]:
    sources = [{"path": one.source.path, "sha256": one.source.sha256, "rows": one.source.rows} for one in sets]
    left_out = {one.name: dict(one.source.left_out) for one in sets if one.source.left_out}
    return {"name": ", ".join(one.name for one in sets), "left_out": left_out, "sources": sources}


def _tables(rows: _Rows, models: Sequence[Reader], sets: Sequence[Set]) -> dict[str, Table]:
    about = [{"model": model.name, "layers": model.layers - 1, "width": model.width} for model in models]
    names = {one.name for one in sets}
    grey = [one._asdict() for one in published.FIGURES if one.data in names]
    return {
        "models": Table.of(about, _MODELS),
        "sets": Table.of([_about(one) for one in sets], _SETS),
        **{name: Table.of(rows.tables[name], describe) for name, describe in _PARTS.items()},
        "published": Table.of(grey, published.DESCRIBE),
    }


def _about(one: Set) -> dict[str, Any]:
    if isinstance(one, Pairs):
        taught, tested = (int(one.of(split).sum()) for split in ("train", "test"))
        counts = (len(one.sentences), len(set(one.word)), None, taught, tested)
        return dict(zip(_SETS, (one.name, "pairs", *counts, _PART), strict=True))
    known = (len(one.sentences), len(one.words), len(one.senses), int(one.train_mask.sum()), int(one.tested.sum()))
    return dict(zip(_SETS, (one.name, "tagged words", *known, teachers(one)), strict=True))


def teachers(of: SenseDataset) -> str:
    """What teaches the senses of its tested words: another `part` of the set, the other `documents` or `sentences`."""
    if not (of.train_mask & of.tested).any():
        return _PART
    return "documents" if len(of.sentences) > len(np.unique(of.document)) else "sentences"
