"""Zero-shot transfer of tags, from tagged sentences in several languages to a `Record`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.records import Finding, Record
from wordworth.reports.languages_wording import Wording
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, MODEL, RANDOM
from wordworth.studies.languages.encoder_and_random_twin import encoder_of, twin_of
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.studies.languages.tagging.tag_scores import best_layer, tag_scores
from wordworth.studies.languages.tagging.tagged_sentences_by_language import TaggedLanguages, tagged_languages
from wordworth.studies.languages.tagging.word_features import LayerFeatures, SpellingFeatures, WordFeatures
from wordworth.studies.languages.transfer_record import TransferTask, finished_parts, transfer_record
from wordworth.studies.languages.word_split_warnings import PIECES as WORD_PIECES
from wordworth.studies.languages.word_split_warnings import piece_row
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.text.file_formats.table import TextTable

TASK = "tagging"
PIECES = {**WORD_PIECES, "labels": "number of entities, or of words where tags mark words one by one"}
_TITLES = {"entity_f1": "entity F1", "token_accuracy": "token accuracy"}


def tag_transfer(
    settings: LanguagesSettings, progress: Progress, tables: Mapping[str, Mapping[str, TextTable]], name: str
) -> Record:
    """Measure how well linear heads that learned the tags of one language tag sentences of other languages.

    Args:
        settings: settings of the study.
        progress: receives progress and messages.
        tables: name of each language -> part (`train`, `test`, or "" for both) -> its tagged sentences.
        name: name of the data, for the record.

    Raises:
        BadInput: the tags cannot be used, or the model is no encoder.
    """
    seconds: dict[str, float] = {}
    data = tagged_languages(tables, settings)
    encoder = encoder_of(settings.model)
    twin = twin_of(encoder, settings.seed)
    finished = finished_parts(TASK, encoder, data, settings, progress)
    with finished.timed(seconds, "layers"):
        layers = {
            system: _layer(of, system, data, settings.seed, finished)
            for system, of in ((MODEL, encoder), (RANDOM, twin))
        }
    with finished.timed(seconds, "heads"):
        systems: dict[str, WordFeatures] = {
            MODEL: LayerFeatures(encoder, data, layers[MODEL]),
            RANDOM: LayerFeatures(twin, data, layers[RANDOM]),
            CHARACTERS: SpellingFeatures(data),
        }
        scores = tag_scores(systems, data, settings.draws, settings.seed, finished)
    metric = _TITLES[data.metric]
    task = TransferTask(
        task=TASK,
        name=name,
        wording=Wording.of_tags(metric),
        facts={"depth": encoder.depth, "layer": layers[MODEL], "metric": metric, "labels": list(data.classes)},
        pieces=PIECES,
        findings=[_method(layers[MODEL], data.languages[0])],
    )
    return transfer_record(settings, task, scores, list(_piece_rows(encoder, data)), seconds)


def _layer(encoder: TextEncoder, system: str, data: TaggedLanguages, seed: int, finished: FinishedParts) -> int:
    part = finished.arrays(("layer", system), lambda: {"layer": best_layer(encoder, data, seed)})
    return int(part["layer"])


def _piece_rows(encoder: TextEncoder, data: TaggedLanguages) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of pieces: how the tokenizer cuts each language's test sentences."""
    inside = [name == "O" or name.startswith("I-") for name in data.classes]
    for language, sentences in zip(data.languages, data.test, strict=True):
        labels = sum(not inside[tag] for tags in sentences.tags for tag in tags.tolist())
        yield {**piece_row(encoder.tokenizer, language, sentences.words), "labels": labels}


def _method(layer: int, source: str) -> Finding:
    return Finding(
        "method.heads",
        f"A linear head reads layer {layer} of the frozen model at each word's first piece. The layer is "
        f"chosen on a held-out fifth of the training sentences of {source}, for random weights alike, and "
        "the regularisation on a fifth of those of the language that is learned from. Spellings are the words, affixes "
        "and shapes of a word and its neighbours, under the same head. Intervals are 95 % over sentences, over "
        "documents where the files mark them.",
    )
