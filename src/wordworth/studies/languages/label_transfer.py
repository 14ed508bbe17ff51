"""Zero-shot transfer of labels, from labelled texts in several languages to a `Record`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import SILENT, Progress, Step
from wordworth.records import Record, Table
from wordworth.sources import short_name
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, MODEL, RANDOM, Answers, answers_of
from wordworth.studies.languages.encoder_and_random_twin import encoder_of, twin_of
from wordworth.studies.languages.findings import method, verdict, warnings
from wordworth.studies.languages.frozen_layers import (
    FROZEN,
    RESTARTS,
    fine_tuned_answers,
    frozen_finding,
    frozen_rows,
    require_trainable,
)
from wordworth.studies.languages.language_probe import ProbeTexts, language_probe_hits
from wordworth.studies.languages.language_texts import LanguageTexts, read_texts
from wordworth.studies.languages.nearest_translations import Retrieval, retrieve
from wordworth.studies.languages.pieces_per_word import PIECES, pieces_rows, shared_pieces
from wordworth.studies.languages.related_languages import RELATED, related_languages
from wordworth.studies.languages.settings import KIND, LanguagesSettings
from wordworth.studies.languages.shared_subwords_and_transfer import relatedness
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
from wordworth.studies.languages.text_features import CharacterFeatures, EncoderFeatures, TextFeatures
from wordworth.studies.study import make_record, source_facts
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.text.file_formats.table import TextTable
from wordworth.text.tokenizer_statistics import piece_counts

_DECISIVE = ("text", "label", "language", "item", "languages", "source", "test", "limit", "seed")


def label_transfer(settings: LanguagesSettings, progress: Progress, table: TextTable) -> Record:
    """Measure how well linear heads on a model label texts of each language, after training on each of the languages.

    The subwords per word, the retrieval of translations and probes that predict the language are measured too.

    Args:
        settings: settings of the study.
        progress: receives progress and messages.
        table: labelled texts with their languages.

    Raises:
        BadInput: the texts cannot be used, or the model is no encoder.
    """
    seconds: dict[str, float] = {}
    texts = read_texts(table, settings)
    encoder = encoder_of(settings.model)
    if settings.freeze:
        require_trainable(encoder)
    decisive = [getattr(settings, name) for name in _DECISIVE]
    finished = FinishedParts.of(KIND, progress, vectors_key(encoder), texts.origin.sha256, decisive)
    twin = twin_of(encoder, settings.seed)
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
    frozen = []
    if settings.freeze:
        with finished.timed(seconds, "fine-tuning"):
            systems = {MODEL: encoder, RANDOM: twin}
            tuned = fine_tuned_answers(systems, answers, settings.restarts or RESTARTS, settings.seed, finished)
        frozen = list(frozen_rows(tuned, settings.seed))
    counts, shared = piece_counts(encoder.tokenizer, texts.texts), shared_pieces(encoder.tokenizer, texts)
    pieces = list(pieces_rows(counts, shared, texts, settings.draws, settings.seed))
    tables = {
        "languages": Table.of(list(language_rows(answers)), LANGUAGES),
        "pieces": Table.of(pieces, PIECES),
        "transfer": Table.of(list(transfer_rows(answers)), TRANSFER),
        "retrieval": Table.of(list(retrieval_rows(retrieved, answers)), RETRIEVAL),
        "layers": layers,
    }
    related, on_related = related_languages(answers, settings.seed)
    tables |= {"related": Table.of(related, RELATED)} if related else {}
    tables |= {"frozen": Table.of(frozen, FROZEN)} if frozen else {}
    further = [
        *relatedness(tables["languages"].rows(), pieces, settings.seed),
        *on_related,
        *([frozen_finding(frozen, texts.languages[0])] if frozen else []),
    ]
    model = short_name(settings.model)
    return make_record(
        KIND,
        asdict(settings) | {"model": model},
        _facts(model, texts, encoder.depth),
        tables=tables,
        findings=[
            verdict(model, tables, answers, [each.text for each in further]),
            *further,
            *warnings(tables, texts),
            *method(texts),
        ],
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


def _encoded(encoders: dict[str, TextEncoder], data: LanguageTexts, finished: FinishedParts) -> dict[str, TextFeatures]:
    """Return name of each encoder -> the sentence vectors of all texts; the vectors are cached by language."""
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
    """Return (system, index of a language) -> the translations retrieved between the source and this language.

    Pairs of languages with too few translations are left out.
    """
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
    """Return the table of layers: how well probes on the model, and on its random twin, predict a text's language."""
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
    return {"named": language_probe_hits(encoder, data, probed, seed, progress)}
