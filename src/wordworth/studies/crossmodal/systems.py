"""Run the systems that the study `crossmodal` compares: training on pairs, training on shuffled pairs, a baseline."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.measures.weighted_sums import Floats
from wordworth.progress import STILL, Progress, Step
from wordworth.studies.crossmodal.evaluation import COMPLETION, MEASURES, complete, evaluate
from wordworth.studies.crossmodal.folds import Fold
from wordworth.studies.crossmodal.frequency_baseline import prior
from wordworth.studies.crossmodal.retrieval_examples import nearest_sequences
from wordworth.studies.crossmodal.settings import CrossmodalSettings
from wordworth.studies.study_result_cache import Arrays, FinishedParts
from wordworth.text.captioned_sequences import CaptionedSequences
from wordworth.text.words_and_codes_vocabulary import WordsAndCodesVocabulary
from wordworth.training.codebook.feature_rows import FeatureRows
from wordworth.training.codebook.hierarchical_kmeans import learn
from wordworth.training.codebook.settings import CodebookSettings
from wordworth.training.crossmodal.sequences import Numbers, Pairs
from wordworth.training.crossmodal.train import train

PAIRED, SHUFFLED, PRIOR = "trained on pairs", "trained on shuffled pairs", "without the other side"
TRAINED = (PAIRED, SHUFFLED)
SYSTEMS = (*TRAINED, PRIOR)


@dataclass(frozen=True, slots=True)
class Subject:
    """The data and settings that all systems of the study `crossmodal` share.

    Attributes:
        settings: the settings of the study.
        features: the rows of features.
        sequences: the sequences of rows with their captions.
        folds: the splits into training, validation and test sequences.
    """

    settings: CrossmodalSettings
    features: FeatureRows
    sequences: CaptionedSequences
    folds: Sequence[Fold]


@dataclass(frozen=True, slots=True)
class FoldSystem:
    """A system of the study `crossmodal` that is trained in one fold.

    Attributes:
        system: name of the system, `PAIRED` or `SHUFFLED`.
        number: index of the fold.
        fold: the training, validation and test sequences.
        pairs: the words and codes of all sequences.
        vocabulary: the joint vocabulary of words and codes, learned from the training sequences.
    """

    system: str
    number: int
    fold: Fold
    pairs: Pairs
    vocabulary: WordsAndCodesVocabulary


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The right answers of all systems to the test sequences of all folds.

    Attributes:
        rows: int64 [n], the indices of the test sequences, fold after fold.
        right: name of a system -> the number of right answers on each test sequence, float64 [runs, n, measures].
        answers: float64 [n, measures], the number of all answers on each test sequence.
        valid: name of a system -> the shares of right answers to the validation sequences of each fold, by the measures
            of `COMPLETION`, mean over runs, float64 [folds, measures].
        steps: name of a trained system -> for each run of each fold, fold after fold, the number of updates after which
            the weights were kept.
        examples: int64 [examples, 1 + nearest], in each row the index of a caption's sequence, then the indices of the
            sequences nearest to the caption by the first run of `PAIRED` in the first fold.
    """

    rows: Numbers
    right: dict[str, Floats]
    answers: Floats
    valid: dict[str, Floats]
    steps: dict[str, list[int]]
    examples: Numbers


def outcomes(subject: Subject, parts: FinishedParts, progress: Progress) -> Outcomes:
    """Train and test every system in every fold.

    Args:
        subject: the data and settings that the systems share.
        parts: the disk cache, from which finished trainings are read and to which new ones are written.
        progress: receives progress, in updates of weights.
    """
    settings, folds = subject.settings, subject.folds
    made: dict[str, list[list[Arrays]]] = {name: [] for name in SYSTEMS}
    with progress.step("training", settings.steps * settings.runs * len(TRAINED) * len(folds)) as step:
        for number, fold in enumerate(folds):
            pairs, vocabulary = _pairs(subject, number, fold, parts)
            for name in TRAINED:
                fold_system = FoldSystem(name, number, fold, pairs, vocabulary)
                runs = [_run(subject, fold_system, run, parts, step) for run in range(settings.runs)]
                made[name].append(runs)
            made[PRIOR].append([_prior(settings, fold, pairs, vocabulary)])
    return _combined(made, folds)


def _combined(made: Mapping[str, Sequence[Sequence[Arrays]]], folds: Sequence[Fold]) -> Outcomes:
    """Return the outcomes of all folds, concatenated fold after fold.

    Args:
        made: name of a system -> for each fold and each run the arrays that `_run` or `_prior` returned.
        folds: the folds, with the indices of the test sequences.
    """
    right = dict[str, Floats]()
    for name, by_fold in made.items():
        by_run = zip(*by_fold, strict=True)
        right[name] = np.stack([np.concatenate([arrays["right"] for arrays in run]) for run in by_run])
    answers = np.concatenate([own[0]["answers"] for own in made[PAIRED]])
    valid = {name: np.stack([np.mean([run["valid"] for run in own], axis=0) for own in made[name]]) for name in SYSTEMS}
    steps = {name: [int(arrays["step"]) for own in made[name] for arrays in own] for name in TRAINED}
    rows = np.concatenate([fold.test for fold in folds])
    return Outcomes(rows, right, answers, valid, steps, made[PAIRED][0][0]["examples"])


