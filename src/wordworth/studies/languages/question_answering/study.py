"""Zero-shot transfer of answers, from the same questions in several languages to a `Record`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.records import Finding, Record
from wordworth.reports.languages_wording import Wording
from wordworth.studies.languages.bootstrap_interval_columns import described
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, MODEL, RANDOM
from wordworth.studies.languages.encoder_and_random_twin import encoder_of, twin_of
from wordworth.studies.languages.question_answering.answer_features import AnswerFeatures, unique_contexts
from wordworth.studies.languages.question_answering.answer_scores import HELD_OUT, SpanLearner, answer_scores
from wordworth.studies.languages.question_answering.encoder_features import EncoderFeatures, QuestionStates, joined
from wordworth.studies.languages.question_answering.questions_by_language import AskedLanguages, asked_languages
from wordworth.studies.languages.question_answering.spelling_features import SpellingFeatures
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.studies.languages.transfer_record import TransferTask, finished_parts, transfer_record
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.text.tokenizer_statistics import piece_counts

TASK = "question_answering"
PIECES = {
    "language": "name of the language",
    "contexts": "number of contexts that test",
    "questions": "number of questions on them",
    "words": "number of words of the contexts",
    "per_word": "pieces a word (fertility)",
    "unknown": "share of the words that have a piece that the vocabulary lacks",
}
EXACT_MATCH = described("exact_match", "share of the questions whose answer is a gold answer, by SQuAD's rules")


def answer_transfer(settings: LanguagesSettings, progress: Progress, folder: Path) -> Record:
    """Measure how well span heads that learned the answers of one language answer questions in the others.

    Args:
        settings: settings of the study.
        progress: receives progress and messages.
        folder: a folder with a SQuAD file for each language.

    Raises:
        BadInput: the questions cannot be used, or the model is no encoder.
    """
    seconds: dict[str, float] = {}
    with progress.step("reading questions"):
        data = asked_languages(folder, settings)
    encoder = encoder_of(settings.model)
    encoders = {MODEL: encoder, RANDOM: twin_of(encoder, settings.seed)}
    finished = finished_parts(TASK, encoder, data, settings, progress)
    learner = SpanLearner(data, encoder.tokenizer, settings.draws, settings.seed)
    with finished.timed(seconds, "layers"):
        layers = {system: _layer(of, system, learner, finished) for system, of in encoders.items()}
    with finished.timed(seconds, "heads"):
        systems: dict[str, AnswerFeatures] = {
            system: EncoderFeatures(of, data, layers[system], finished, system) for system, of in encoders.items()
        }
        scores = answer_scores(systems | {CHARACTERS: SpellingFeatures(data)}, learner, finished)
    task = TransferTask(
        task=TASK,
        name=folder.name,
        wording=Wording.of_answers(),
        facts={"depth": encoder.depth, "layer": layers[MODEL], "metric": "answer F1"},
        pieces=PIECES,
        measures={"exact_match": EXACT_MATCH},
        findings=[*data.notes, _method(layers[MODEL], data)],
    )
    return transfer_record(settings, task, scores, list(_piece_rows(encoder, data)), seconds)


def _layer(encoder: TextEncoder, system: str, learner: SpanLearner, finished: FinishedParts) -> int:
    part = finished.arrays(("layer", system), lambda: {"layer": best_layer(encoder, learner)})
    return int(part["layer"])


def best_layer(encoder: TextEncoder, learner: SpanLearner) -> int:
    """Choose the layer on whose states a span head has the lowest loss on held-out questions of the source language.

    The questions that are held out are training questions.

    Args:
        encoder: the frozen encoder.
        learner: trains the span heads.
    """
    questions = learner.data.train[0]
    states = QuestionStates.of(encoder, questions)
    losses = [
        min(learner.trained(joined(questions, states.arrays(layer)), 0)[1].losses) for layer in range(encoder.depth + 1)
    ]
    return int(np.argmin(losses))


def _piece_rows(encoder: TextEncoder, data: AskedLanguages) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of the table of pieces: how the tokenizer cuts each language's test contexts."""
    for language, questions in zip(data.languages, data.test, strict=True):
        texts, _ = unique_contexts(questions)
        counts = piece_counts(encoder.tokenizer, texts)
        yield {
            "language": language,
            "contexts": len(texts),
            "questions": len(questions),
            "words": int(counts.words.sum()),
            "per_word": counts.per_word,
            "unknown": float(counts.unknown.sum() / counts.words.sum()),
        }


def _method(layer: int, data: AskedLanguages) -> Finding:
    return Finding(
        "method.answers",
        "A linear head scores every word of a context as the start and as the end of the answer, from frozen states "
        f"of contexts and questions that are read apart: the word in layer {layer}, its product with the question's "
        "mean, and its cosines with the question's words in every layer. The layer is chosen on held-out questions of "
        f"{data.languages[0]}, for random weights alike; one context in {HELD_OUT} of those that are learned from is "
        "held out and stops the training. F1 and exact match are SQuAD's, whose words end at white space: where a "
        "language writes none, F1 is hardly more than exact match. Spellings with word matches, under the same head, "
        "are the spelling of a word, its shape beside the question's words, and whether it and its neighbours are in "
        "the question. Shuffled answers are moved to random places of their contexts. All languages have the same "
        "questions on the same side, and no context is on both sides; intervals are 95 % over contexts.",
    )
