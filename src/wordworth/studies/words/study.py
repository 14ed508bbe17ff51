"""The study `words`: tables against benchmarks, each number with its policy for missing words and its interval."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.measures.intervals import interval, item_weights
from wordworth.measures.sums import Flags, Floats, floats
from wordworth.progress import Progress
from wordworth.records import Finding, Record, Table
from wordworth.studies.environment import environment
from wordworth.studies.layered import refuse_namesakes
from wordworth.studies.words.scoring import Sheet, groups, sheet, words_of
from wordworth.studies.words.sets import CATALOGUE, Content, Kind, WordSet, chosen, sets_folder
from wordworth.studies.words.settings import WordsSettings
from wordworth.studies.words.vectors import WordVectors, open_vectors

MEAN, DROP, COMMON = "mean", "drop", "common"
_POLICIES = f"{MEAN}: the mean vector stands for a missing word; {DROP}: items with a missing word are left out; "
_POLICIES += f"{COMMON}: items of which every table has every word"
_SCORES = {
    "model": "table",
    "set": "benchmark",
    "title": "as it is published",
    "kind": "similarity, analogy, category or relation",
    "metric": "spearman, accuracy, purity, or the mean of Spearman's correlation over relations",
    "policy": _POLICIES,
    "score": "between -1 and 1",
    "low": "lower end of the 95 % interval, over resampled items (pairs that share a word together); null: undefined",
    "high": "upper end of the 95 % interval",
    "items": "pairs, questions, words or relations that were counted",
    "of": "how many the set has",
}
_MEANS = {
    "model": "table",
    "policy": _POLICIES,
    "score": "mean of Spearman's correlation over the similarity sets that are no part of another",
    "low": "lower end of the 95 % interval",
    "high": "upper end of the 95 % interval",
    "sets": "how many sets",
    "covered": "share of their pairs that was counted",
}
_GAPS = {
    "model": "table",
    "against": "the first table",
    "set": "benchmark",
    "metric": "of the benchmark",
    "gap": "score less the other's, on the items both have",
    "low": "lower end of the paired 95 % interval",
    "high": "upper end of the paired 95 % interval",
}


class Cell(NamedTuple):
    """One table's score on one set under one policy."""

    model: str
    of: WordSet
    metric: str
    policy: str
    point: float
    draws: Floats
    items: int
    total: int


def study(models: Sequence[str], settings: WordsSettings, progress: Progress) -> Record:
    """The record of tables on word benchmarks.

    Raises:
        BadInput: no table was given, one is not there or named twice, or the sets are not there.
    """
    if not models:
        raise BadInput("no table was given", mend="name one with --model")
    folder = sets_folder(settings.data)
    asked = chosen(settings.sets, folder)
    contents = {one.name: one.read(one.paths(folder)) for one in asked}
    tables = _tables(models, folder, contents, settings)
    cells, seconds = list[Cell](), dict[str, float]()
    with progress.step("scoring words", len(asked)) as step:
        for one in asked:
            began = time.monotonic()
            cells += _cells(one, contents[one.name], tables, settings)
            seconds[one.name] = round(time.monotonic() - began, 1)
            step.advance()
    return Record(
        kind="words",
        settings={name: value for name, value in asdict(settings).items() if name != "data"},
        data=_data(asked, folder, tables),
        tables=_parts(cells, tables[0].name),
        findings=[_verdict(cells), *_method(tables, settings)],
        timings={"seconds": seconds},
        environment=environment(threads=1),
    )


def _tables(
    models: Sequence[str], folder: Path, contents: Mapping[str, Content], settings: WordsSettings
) -> list[WordVectors]:
    """The tables, by the words of every set that is there: what is asked must not hang on which sets were chosen."""
    others = [one for one in CATALOGUE if one.name not in contents and all(p.is_file() for p in one.paths(folder))]
    everything = [*contents.values(), *(one.read(one.paths(folder)) for one in others)]
    asked = [word for content in everything for word in words_of(content)]
    found = [open_vectors(name, asked, settings.most, whole=settings.candidates == "table") for name in models]
    refuse_namesakes((one.name for one in found), called="tables", mend="give each once, or rename one")
    return found


