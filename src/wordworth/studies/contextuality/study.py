"""The study `context` from end to end: sentences and models become a `Record`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.progress import Progress
from wordworth.records import Finding, Record, Table
from wordworth.studies.contextuality import layer_measures, self_similarity_tables, word_explorer_data
from wordworth.studies.contextuality.collect_layer_vectors import collect
from wordworth.studies.contextuality.findings import Results, method, verdict, warnings
from wordworth.studies.contextuality.layer_measures import LayerData
from wordworth.studies.contextuality.published_curves import CURVES
from wordworth.studies.contextuality.read_sentences import Sentences, read_sentences
from wordworth.studies.contextuality.sampling_plan import list_occurrences, plan
from wordworth.studies.contextuality.settings import ContextSettings
from wordworth.studies.contextuality.word_explorer_data import add_explorer_words, explorer_text
from wordworth.studies.study import Study, make_record, timed
from wordworth.studies.word_explorer_tables import NEIGHBOURS, OCCURRENCES, Row, explorer_tables
from wordworth.studies.word_vectors_by_layer import LayerReader, open_reader, require_unique_names
from wordworth.training.malloc import return_freed_memory

_AT_ONCE = 1_000
"""The number of texts tokenized at a time, as tokens take far more memory than words."""
_MODELS = {
    "model": "name as given",
    "layers": "number of layers above the input layer",
    "width": "dimensions of a vector",
    "dtype": "dtype of the encoder's computation",
    "unit": "what is counted",
    "occurrences": "number of occurrences that count",
    "words": "number of words studied",
}
_PUBLISHED = {
    "model": "model in the paper",
    "measure": "as in `layers`",
    "layer": "0 is the input layer",
    "value": "mean",
}


@return_freed_memory()
def study(data: Path | str, settings: ContextSettings, progress: Progress) -> Record:
    """Compute every measure of contextuality for every layer of every model, and make the record.

    Args:
        data: path of the file of sentences, or name of a published data set.
        settings: the settings of the study.
        progress: receives progress and messages.

    Raises:
        BadInput: a model or the sentences cannot be read, too few words occur in enough sentences, or a word requested
            for the explorer is not among those studied.
    """
    read = read_sentences(data, settings.text, settings.limit, settings.seed)
    readers = [reader(name, settings) for name in settings.models]
    require_unique_names((model.name for model in readers), called="models", mend="give each once, or rename a folder")
    explored = next((model for model in readers if model.layers > 1), None)
    if settings.word and explored is None:
        raise BadInput(
            "no model has layers, so no word can be explored", where="--word", mend="add an encoder to --models"
        )
    results, models, seconds = [], [], dict[str, float]()
    for model in readers:
        with timed(seconds, model.name):
            layer_data, description = read_layers(model, read, settings, progress, explored=model is explored)
            results.append((layer_data, layer_measures.compute_measures(layer_data)))
        models.append(description)
    answer = verdict(results)
    tables, notes = _explored(results, readers, answer, read)
    return make_record(
        STUDY.kind,
        settings,
        describe_sentences(read),
        tables={**_tables(results, models), **tables},
        findings=[answer, *warnings(results, read), *method(results), *notes],
        seconds=seconds,
    )


STUDY = Study(
    "context",
    "Measure how contextual a model's vectors are, layer by layer.",
    ContextSettings,
    study,
    inputs={"data": "sentences: a file, or sts; with senses: semcor or coarsewsd"},
)


def reader(model: str, settings: ContextSettings) -> LayerReader:
    """Load a model that computes the vectors of words or subwords in every layer, according to the settings.

    Raises:
        BadInput: there is no model of that name, or its files are damaged.
    """
    return open_reader(
        model, settings.pooling, units=settings.units, dtype=settings.dtype, last_layer=settings.last_layer
    )


def read_layers(
    model: LayerReader, read: Sentences, settings: ContextSettings, progress: Progress, *, explored: bool = False
) -> tuple[LayerData, dict[str, Any]]:
    """Encode the sentences with one model, and return the data from which its measures are computed.

    Args:
        model: computes the vectors of the sentences' words or subwords.
        read: the sentences.
        settings: the settings of the study.
        progress: receives progress and messages.
        explored: whether to sample occurrences of the words of the word explorer too.

    Returns:
        The model's data, and its row of the table `models`.

    Raises:
        BadInput: too few words occur in enough sentences, or a word requested for the explorer occurs in too few.
    """
    blocks = (read.texts[begin : begin + _AT_ONCE] for begin in range(0, len(read.texts), _AT_ONCE))
    stream = list_occurrences([forms for block in blocks for forms in model.forms(block)], settings)
    planned = plan(stream, read.times, settings)
    if explored:
        planned = add_explorer_words(planned, stream, read.tags, settings)
    lengths = model.lengths(read.texts)  # before there is much else in memory
    seen = collect(model, read.texts, stream, planned, progress)
    layer_data = LayerData(model.name, stream, planned, seen, settings, lengths=lengths, top=model.last_layer_note)
    counts = {"occurrences": len(stream.form), "words": len(planned.words)}
    row = {"model": model.name, "layers": model.layers - 1, "width": model.width, "dtype": model.dtype}
    return layer_data, {**row, "unit": model.unit, **counts}


def _explored(
    results: Results, readers: Sequence[LayerReader], answer: Finding, read: Sentences
) -> tuple[dict[str, Table], list[Finding]]:
    """Return the word explorer's tables by name, at the layer that the verdict names, and findings on the explorer."""
    rows: Sequence[Sequence[Row]] = ((), (), ())
    notes = list[Finding]()
    for (layer_data, _), model in zip(results, readers, strict=True):
        if layer_data.plan.plotted:
            text = explorer_text(layer_data, model, read)
            layer = answer.numbers["models"][layer_data.name]["layer"]
            rows = explorer_tables(word_explorer_data.entries(layer_data, layer, text, read.tags))
            notes += word_explorer_data.findings(layer_data, text)
    named = {"explorer": word_explorer_data.WORDS, "occurrences": OCCURRENCES, "neighbours": NEIGHBOURS}
    tables = zip(named.items(), rows, strict=True)
    return {name: Table.of(of, describe) for (name, describe), of in tables}, notes


def describe_sentences(read: Sentences) -> dict[str, Any]:
    """Return a description of the sentences, which the record stores as its `data`."""
    source = {"path": read.source, "sha256": read.sha256, "rows": read.rows}
    return {"name": read.source, "sentences": len(read.texts), "given": read.total, "sources": [source]}


def _tables(results: Results, models: list[dict[str, Any]]) -> dict[str, Table]:
    named = [{"measure": name, "meaning": a, "null": b} for name, (a, b) in layer_measures.MEASURES.items()]
    return {
        "models": Table.of(models, _MODELS),
        "layers": Table.of(
            [row for layer_data, curves in results for row in layer_measures.rows(layer_data.name, curves)],
            layer_measures.DESCRIBE,
        ),
        "measures": Table.of(named, {"measure": "name", "meaning": "what it measures", "null": "its null"}),
        "stop_words": Table.of(
            [row for layer_data, _ in results for row in self_similarity_tables.stop_words(layer_data)],
            self_similarity_tables.STOP_WORDS,
        ),
        "words": Table.of(
            [row for layer_data, _ in results for row in self_similarity_tables.words(layer_data)],
            self_similarity_tables.WORDS,
        ),
        "published": Table.of(_published(), _PUBLISHED),
    }


def _published() -> list[dict[str, Any]]:
    """Return the rows of the table `published`: the paper's curves of measures that this study has too."""
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
