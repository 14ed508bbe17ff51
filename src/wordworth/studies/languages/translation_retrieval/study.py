"""Retrieval of translations by layer, from a table of pairs to a `Record`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from itertools import product
from pathlib import Path

from wordworth import seeds
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.weighted_sums import Flags
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.records import Record, Table
from wordworth.sources import short_name
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, RANDOM
from wordworth.studies.languages.encoder_and_random_twin import encoder_of, twin_of
from wordworth.studies.languages.settings import KIND, LanguagesSettings
from wordworth.studies.languages.translation_retrieval.findings import method, verdict, warnings
from wordworth.studies.languages.translation_retrieval.layers import (
    chosen_layer,
    retrieved_by_characters,
    retrieved_by_layer,
    retrieved_by_vectors,
)
from wordworth.studies.languages.translation_retrieval.pairs import TranslationPairs, read_pairs
from wordworth.studies.languages.translation_retrieval.tables import (
    CHOSEN,
    INPUT,
    LANGUAGES,
    LAYERS,
    RETRIEVAL,
    VECTORS,
    RetrievedPairs,
    language_rows,
    layer_rows,
    retrieval_rows,
)
from wordworth.studies.study import make_record, source_facts
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.text.file_formats.table import TextTable

TASK = "translations"
_DECISIVE = ("text", "language", "item", "translation", "languages", "source", "test", "limit", "seed")


def translation_retrieval(settings: LanguagesSettings, progress: Progress, table: TextTable) -> Record:
    """Measure how many translations a model retrieves in each language, by layer.

    Args:
        settings: settings of the study.
        progress: receives progress and messages.
        table: a row for each text, with its language; and either its translation into the source language, or an item:
            a value that is the same for texts that are translations of each other.

    Raises:
        BadInput: the texts cannot be used, or the model is no encoder.
    """
    seconds: dict[str, float] = {}
    pairs = read_pairs(table, settings)
    encoder = encoder_of(settings.model)
    decisive = [getattr(settings, name) for name in _DECISIVE]
    finished = FinishedParts.of(KIND, progress, TASK, vectors_key(encoder), pairs.origin.sha256, decisive)
    with finished.timed(seconds, "retrieval"):
        retrieved = _retrieved(encoder, pairs, settings, finished)
    unknown = (encoder.unknown_rate(pairs.both_sides(number)[1]) for number in range(len(pairs.languages)))
    languages = [{**row, "unknown": share} for row, share in zip(language_rows(retrieved), unknown, strict=True)]
    tables = {
        "languages": Table.of(languages, LANGUAGES),
        "retrieval": Table.of(list(retrieval_rows(retrieved)), RETRIEVAL),
        "layers": Table.of(list(layer_rows(retrieved)), LAYERS),
    }
    model = short_name(settings.model)
    return make_record(
        KIND,
        asdict(settings) | {"model": model},
        _facts(model, pairs, encoder.depth, retrieved),
        tables=tables,
        findings=[verdict(model, tables, retrieved), *warnings(tables), *method(retrieved)],
        seconds=seconds,
    )


def _facts(model: str, pairs: TranslationPairs, depth: int, retrieved: RetrievedPairs) -> dict[str, object]:
    choice = retrieved.choices[CHOSEN]
    return {
        "task": TASK,
        "name": Path(pairs.origin.path).name,
        "model": model,
        "depth": depth,
        "languages": list(pairs.languages),
        "source": pairs.source,
        "pairs": len(pairs.texts),
        "layer": choice.layer,
        "centred": choice.centred,
        "sources": source_facts([pairs.origin]),
    }


def _retrieved(
    encoder: TextEncoder, pairs: TranslationPairs, settings: LanguagesSettings, finished: FinishedParts
) -> RetrievedPairs:
    """Retrieve the translations of every language by every system; results are cached by language and system."""
    systems, languages = _systems(encoder, pairs, settings.seed), range(len(pairs.languages))
    right: dict[tuple[str, int], Flags] = {}
    with finished.progress.step("finding translations", len(systems) * len(languages)) as step:
        for number, system in product(languages, systems):
            name = (system, pairs.languages[number])
            right[system, number] = finished.arrays_in_one_step(name, partial(systems[system], number), step)["right"]
    by_layer = {system: {number: right[system, number] for number in languages} for system in (CHOSEN, RANDOM)}
    others = {key: each for key, each in right.items() if key[0] not in by_layer}
    train = {number: pairs.training(number) for number in languages}
    layers = range(encoder.depth + 1)
    choices = {
        CHOSEN: chosen_layer(by_layer[CHOSEN], train, layers),
        INPUT: chosen_layer(by_layer[CHOSEN], train, [0]),
        RANDOM: chosen_layer(by_layer[RANDOM], train, layers),
    }
    rng = seeds.child(settings.seed, "languages", "draws")
    weights = item_weights(int(pairs.item.max()) + 1, settings.draws, rng)
    return RetrievedPairs(pairs, by_layer, others, choices, weights)


def _systems(
    encoder: TextEncoder, pairs: TranslationPairs, seed: int
) -> dict[str, Callable[[int], Mapping[str, Flags]]]:
    """Return name of a system -> function from the index of a language to {"right": which pairs are retrieved}."""
    twin = twin_of(encoder, seed)

    def by_layer(of: TextEncoder, number: int) -> Mapping[str, Flags]:
        return {"right": retrieved_by_layer(of, *pairs.both_sides(number), pairs.training(number))}

    return {
        CHOSEN: partial(by_layer, encoder),
        RANDOM: partial(by_layer, twin),
        VECTORS: lambda number: {"right": retrieved_by_vectors(encoder, *pairs.both_sides(number))},
        CHARACTERS: lambda number: {"right": retrieved_by_characters(*pairs.both_sides(number))},
    }
