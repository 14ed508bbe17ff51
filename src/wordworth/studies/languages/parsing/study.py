"""Zero-shot transfer of dependency parsers, from treebanks in several languages to a `Record`."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import Progress
from wordworth.records import Finding, Record
from wordworth.reports.languages_wording import Wording
from wordworth.studies.languages.bootstrap_interval_columns import described
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, MODEL, RANDOM
from wordworth.studies.languages.encoder_and_random_twin import encoder_of, twin_of
from wordworth.studies.languages.parsing.tree_scores import HELD_OUT, tree_scores
from wordworth.studies.languages.parsing.treebanks_by_language import parsed_languages, treebanks_in
from wordworth.studies.languages.parsing.word_vectors import EncoderVectors, ParserInput, SpellingVectors
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.studies.languages.transfer_record import TransferTask, finished_parts, transfer_record
from wordworth.studies.languages.word_split_warnings import piece_row

TASK = "parsing"
UAS = described("uas", "share of the words whose head is right, whatever the relation")


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
    finished = finished_parts(TASK, encoder, data, settings, progress)
    systems: dict[str, ParserInput] = {
        MODEL: EncoderVectors(encoder, data),
        RANDOM: EncoderVectors(twin_of(encoder, settings.seed), data),
        CHARACTERS: SpellingVectors(data),
    }
    with finished.timed(seconds, "parsers"):
        scores = tree_scores(systems, data, settings.draws, settings.seed, finished)
    tests = zip(data.languages, data.test, strict=True)
    pieces = [piece_row(encoder.tokenizer, name, [each.words for each in of_test]) for name, of_test in tests]
    task = TransferTask(
        task=TASK,
        name=folder.name,
        wording=Wording.of_trees(),
        facts={"depth": encoder.depth, "metric": "labelled attachment score", "labels": list(data.relations)},
        measures={"uas": UAS},
        findings=[_method(data.languages[0])],
    )
    return transfer_record(settings, task, scores, pieces, seconds)


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