def _prior(settings: CrossmodalSettings, fold: Fold, pairs: Pairs, vocabulary: WordsAndCodesVocabulary) -> Arrays:
    """Return the results of the baseline `PRIOR` in one fold.

    The arrays are `right` and `answers` on the test sequences, [tests, measures], and `valid`, the shares of right
    answers on the validation sequences by the measures of `COMPLETION`.
    """
    learned, *held_out = (pairs.take(rows).cut(settings.max_length) for rows in (fold.train, fold.test, fold.valid))
    test, valid = (prior(vocabulary, learned, own, settings.candidates, settings.seed) for own in held_out)
    completion = [MEASURES.index(measure) for measure in COMPLETION]
    return {"right": test.right, "answers": test.answers, "valid": valid.shares()[completion]}


def _pairs(subject: Subject, number: int, fold: Fold, parts: FinishedParts) -> tuple[Pairs, WordsAndCodesVocabulary]:
    """Return all sequences as ids of words and codes, and their vocabulary.

    The codebook and the words of the vocabulary are learned from the training sequences of the fold.

    Args:
        subject: the data and settings that the systems share.
        number: index of the fold.
        fold: the fold.
        parts: the disk cache, which stores the codes.
    """
    settings, sequences = subject.settings, subject.sequences
    codes = parts.arrays(("codes", number), lambda: {"codes": _codes(subject, fold)})["codes"]
    texts = [sequences.texts[row] for row in fold.train.tolist()]
    vocabulary = WordsAndCodesVocabulary.of(texts, settings.k**settings.depth, settings.max_words)
    ids = [vocabulary.code_ids(codes[start:end]) for start, end in sequences.bounds.tolist()]
    return Pairs(vocabulary.word_ids(sequences.texts), ids), vocabulary


def _codes(subject: Subject, fold: Fold) -> Numbers:
    """Return the code of every row of features, by a codebook that is learned from rows of the training sequences."""
    settings, features = subject.settings, subject.features
    learned = np.unique(
        np.concatenate([np.arange(*bounds) for bounds in subject.sequences.bounds[fold.train].tolist()])
    )
    chosen = CodebookSettings(k=settings.k, depth=settings.depth, seed=settings.seed)
    with tempfile.TemporaryDirectory() as folder:
        codebook = learn(features.only(learned), chosen, Path(folder), STILL).codebook
    return np.concatenate([codebook.encode(block) for _, block in features.blocks()])


def _run(subject: Subject, fold_system: FoldSystem, run: int, parts: FinishedParts, step: Step) -> Arrays:
    """Train and test a system once in a fold, or load the results from the cache.

    The arrays are `right`, `answers` and `valid`, as `_prior` returns them, `step`, the number of updates after which
    the weights were kept, and for the first run of `PAIRED` in the first fold `examples`.

    Args:
        subject: the data and settings that the systems share.
        fold_system: the system in its fold.
        run: index of the run; runs of the two systems with the same index and fold have the same seed.
        parts: the disk cache of finished runs.
        step: advances by 1 with each update.
    """
    settings, fold, name = subject.settings, fold_system.fold, (fold_system.system, fold_system.number, run)

    def compute() -> Arrays:
        seed = seeds.child_seed(settings.seed, "crossmodal", "fold", fold_system.number, "run", run)
        pairs, valid = (
            _trained(fold_system.pairs.take(rows), fold_system.system, seed) for rows in (fold.train, fold.valid)
        )
        done = train(settings, fold_system.vocabulary, pairs, valid, step, seed)
        test, valid_pairs = (fold_system.pairs.take(rows).cut(settings.max_length) for rows in (fold.test, fold.valid))
        hits = evaluate(
            done.model, fold_system.vocabulary, test, settings.max_length, settings.candidates, settings.seed
        )
        completed = complete(done.model, fold_system.vocabulary, valid_pairs, settings.max_length).shares()
        arrays = {"right": hits.right, "answers": hits.answers, "valid": completed, "step": np.array(done.best_step)}
        if name == (PAIRED, 0, 0):
            arrays["examples"] = fold.test[nearest_sequences(done.model, test, settings)]
        return arrays

    return parts.arrays(name, compute, step, settings.steps)


def _trained(pairs: Pairs, name: str, seed: int) -> Pairs:
    """Return the pairs that a system is trained on: for the control, the words are permuted over all pairs.

    Sequences with only words or only codes are not changed.

    Args:
        pairs: the words and codes of the training or the validation sequences.
        name: name of the system, `PAIRED` or `SHUFFLED`.
        seed: seed of the permutation.
    """
    if name == PAIRED:
        return pairs
    whole, dealt = pairs.whole, np.arange(len(pairs))
    dealt[whole] = whole[seeds.child(seed, "crossmodal", "shuffled").permutation(len(whole))]
    return pairs.with_words_of(dealt)
