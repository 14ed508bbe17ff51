"""The study `languages`: how well a model serves each language, from labelled texts to a `Record`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.geometry.cosine import unit_or_zero
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.load import load
from wordworth.models.random_twin import random_twin
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import SILENT, Progress, Step
from wordworth.records import Record, Table
from wordworth.sources import short_name
from wordworth.studies.finished_parts import FinishedParts
from wordworth.studies.languages.answers import CHARACTERS, MODEL, RANDOM, Answers, answers_of
from wordworth.studies.languages.features import CharacterFeatures, EncoderFeatures, TextFeatures
from wordworth.studies.languages.language_probe import ProbeTexts, languages_named
from wordworth.studies.languages.language_texts import LanguageTexts, read_texts
from wordworth.studies.languages.pieces import PIECES, pieces_rows
from wordworth.studies.languages.retrieval import Retrieval, retrieve
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.studies.languages.tables import (
    LANGUAGES,
    LAYERS,
    RETRIEVAL,
    TRANSFER,
    language_rows,
    layer_rows,
    retrieval_rows,
    transfer_rows,
)
from wordworth.studies.languages.verdict import method, verdict, warnings
from wordworth.studies.study import Study, make_record, source_facts
from wordworth.text.piece_counts import piece_counts

_DECISIVE = ("text", "label", "language", "item", "languages", "source", "test", "limit", "seed")


def study(settings: LanguagesSettings, progress: Progress, *, data: Path | str) -> Record:
    """Measure how well a model serves each language of a file of labelled texts.

    Args:
        settings: settings of the study.
        progress: receives progress and messages.
        data: labelled texts with their languages.

    Raises:
        BadInput: the file cannot be used, or the model is no encoder.
    """
    seconds: dict[str, float] = {}
    with progress.step("reading texts"):
        texts = read_texts(str(data), settings)
    encoder = _encoder(settings.model)
    decisive = [getattr(settings, name) for name in _DECISIVE]
    finished = FinishedParts.of(STUDY.kind, progress, vectors_key(encoder), texts.origin.sha256, decisive)
    twin = encoder.with_model(random_twin(encoder.model, seeds.child_seed(settings.seed, "languages", "random")))
    with finished.timed(seconds, "vectors"):
        features: dict[str, TextFeatures] = {
            **_encoded({MODEL: encoder, RANDOM: twin}, texts, finished),
            CHARACTERS: CharacterFeatures(texts.texts),
        }
    with finished.timed(seconds, "heads"):
        answers = answers_of(features, texts, settings.draws, settings.seed, finished)
    with finished.timed(seconds, "translations"):
        retrieved = _translations(features, texts, progress)
    with finished.timed(seconds, "language probes"):
        layers = _layers({MODEL: encoder, RANDOM: twin}, answers, settings.seed, finished)
    pieces = list(pieces_rows(piece_counts(encoder.tokenizer, texts.texts), texts, settings.draws, settings.seed))
    tables = {
        "languages": Table.of(list(language_rows(answers)), LANGUAGES),
        "pieces": Table.of(pieces, PIECES),
        "transfer": Table.of(list(transfer_rows(answers)), TRANSFER),
        "retrieval": Table.of(list(retrieval_rows(retrieved, answers)), RETRIEVAL),
        "layers": layers,
    }
    model = short_name(settings.model)
    return make_record(
        STUDY.kind,
        asdict(settings) | {"model": model},
        _facts(model, texts, encoder.depth),
        tables=tables,
        findings=[verdict(model, tables, answers), *warnings(tables, texts), *method(texts)],
        seconds=seconds,
    )


def _facts(model: str, texts: LanguageTexts, depth: int) -> dict[str, object]:
    return {
        "name": Path(texts.origin.path).name,
        "model": model,
        "depth": depth,
        "languages": list(texts.languages),
        "source": texts.languages[0],
        "labels": list(texts.classes),
        "texts": len(texts.texts),
        "items": texts.num_items,
        "translations": texts.columns.item is not None,
        "sources": source_facts([texts.origin]),
    }


def _encoder(name: str) -> TextEncoder:
    encoder = load(name, hash_whole=True)
    if not isinstance(encoder, TextEncoder):
        what = "a static table has no layers, and its words are those of its own languages"
        raise BadInput(what, where=name, mend="name an encoder, such as minilm")
    return encoder


def _encoded(encoders: dict[str, TextEncoder], data: LanguageTexts, finished: FinishedParts) -> dict[str, TextFeatures]:
    """Return the sentence vectors of all texts by each encoder; the vectors of each language are cached apart."""
    encoded: dict[str, TextFeatures] = {}
    with finished.progress.step("vectors", len(encoders) * len(data.texts)) as step:
        for name, encoder in encoders.items():
            vectors = np.zeros((len(data.texts), encoder.width), dtype=np.float32)
            for number, language in enumerate(data.languages):
                rows = data.rows(number)
                vectors[rows] = finished.arrays(
                    ("vectors", name, language), partial(_vectors, encoder, data.of(rows), step), step, len(rows)
                )["vectors"]
            encoded[name] = EncoderFeatures(unit_or_zero(vectors))
    return encoded


def _vectors(encoder: TextEncoder, texts: Sequence[str], step: Step) -> dict[str, ArrayLike]:
    vectors = encoder.encode(texts, long_texts="window", progress=SILENT)
    step.advance(len(texts))
    return {"vectors": vectors}


def _translations(
    features: dict[str, TextFeatures], data: LanguageTexts, progress: Progress
) -> dict[tuple[str, int], Retrieval]:
    """Retrieve the translations between the source and every other language, by every system."""
    pairs = [(number, system) for number in range(1, len(data.languages)) for system in features]
    retrieved: dict[tuple[str, int], Retrieval] = {}
    with progress.step("finding translations", len(pairs)) as step:
        for number, system in pairs:
            each = retrieve(features[system], data, number)
            if each is not None:
                retrieved[system, number] = each
            step.advance()
    return retrieved


def _layers(encoders: dict[str, TextEncoder], answers: Answers, seed: int, finished: FinishedParts) -> Table:
    """Probe every layer of the model, and of its twin with random weights, for the language of the texts."""
    probed = ProbeTexts.of(answers.data)
    named = [
        finished.arrays(
            ("probes", name),
            partial(_named, encoder, answers.data, probed, seed, finished.progress),
        )["named"]
        for name, encoder in encoders.items()
    ]
    return Table.of(list(layer_rows(named[0], named[1], probed.test, answers)), LAYERS)


def _named(
    encoder: TextEncoder, data: LanguageTexts, probed: ProbeTexts, seed: int, progress: Progress
) -> dict[str, ArrayLike]:
    return {"named": languages_named(encoder, data, probed, seed, progress)}


STUDY = Study(
    "languages",
    "Measure how well a model serves each language of a file of labelled texts.",
    LanguagesSettings,
    study,
    inputs={"data": "a file of labelled texts with their languages"},
)
