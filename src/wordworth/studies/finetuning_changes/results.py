"""The computation of the study `finetuning`, and its results before they become tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike

from wordworth import seeds
from wordworth.inference.labelled_inputs import predict
from wordworth.measures.attention_patterns import PATTERNS, SyntheticMap, mixture, pattern_of, synthetic_map
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.models.random_weights_copy import random_twin
from wordworth.progress import Progress
from wordworth.studies.finetuning_changes import time_forecast
from wordworth.studies.finetuning_changes.attention_pattern_classifier import STEPS, PatternNetwork, train_network
from wordworth.studies.finetuning_changes.compare_representations import (
    MOST_WORDS,
    RANDOM,
    RUN,
    SECOND,
    START,
    Compared,
    compare,
)
from wordworth.studies.finetuning_changes.layer_roll_back import RolledBack, parts, roll_back
from wordworth.studies.finetuning_changes.layer_similarity import Similarity, similarity
from wordworth.studies.finetuning_changes.loss_landscape import Landscape, Request, landscape, losses_needed, rows_of
from wordworth.studies.finetuning_changes.loss_surface import under_head
from wordworth.studies.finetuning_changes.moved_words import MovedWords, moved_words
from wordworth.studies.finetuning_changes.read_models import Models
from wordworth.studies.finetuning_changes.settings import FinetuningChangesSettings
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.text.tokens import Tokens

_SYNTHETIC, _MIXTURES = 500, 200
PURE, MIXED = "synthetic", "mixtures"
Confusion = Mapping[tuple[str, str, str, str], int]
"""(source of the maps, classifier, pattern of the map, pattern that the classifier predicts) -> number of maps."""


@dataclass(frozen=True, slots=True, eq=False)
class ChangeResults:
    """The measurements of what fine-tuning changed in a model.

    Attributes:
        compared: states and attention of all models on the same texts.
        similarity: CKA of each pair of models, by layer.
        words: the words that moved most.
        confusion: (source of the attention maps, classifier, pattern of the map, predicted pattern) -> number of maps.
            The classifiers are fixed rules and the network; the sources are synthetic maps, mixtures of two patterns,
            and the run's maps, whose pattern is taken from the rules.
        landscape: losses along lines and on the plane.
        rolled_back: scores with layers reset.
        score: score of the run on the unseen rows, on the metric's scale.
        second: score of the second run minus the score of the run; None without a second run.
        texts: number of texts on which states and attention were compared.
    """

    compared: Compared
    similarity: Similarity
    words: MovedWords
    confusion: Confusion
    landscape: Landscape
    rolled_back: list[RolledBack]
    score: float
    second: Change | None
    texts: int


def compute(models: Models, settings: FinetuningChangesSettings, finished: FinishedParts) -> ChangeResults:
    """Measure what fine-tuning changed.

    Args:
        models: models of the study.
        settings: settings of the study.
        finished: cache of the results that an earlier call computed. Its attribute `progress` receives the steps of
            this computation.
    """
    seed, base, task, progress = settings.seed, models.base, models.unseen, finished.progress
    examples = rows_of(base.network, task)
    network = _network(seed, progress)
    compared = _compared(models, list(examples.inputs.tokens), network, seed, progress)
    with progress.step(time_forecast.LAYERS, len(compared.pairs)) as step:
        alike = similarity(compared, seeds.child(seed, "finetuning", "groups"), finished, step)
    words = moved_words(compared, settings.draws, seeds.child(seed, "finetuning", "words"))
    request = Request(settings.points, settings.draws, seed)
    with progress.step(time_forecast.LOSSES, losses_needed(models, settings.points)) as step:
        losses = landscape(models, request, finished, step)
    tuned = base.network.tuned.exact
    rng = seeds.child(seed, "finetuning", "draws")
    comparison = PairedChanges.of(metric(task.metric, task.classes), examples.labels, task.classes, settings.draws, rng)
    layers = base.run.encoder.model.depth
    start = under_head(tuned, base.start.model)
    with progress.step(time_forecast.RESETS, len(parts(layers))) as step:
        whole = predict(tuned, examples)
        rolled = list(roll_back(tuned, start, layers, comparison, examples, whole, finished=finished, step=step))
    second = None
    if models.second is not None:
        other = models.second.network
        second = comparison.change(predict(other.tuned, rows_of(other, task)), whole)
    confusion = {**_synthetic(network, seed), **_of_run(compared)}
    score = comparison.score(whole)
    texts = len(compared.cosines[START, RUN])
    return ChangeResults(compared, alike, words, confusion, losses, rolled, score, second, texts)


def _compared(
    models: Models, texts: Sequence[Tokens], network: PatternNetwork, seed: int, progress: Progress
) -> Compared:
    base = models.base
    order = np.sort(seeds.child(seed, "finetuning", "texts").permutation(len(texts))[: 2 * MOST_WORDS])
    chosen = [texts[number] for number in order.tolist()]
    encoders = {START: base.start.model, RUN: base.run.encoder.model}
    encoders |= {} if models.second is None else {SECOND: models.second.encoder.model}
    encoders[RANDOM] = random_twin(base.start.model, seeds.child_seed(seed, "finetuning", "random"))
    each, own = max(1, MOST_WORDS // len(chosen)), seeds.child_seed(seed, "finetuning", "drawn words")
    with progress.step(time_forecast.READING, len(chosen)) as step:
        return compare(encoders, chosen, base.start.tokenizer, network, step, words_a_text=each, seed=own)


def _network(seed: int, progress: Progress) -> PatternNetwork:
    """Return the trained pattern network; as it depends on the seed alone, one cached network serves every study."""
    network, finished = PatternNetwork(), FinishedParts.of("pattern network", progress, seed, STEPS)
    with progress.step(time_forecast.PATTERNS, STEPS) as step:

        def trained() -> dict[str, ArrayLike]:
            weights = train_network(seed, step).state_dict()
            return {name: value.numpy() for name, value in weights.items()}

        part = finished.arrays((), trained, step, STEPS)
    network.load_state_dict({name: torch.from_numpy(value) for name, value in part.items()})
    return network.eval()


def _synthetic(network: PatternNetwork, seed: int) -> dict[tuple[str, str, str, str], int]:
    """Return the part of `ChangeResults.confusion` on new synthetic maps and on mixtures, for rules and network."""
    rng, counts = seeds.child(seed, "finetuning", "synthetic"), Counter[tuple[str, str, str, str]]()
    pure = [synthetic_map(rng, number % len(PATTERNS)) for number in range(_SYNTHETIC)]
    pairs = [(first, second) for first in range(len(PATTERNS)) for second in range(first + 1, len(PATTERNS))]
    mixed = [(pair, mixture(rng, *pair, 0.5)) for number in range(_MIXTURES) for pair in [pairs[number % len(pairs)]]]
    for made in pure:
        for classifier, answer in _both(made, network).items():
            counts[PURE, classifier, PATTERNS[made.pattern], answer] += 1
    for (first, second), made in mixed:
        for classifier, answer in _both(made, network).items():
            counts[MIXED, classifier, f"{PATTERNS[first]} and {PATTERNS[second]}", answer] += 1
    return dict(counts)


def _both(made: SyntheticMap, network: PatternNetwork) -> dict[str, str]:
    by_rules = int(pattern_of(made.weights, made.layout))
    by_network = int(network.patterns(torch.from_numpy(made.weights)[None])[0])
    return {"rules": PATTERNS[by_rules], "network": PATTERNS[by_network]}


def _of_run(compared: Compared) -> dict[tuple[str, str, str, str], int]:
    """Return the part of `ChangeResults.confusion` on the run's maps: patterns by the rules against the network."""
    rules, network = (each[RUN].ravel() for each in (compared.patterns, compared.by_network))
    known = rules >= 0
    pairs = Counter(zip(rules[known].tolist(), network[known].tolist(), strict=True))
    return {(RUN, "network", PATTERNS[rule], PATTERNS[answer]): number for (rule, answer), number in pairs.items()}
