"""From sentences and models to a `Record`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.progress import Progress
from wordworth.records import Finding, Record, Table
from wordworth.studies.context import explorer, layer_measures, report, word_table
from wordworth.studies.context.explorer_words import with_shown
from wordworth.studies.context.layer_measures import LayerData
from wordworth.studies.context.occurrence_text import written
from wordworth.studies.context.published import CURVES
from wordworth.studies.context.readers import Reader, reader
from wordworth.studies.context.sampling import plan, stream
from wordworth.studies.context.sentences import Sentences, read_sentences
from wordworth.studies.context.settings import ContextSettings
from wordworth.studies.context.stream_layers import collect
from wordworth.studies.context.verdict import Found, verdict
from wordworth.studies.environment import environment
from wordworth.studies.layer_reader import require_unique_names
from wordworth.studies.word_explorer import NEIGHBOURS, OCCURRENCES, Row
from wordworth.training.malloc import returned_memory

KIND = "context"
_AT_ONCE = 1_000
"""Texts taken apart at a time: their tokens are far larger than their words."""
_MODELS = {
    "model": "as it was given",
    "layers": "above the input layer",
    "width": "numbers in a vector",
    "dtype": "what the encoder computes in",
    "unit": "what is counted",
    "occurrences": "that count",
    "words": "studied",
}
_PUBLISHED = {"model": "of the paper", "measure": "as in `layers`", "layer": "0 is the input layer", "value": "mean"}


@returned_memory()
def study(data: Path | str, settings: ContextSettings, progress: Progress) -> Record:
    """Every measure, every layer of every model.

    Raises:
        BadInput: a model or the sentences cannot be read, too few words stand in enough sentences, or a word cannot be
            shown.
    """
    read = read_sentences(data, settings.text, settings.limit, settings.seed)
    readers = [reader(name, settings) for name in settings.models]
    require_unique_names((model.name for model in readers), called="models", mend="give each once, or rename a folder")
    explored = next((model for model in readers if model.layers > 1), None)
    if settings.word and explored is None:
        raise BadInput("no model has layers to explore a word in", where="--word", mend="add an encoder to --model")
    found, models, seconds = [], [], {}
    for model in readers:
        began = time.monotonic()
        look, about = looked(model, read, settings, progress, explored=model is explored)
        found.append((look, layer_measures.measured(look)))
        models.append(about)
        seconds[look.name] = round(time.monotonic() - began, 1)
    answer = verdict(found)
    tables, told = _explored(found, readers, answer, read)
    return Record(
        kind=KIND,
        settings=asdict(settings),
        data=told_of(read),
        tables={**_tables(found, models), **tables},
        findings=[answer, *report.warnings(found, read), *report.method(found), *told],
        timings={"seconds": seconds},
        environment=environment(threads=1),
    )


def looked(
    model: Reader, read: Sentences, settings: ContextSettings, progress: Progress, *, explored: bool = False
) -> tuple[LayerData, dict[str, Any]]:
    """One model's vectors of the sentences as far as they are kept, and a row that says what it is.

    Where it is `explored`, the plan has the words of the explorer.

    Raises:
        BadInput: too few words stand in enough sentences, or one that the explorer was asked for does not.
    """
    blocks = (read.texts[begin : begin + _AT_ONCE] for begin in range(0, len(read.texts), _AT_ONCE))
    of = stream([forms for block in blocks for forms in model.forms(block)], settings)
    planned = plan(of, read.times, settings)
    if explored:
        planned = with_shown(planned, of, read.tags, settings)
    lengths = model.lengths(read.texts)  # before there is much else in memory
    seen = collect(model, read.texts, of, planned, progress)
    look = LayerData(model.name, of, planned, seen, settings, lengths=lengths, top=model.last_layer_note)
    counts = {"occurrences": len(of.form), "words": len(planned.words)}
    about = {"model": model.name, "layers": model.layers - 1, "width": model.width, "dtype": model.dtype}
    return look, {**about, "unit": model.unit, **counts}


def _explored(
    found: Found, readers: Sequence[Reader], answer: Finding, read: Sentences
) -> tuple[dict[str, Table], list[Finding]]:
    """The tables of the word explorer, of a model that has layers at the answer's, and what is to be said of it."""
    rows: Sequence[Sequence[Row]] = ((), (), ())
    told = list[Finding]()
    for (look, _), model in zip(found, readers, strict=True):
        if look.plan.shown:
            text = written(look, model, read)
            rows = explorer.explorer(look, answer.numbers["models"][look.name]["layer"], text, read.tags)
            told += explorer.told(look, text)
    named = {"explorer": explorer.WORDS, "occurrences": OCCURRENCES, "neighbours": NEIGHBOURS}
    tables = zip(named.items(), rows, strict=True)
    return {name: Table.of(of, describe) for (name, describe), of in tables}, told


def told_of(read: Sentences) -> dict[str, Any]:
    """What a record says of the sentences."""
    source = {"path": read.source, "sha256": read.sha256, "rows": read.rows}
    return {"name": read.source, "sentences": len(read.texts), "given": read.given, "sources": [source]}


def _tables(found: Found, models: list[dict[str, Any]]) -> dict[str, Table]:
    named = [{"measure": name, "meaning": a, "null": b} for name, (a, b) in layer_measures.MEASURES.items()]
    return {
        "models": Table.of(models, _MODELS),
        "layers": Table.of(
            [row for look, one in found for row in layer_measures.rows(look.name, one)], layer_measures.DESCRIBE
        ),
        "measures": Table.of(named, {"measure": "its name", "meaning": "what it is", "null": "what its null is"}),
        "stop_words": Table.of(
            [row for look, _ in found for row in word_table.stop_words(look)], word_table.STOP_WORDS
        ),
        "words": Table.of([row for look, _ in found for row in word_table.words(look)], word_table.WORDS),
        "published": Table.of(_published(), _PUBLISHED),
    }


def _published() -> list[dict[str, Any]]:
    """The paper's curves, of measures that are the same here."""
    same = {
        "baseline": "baseline",
        "self_similarity_adjusted": "self_similarity",
        "intra_sentence": "intra_sentence",
        "explained_published": "explained",
    }
    return [
        {"model": model, "measure": measure, "layer": layer, "value": value}
        for model, curves in CURVES.items()
        for measure, name in same.items()
        for layer, value in enumerate(getattr(curves, name))
        if value is not None
    ]
