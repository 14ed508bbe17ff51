"""Zero-shot transfer of dependency parsers, from treebanks in several languages to a `Record`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.progress import Progress
from wordworth.records import Finding, Record, Table
from wordworth.reports.languages_wording import Wording
from wordworth.sources import short_name
from wordworth.studies.finished_parts import FinishedParts
from wordworth.studies.languages.encoders import encoder_of, twin_of
from wordworth.studies.languages.findings import transfer_verdict
from wordworth.studies.languages.interval_columns import described, value_columns
from wordworth.studies.languages.parsing.parsed_languages import parsed_languages, treebanks_in
from wordworth.studies.languages.parsing.tree_scores import HELD_OUT, TreeScores, tree_scores
from wordworth.studies.languages.parsing.word_vectors import EncoderVectors, ParserInput, SpellingVectors
from wordworth.studies.languages.settings import KIND, LanguagesSettings
from wordworth.studies.languages.tables import LANGUAGES, TRANSFER, language_rows, transfer_rows
from wordworth.studies.languages.transfer_scores import CHARACTERS, MODEL, RANDOM
from wordworth.studies.languages.word_pieces import PIECES, piece_row, word_warnings
from wordworth.studies.study import make_record, source_facts

TASK = "parsing"
TREES = {**TRANSFER, **described("uas", "share of the words whose head is right, whatever the relation")}
_DECISIVE = ("languages", "source", "test", "limit", "seed")


def parser_transfer(settings: LanguagesSettings, progress: Progress, folder: Path) -> Record:
    """Measure how well parsers that learned the trees of one language parse sentences of the other languages.

    Args:
        settings: settings of the study.
        progress: receives progress and messages.
        folder: a folder with a treebank, or a training and a test part, for each language.

    Raises:
        BadInput: the treebanks cannot be used, or the model is no encoder.
    """
    seconds: dict[str, float] = {}
    with progress.step("reading treebanks"):
        data = parsed_languages(treebanks_in(folder, settings.languages), settings, folder)
    encoder = encoder_of(settings.model)
    decisive = [getattr(settings, each) for each in _DECISIVE]
    files = [origin.sha256 for origin in data.origins]
    finished = FinishedParts.of(KIND, progress, TASK, vectors_key(encoder), files, data.languages, decisive)
    systems: dict[str, ParserInput] = {
        MODEL: EncoderVectors(encoder, data),
        RANDOM: EncoderVectors(twin_of(encoder, settings.seed), data),
        CHARACTERS: SpellingVectors(data),
    }
    with finished.timed(seconds, "parsers"):
        scores = tree_scores(systems, data, settings.draws, settings.seed, finished)
    rows, model = list(language_rows(scores)), short_name(settings.model)
    tests = zip(data.languages, data.test, strict=True)
    pieces = [piece_row(encoder.tokenizer, name, [each.words for each in of_test]) for name, of_test in tests]
    return make_record(
        KIND,
        asdict(settings) | {"model": model},
        {
            "task": TASK,
            "name": folder.name,
            "model": model,
            "depth": encoder.depth,
            "metric": "labelled attachment score",
            "languages": list(data.languages),
            "source": data.languages[0],
            "labels": list(data.relations),
            "sources": source_facts(data.origins),
        },
        tables={
            "languages": Table.of(rows, LANGUAGES),
            "pieces": Table.of(pieces, PIECES),
            "transfer": Table.of(list(_tree_rows(scores)), TREES),
        },
        findings=[
            transfer_verdict(model, rows, scores, Wording.of_trees()),
            *word_warnings(pieces, rows),
            _method(data.languages[0]),
        ],
        seconds=seconds,
    )


def _tree_rows(scores: TreeScores) -> Iterator[dict[str, Any]]:
    """Yield a row for each pair of a training language and a test language, with both attachment scores."""
    index = {name: number for number, name in enumerate(scores.languages)}
    for row in transfer_rows(scores):
        uas = scores.values[MODEL, index[row["train"]], index[row["test"]]].uas
        yield {**row, **value_columns(uas, "uas")}


def _method(source: str) -> Finding:
    return Finding(
        "method.parsers",
        "A biaffine parser (Dozat and Manning 2017, without their BiLSTM) reads a mix of all layers of the frozen "
        "model; a word is the mean of its pieces, heads are those of the best tree with one root. One in "
        f"{HELD_OUT} training sentences stops the training; of a parser that learns {source}, nothing is chosen on "
        "other languages. Labelled attachment counts every word, punctuation too, and relations without subtypes. "
        "Spellings are the words, affixes and shapes of a word and its neighbours and its place in the sentence, under "
        "the same parser; in right-branching trees every word hangs on the next. Shuffled trees are dealt out anew "
        "among the words of their sentences. Intervals are 95 % over sentences, over documents where the treebanks "
        "mark them.",
    )
