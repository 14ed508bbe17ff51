"""The study `words`: static tables scored on word benchmarks, from files to a `Record`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.sources import require
from wordworth.studies.study import Study, make_record, timed
from wordworth.studies.word_benchmarks.benchmark_catalogue import CATALOGUE, WordSet, chosen, sets_folder, unread
from wordworth.studies.word_benchmarks.benchmark_files import Analogies, Categories, Content, words_of
from wordworth.studies.word_benchmarks.evaluation import Benchmark, BenchmarkScore, PairedDifference
from wordworth.studies.word_benchmarks.findings import method, verdict, warnings
from wordworth.studies.word_benchmarks.ranking import displayed_policy, labels
from wordworth.studies.word_benchmarks.settings import WordsSettings
from wordworth.studies.word_benchmarks.tables import tables_of
from wordworth.studies.word_benchmarks.word_lookup import WordVectors, open_vectors
from wordworth.studies.word_vectors_by_layer import require_unique_names


def study(models: Sequence[str], settings: WordsSettings, progress: Progress) -> Record:
    """Score static tables on word benchmarks, and return the record of the study `words`.

    Args:
        models: catalogue names, folders or files of static tables.
        settings: the settings of the study.
        progress: receives progress and messages.

    Raises:
        BadInput: no table is given, a table does not exist or is named twice, or the benchmarks are missing or cannot
            be read.
    """
    if not models:
        raise BadInput("no table was given", mend="name one with --models")
    for model in models:
        require(model)  # before the benchmarks, which may be missing too
    folder = sets_folder(settings.data)
    chosen_sets = chosen(settings.sets, folder)
    contents = {
        word_set.name: word_set.content(folder)
        for word_set in CATALOGUE
        if word_set in chosen_sets or word_set.is_complete(folder)
    }
    tables = _tables(models, contents, settings)
    cells, gaps = list[BenchmarkScore](), list[PairedDifference]()
    pairs, seconds = list[dict[str, Any]](), dict[str, float]()
    with progress.step("scoring words", sum(_effort(contents[word_set.name]) for word_set in chosen_sets)) as step:
        for word_set in chosen_sets:
            with timed(seconds, word_set.name):
                bench = Benchmark(word_set, contents[word_set.name], tables, settings)
                cells += bench.cells()
                gaps += bench.gaps()
                pairs += [{"set": word_set.name, "model": name, **pair._asdict()} for name, pair in bench.misjudged()]
            step.advance(_effort(contents[word_set.name]))
    method_notes = method(settings, displayed_policy(cells), unread(settings.sets, folder))
    return make_record(
        STUDY.kind,
        {name: value for name, value in asdict(settings).items() if name != "data"},
        _data(chosen_sets, folder, tables),
        tables=tables_of(cells, gaps, pairs),
        findings=[verdict(cells), *warnings(cells, tables), *method_notes],
        seconds=seconds,
    )


STUDY = Study(
    "words",
    "Score static tables on word benchmarks.",
    WordsSettings,
    study,
    inputs={"models": "static tables: names or paths"},
)


def _effort(content: Content) -> int:
    """Return an estimate of a benchmark's scoring time relative to other benchmarks, for the progress bar."""
    match content:
        case Categories(words):
            return 1 + len(words) ** 2 // 20_000  # distances of all pairs, repeated for parts of the words
        case Analogies(questions):
            return 1 + len(questions) // 50
        case _:
            return 1


def _tables(models: Sequence[str], contents: Mapping[str, Content], settings: WordsSettings) -> list[WordVectors]:
    """Load the static tables for the words of all benchmarks on this machine, whichever benchmarks are scored.

    Thus the score on a benchmark does not depend on the choice of other benchmarks.

    Args:
        models: catalogue names, folders or files of static tables.
        contents: name of a benchmark -> its items, for all benchmarks on this machine.
        settings: the settings of the study.
    """
    needed_words = [word for content in contents.values() for word in words_of(content)]
    tables = [open_vectors(name, needed_words, settings.most, whole=settings.candidates == "table") for name in models]
    require_unique_names((table.name for table in tables), called="tables", mend="give each once, or rename one")
    return tables


def _data(chosen_sets: Sequence[WordSet], folder: Path, tables: Sequence[WordVectors]) -> dict[str, Any]:
    """Return the description of the data for the record: `sources`, the benchmarks' files, and `tables`.

    Paths of files are relative to the folder of benchmarks.
    """
    files = dict.fromkeys(file for word_set in chosen_sets for file in word_set.files)
    sources = [{"path": file, "sha256": sha256(folder / file)} for file in files]
    label_of = labels([table.name for table in tables])
    about = [
        {"name": table.name, "label": label_of[table.name], "words": len(table.rows), "own_words": table.has_words}
        for table in tables
    ]
    return {"sources": sources, "tables": about}
