"""The study `words`: tables against benchmarks, each number with its policy for missing words and its interval."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.studies.environment import environment
from wordworth.studies.layer_reader import require_unique_names
from wordworth.studies.word_benchmarks.catalogue import CATALOGUE, WordSet, chosen, sets_folder, unread
from wordworth.studies.word_benchmarks.evaluation import Benchmark, BenchmarkScore, PairedDifference
from wordworth.studies.word_benchmarks.files import Analogies, Categories, Content, words_of
from wordworth.studies.word_benchmarks.labels import labels
from wordworth.studies.word_benchmarks.ranking import shown_policy
from wordworth.studies.word_benchmarks.settings import WordsSettings
from wordworth.studies.word_benchmarks.tables import tables_of
from wordworth.studies.word_benchmarks.verdict import method, verdict
from wordworth.studies.word_benchmarks.warnings import warnings
from wordworth.studies.word_benchmarks.word_lookup import WordVectors, open_vectors


def study(models: Sequence[str], settings: WordsSettings, progress: Progress) -> Record:
    """The record of tables on word benchmarks.

    Raises:
        BadInput: no table was given, one is not there or named twice, or the sets are not there or cannot be read.
    """
    if not models:
        raise BadInput("no table was given", mend="name one with --model")
    folder = sets_folder(settings.data)
    asked = chosen(settings.sets, folder)
    contents = {one.name: one.content(folder) for one in CATALOGUE if one in asked or one.here(folder)}
    tables = _tables(models, contents, settings)
    cells, gaps, pairs, seconds = (
        list[BenchmarkScore](),
        list[PairedDifference](),
        list[dict[str, Any]](),
        dict[str, float](),
    )
    with progress.step("scoring words", sum(_effort(contents[one.name]) for one in asked)) as step:
        for one in asked:
            began = time.monotonic()
            bench = Benchmark(one, contents[one.name], tables, settings)
            cells += bench.cells()
            gaps += bench.gaps()
            pairs += [{"set": one.name, "model": name, **pair._asdict()} for name, pair in bench.misjudged()]
            seconds[one.name] = round(time.monotonic() - began, 1)
            step.advance(_effort(contents[one.name]))
    told = method(settings, shown_policy(cells), unread(settings.sets, folder))
    return Record(
        kind="words",
        settings={name: value for name, value in asdict(settings).items() if name != "data"},
        data=_data(asked, folder, tables),
        tables=tables_of(cells, gaps, pairs),
        findings=[verdict(cells), *warnings(cells, tables), *told],
        timings={"seconds": seconds},
        environment=environment(threads=1),
    )


def _effort(content: Content) -> float:
    """About how long a set takes beside the others: what the time left is reckoned with."""
    match content:
        case Categories(words):
            return 1 + len(words) ** 2 / 20_000  # distances of all pairs, in parts of the words again and again
        case Analogies(questions):
            return 1 + len(questions) / 50
        case _:
            return 1


def _tables(models: Sequence[str], contents: Mapping[str, Content], settings: WordsSettings) -> list[WordVectors]:
    """The tables, by the words of every set that is there: what is asked must not hang on which sets were chosen."""
    asked = [word for content in contents.values() for word in words_of(content)]
    found = [open_vectors(name, asked, settings.most, whole=settings.candidates == "table") for name in models]
    require_unique_names((one.name for one in found), called="tables", mend="give each once, or rename one")
    return found


def _data(asked: Sequence[WordSet], folder: Path, tables: Sequence[WordVectors]) -> dict[str, Any]:
    """What was read; files by their names under the folder of the sets, which may lie anywhere."""
    files = dict.fromkeys(file for one in asked for file in one.files)
    sources = [{"path": file, "sha256": sha256(folder / file)} for file in files]
    called = labels([one.name for one in tables])
    about = [
        {"name": one.name, "label": called[one.name], "words": len(one.rows), "own_words": one.own} for one in tables
    ]
    return {"sources": sources, "tables": about}
