"""The study `attention` from end to end: read the maps of all heads over a text or a pair, and measure each head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from textwrap import shorten
from typing import Any

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import require_writable_file
from wordworth.measures.attention_maps import AttentionMaps
from wordworth.progress import Progress
from wordworth.records import Table
from wordworth.reports.attention.viewer_data import AttentionRecord, pack
from wordworth.sources import short_name
from wordworth.studies.attention.attention_maps_file import read_maps_file, write_maps_file
from wordworth.studies.attention.findings import RANDOM_WEIGHTS, method, verdict, warnings
from wordworth.studies.attention.settings import RANDOM, AttentionSettings
from wordworth.studies.attention.tables import tables_of
from wordworth.studies.study import Study, file_name, make_record, timed
from wordworth.studies.word_vectors_by_layer import Units
from wordworth.text.read_compressed_file import file_sha256

_EXCERPT = 60
"""Most characters of a text in the name of the data."""


def study(texts: Sequence[str], settings: AttentionSettings, progress: Progress) -> AttentionRecord:
    """Compute a model's attention maps over a text, measure every head, and return the record.

    If the settings name a file of arrays, the maps are loaded from it instead.

    Args:
        texts: one text, or two that the model encodes together as a pair; empty if the settings name a file of arrays.
        settings: the settings of the study.
        progress: receives the progress.

    Raises:
        BadInput: the texts, the models or the arrays cannot be used.
    """
    _require_input(texts, settings)
    _require_writable_maps(settings.save_maps)
    seconds: dict[str, float] = {}
    with timed(seconds, "reading attention"), progress.step("reading attention"):
        models, random = ([read_maps_file(settings.arrays)], None) if settings.arrays else _read(texts, settings)
    if settings.save_maps is not None:
        write_maps_file(models[0], settings.save_maps)
    with progress.step("measuring heads"):
        return record_of(models, _facts(texts, settings), _recorded(settings), seconds, random)


def record_of(
    models: Sequence[AttentionMaps],
    facts: dict[str, Any],
    settings: dict[str, Any],
    seconds: dict[str, float],
    random: Mapping[str, Table] | None = None,
) -> AttentionRecord:
    """Return the record of attention maps, which carries the maps for its page.

    Args:
        models: the maps of one model or two.
        facts: the record's description of the data: a name, and the texts or the file of arrays.
        settings: the settings of the study; `units` says whether attention is measured between `words` or `pieces`.
        seconds: name of each part of the work -> the seconds that it took.
        random: the tables of a model with the shape of the first model and random weights, as a control; None to have
            no control.
    """
    units: Units = settings["units"]
    measured = [_in_units(maps, units) for maps in models]
    with timed(seconds, "measuring heads"):
        tables, packed = tables_of(measured, random), pack(models)
    data = {"models": [maps.name for maps in models], "tokens": [len(maps.tokens) for maps in models], **facts}
    findings = [
        verdict(measured, tables),
        *warnings(models, packed),
        *method(models, units, from_arrays="texts" not in facts),
    ]
    record = make_record("attention", settings, data, tables=tables, findings=findings, seconds=seconds)
    return AttentionRecord.of(record, packed)


STUDY = Study(
    "attention",
    "Show what each attention head looks at in a text.",
    AttentionSettings,
    study,
    inputs={"texts": "one text or two"},
)


def _require_input(texts: Sequence[str], settings: AttentionSettings) -> None:
    from wordworth.studies.attention.read_maps import require_one_or_two

    if settings.arrays is None:
        require_one_or_two(texts)
        return
    if texts:
        raise BadInput("both texts and arrays are there", mend="give texts, or arrays with --arrays")


def _require_writable_maps(path: Path | None) -> None:
    """Check before any work that the maps can be written to a file; None writes none."""
    if path is None:
        return
    try:
        require_writable_file(path)
    except BadInput as error:
        raise BadInput(error.what, where=error.where, mend="choose another --save-maps") from error


def _in_units(maps: AttentionMaps, units: Units) -> AttentionMaps:
    return maps.by_words() if units == "words" else maps


def _read(texts: Sequence[str], settings: AttentionSettings) -> tuple[list[AttentionMaps], Mapping[str, Table]]:
    """Return the maps of one model or two, and the tables of a copy of the first model with random weights.

    Maps are large: the maps with random weights are computed first, and dropped unless the page draws them.
    """
    from wordworth.models.pruning import load_with_heads
    from wordworth.models.random_weights_copy import random_twin
    from wordworth.studies.attention.read_maps import read_maps

    encoder = load_with_heads(settings.model)
    twin = encoder.with_model(random_twin(encoder.model, seeds.child_seed(0, "attention", "random")))
    control = read_maps(twin, texts, RANDOM_WEIGHTS)
    random = tables_of([_in_units(control, settings.units)])
    drawn = [control] if settings.beside == RANDOM else []
    del control
    models = [read_maps(encoder, texts, short_name(settings.model)), *drawn]
    if settings.beside not in (None, RANDOM):
        name = short_name(settings.beside)
        title = f"{name} (second)" if name == models[0].name else name
        models.append(read_maps(load_with_heads(settings.beside), texts, title))
    return models, random


def _facts(texts: Sequence[str], settings: AttentionSettings) -> dict[str, Any]:
    if settings.arrays is not None:
        source = {"path": settings.arrays.name, "sha256": file_sha256(settings.arrays), "rows": 1}
        return {"name": settings.arrays.name, "sources": [source]}
    return {"name": " | ".join(shorten(text, _EXCERPT, placeholder="…") or "…" for text in texts), "texts": list(texts)}


def _recorded(settings: AttentionSettings) -> dict[str, Any]:
    """Return the settings for the record, in which files have names without folders."""
    return asdict(settings) | {"arrays": file_name(settings.arrays), "save_maps": file_name(settings.save_maps)}