def _cells(one: WordSet, content: Content, tables: Sequence[WordVectors], settings: WordsSettings) -> Iterator[Cell]:
    group = groups(content)
    drawn = item_weights(len(group), settings.draws, seeds.child(settings.seed, "words", one.name), group)
    weights = np.concatenate([np.ones((1, len(group))), drawn])  # the first is the set as it is
    sheets = {table.name: sheet(content, table, settings) for table in tables}
    shared = np.logical_and.reduce([found.known for found in sheets.values()])
    for name, found in sheets.items():
        for policy, items in _policies(one.kind, found, shared if len(tables) > 1 else None):
            if items.any():
                scores = found.score(items, weights, policy == MEAN)
                for metric, values in scores.items():
                    counts = int(items.sum()), len(items)
                    yield Cell(name, one, metric, policy, float(values[0]), values[1:], *counts)


def _policies(kind: Kind, found: Sheet, shared: Flags | None) -> Iterator[tuple[str, Flags]]:
    yield MEAN, np.ones_like(found.known)
    yield DROP, found.known
    if shared is not None and kind != "relation":  # of a relation each table keeps the pairs that it can
        yield COMMON, shared


def _data(asked: Sequence[WordSet], folder: Path, tables: Sequence[WordVectors]) -> dict[str, Any]:
    """What was read; files by their names under the folder of the sets, which may lie anywhere."""
    files = dict.fromkeys(file for one in asked for file in one.files)
    sources = [{"path": file, "sha256": sha256(folder / file)} for file in files]
    about = [{"name": one.name, "words": len(one.rows), "own_words": one.whole} for one in tables]
    return {"sources": sources, "tables": about}


def _parts(cells: Sequence[Cell], first: str) -> dict[str, Table]:
    return {
        "scores": Table.of([_row(cell) for cell in cells], _SCORES),
        "means": Table.of(list(_means(cells)), _MEANS),
        "gaps": Table.of(list(_gaps(cells, first)), _GAPS),
    }


def _row(cell: Cell) -> dict[str, Any]:
    of = cell.of
    named = {"model": cell.model, "set": of.name, "title": of.title, "kind": of.kind, "metric": cell.metric}
    return named | {"policy": cell.policy, **_scored(cell.point, cell.draws), "items": cell.items, "of": cell.total}


def _means(cells: Sequence[Cell]) -> Iterator[dict[str, Any]]:
    counted = [cell for cell in cells if cell.of.counted]
    for model, policy in dict.fromkeys((cell.model, cell.policy) for cell in counted):
        mine = [cell for cell in counted if (cell.model, cell.policy) == (model, policy)]
        draws = floats(np.mean([cell.draws for cell in mine], axis=0))
        score = _scored(float(np.mean([cell.point for cell in mine])), draws)
        covered = sum(cell.items for cell in mine) / sum(cell.total for cell in mine)
        yield {"model": model, "policy": policy, **score, "sets": len(mine), "covered": covered}


def _gaps(cells: Iterable[Cell], first: str) -> Iterator[dict[str, Any]]:
    """Each table against the first on the items they share; both were drawn with the same items."""
    common = {(cell.model, cell.of.name, cell.metric): cell for cell in cells if cell.policy == COMMON}
    for (model, name, metric), cell in common.items():
        if model != first:
            other = common[first, name, metric]
            score = _scored(cell.point - other.point, floats(cell.draws - other.draws))
            named = {"model": model, "against": first, "set": name, "metric": metric}
            yield named | {"gap": score["score"], "low": score["low"], "high": score["high"]}


def _scored(point: float, draws: Floats) -> dict[str, float]:
    found = interval(draws)
    return {"score": point, "low": found.low, "high": found.high}


def _verdict(cells: Sequence[Cell]) -> Finding:
    if means := list(_means(cells)):
        parts = [
            f"{row['model']} {row['score']:.3f} ({row['low']:.3f} to {row['high']:.3f}; missing words: {row['policy']})"
            for row in means
        ]
        text = f"Mean of Spearman's correlation over {means[0]['sets']} similarity sets: {', '.join(parts)}."
        return Finding("verdict", text, {f"{row['model']}.{row['policy']}": row["score"] for row in means})
    parts = [f"{cell.model} on {cell.of.name}: {cell.metric} {cell.point:.3f} ({cell.policy})" for cell in cells]
    return Finding("verdict", f"{'; '.join(parts)}.", {})


def _method(tables: Sequence[WordVectors], settings: WordsSettings) -> Iterator[Finding]:
    yield Finding("method.missing", f"Missing words, {_POLICIES}.")
    yield Finding(
        "method.lookup", f"A word is looked up as written, then in lower case, among the {settings.most:,} first words."
    )
    pieced = [table.name for table in tables if not table.whole]
    if pieced:
        text = f"Analogies of {', '.join(pieced)} are answered from the words of the benchmarks themselves: easier than"
        yield Finding("method.candidates", f"{text} from a table's whole vocabulary, so not comparable with it.")
