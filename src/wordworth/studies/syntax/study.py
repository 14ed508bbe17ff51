"""The study `syntax`: probes of the dependency trees in a model's vectors and attention, as a `Record`.

Structural probes are those of Hewitt and Manning 2019, the attention probe and the drawings those of Coenen et al.
2019.
"""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import Resamples
from wordworth.models.encoder_base import Encoder
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.pruning import load_with_heads
from wordworth.models.random_weights_copy import random_twin
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.records import Record, Table
from wordworth.studies.study import Study, file_name, make_record
from wordworth.studies.study_progress import WholeProgress
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.studies.syntax.attention_probe import (
    DISTANCE,
    OWN,
    RANDOM,
    TRAINING,
    PairProbes,
    PairScore,
    distance_features,
    pair_tasks,
    read_pairs,
)
from wordworth.studies.syntax.findings import method, verdict, warnings
from wordworth.studies.syntax.parser import PARSERS, ParserTrainer, parsers, scored_parsers
from wordworth.studies.syntax.parser import TRAINING as PARSER_TRAINING
from wordworth.studies.syntax.sampled_trees import SyntaxSample, read_sample
from wordworth.studies.syntax.settings import SyntaxSettings
from wordworth.studies.syntax.structural_probe_scores import gaps, scored
from wordworth.studies.syntax.structural_probes import (
    KINDS,
    MODEL,
    Kind,
    ProbeResult,
    StructuralProbeTrainer,
    TrainedProbe,
    best_probe,
    linear_chain,
    number_of_probes,
)
from wordworth.studies.syntax.structural_probes import RANDOM as RANDOM_WEIGHTS
from wordworth.studies.syntax.structural_probes import TRAINING as PROBE_TRAINING
from wordworth.studies.syntax.tables import difference_table, pair_tables, parser_tables, probe_table
from wordworth.studies.syntax.time_forecast import ATTENTION, PROBES, VECTORS, forecast
from wordworth.studies.syntax.time_forecast import PARSERS as PARSERS_STEP
from wordworth.studies.syntax.tree_drawings import drawn_trees, edge_lengths
from wordworth.studies.syntax.treebank_word_vectors import WordVectors, read_vectors
from wordworth.studies.syntax.word_pairs import joined
from wordworth.studies.word_vectors_by_layer import unknown_pieces

Best = dict[Kind, TrainedProbe]


def study(settings: SyntaxSettings, progress: Progress) -> Record:
    """Measure how much of the trees of a treebank is in a model's vectors and attention.

    Raises:
        BadInput: there is no treebank, it is damaged or too small, or the model has no attention.
    """
    encoder = load_with_heads(settings.model)
    sample = read_sample(encoder, settings)
    twin = random_twin(encoder.model, seeds.child_seed(settings.seed, "relations", "random"))
    with progress.step("measuring this machine"):
        whole = WholeProgress(progress, STUDY.kind, forecast(encoder, sample, settings.rank))
    digests = [str(each["sha256"]) for each in sample.files]
    parts = FinishedParts.of(STUDY.kind, whole, vectors_key(encoder), digests, settings.limit, settings.seed)
    parts.call = (settings.rank,)
    whole.announce(parts.seconds_kept())
    seconds: dict[str, float] = {}
    with parts.timed(seconds, "attention"):
        scores = _pair_scores(sample, (encoder.model, twin), settings, parts)
    own, random = _vectors(sample, (encoder, encoder.with_model(twin)), whole)
    with parts.timed(seconds, "probes"):
        tables = _probe_tables(sample, own, random, settings, parts)
    with parts.timed(seconds, "parser"):
        tables |= _parser_tables(sample, own, random, settings, parts)
    tables |= pair_tables(scores)
    texts = [" ".join(sentence.words) for sentence in sample.sentences]
    findings = [verdict(tables, encoder.depth), *warnings(tables, sample.facts), *unknown_pieces(encoder, texts)]
    return make_record(
        STUDY.kind,
        asdict(settings) | {"treebank": file_name(settings.treebank), "test": file_name(settings.test)},
        {"name": sample.name, "model": encoder.name, "layers": encoder.depth, **sample.facts, "sources": sample.files},
        tables=tables,
        findings=[*findings, *method(sample.facts, settings)],
        seconds=seconds,
    )


STUDY = Study(
    "syntax",
    "Measure how much of a sentence's tree is in a model's vectors and attention.",
    SyntaxSettings,
    study,
    inputs={},
)


def _pair_scores(
    sample: SyntaxSample, models: tuple[Encoder, Encoder], settings: SyntaxSettings, parts: FinishedParts
) -> list[PairScore]:
    """Train and measure the classifiers of pairs of words, on the attention of the model and of random weights."""
    tasks, scores, progress = pair_tasks(sample, settings.seed), list[PairScore](), parts.progress
    if not tasks:
        return scores
    ends = np.cumsum([len(task.pairs) for task in tasks.values()])[:-1]
    pairs, lengths = joined([task.pairs for task in tasks.values()]), sample.lengths.tolist()
    with progress.step(ATTENTION, 2 * len(lengths)) as step:
        maps = [np.split(read_pairs(model, sample.tokens, lengths, pairs, step), ends) for model in models]
    probes = PairProbes(sample, Resamples(settings.draws, settings.seed), parts)
    training = sum(np.isin(task.pairs.sentences, sample.split.train).sum() for task in tasks.values())
    with progress.step("training attention probes", int(3 * training * TRAINING.passes)) as step:
        for number, (name, task) in enumerate(tasks.items()):
            features = {OWN: maps[0][number], RANDOM: maps[1][number], DISTANCE: distance_features(task.pairs)}
            scores += probes.scores(name, task, features, step)
    return scores


def _vectors(
    sample: SyntaxSample, encoders: tuple[TextEncoder, TextEncoder], progress: Progress
) -> tuple[WordVectors, WordVectors]:
    """Return the vectors of all sentences by the model, and by its twin with random weights."""
    words = [sentence.words for sentence in sample.sentences]
    with progress.step(VECTORS, 2 * len(words)) as step:
        own, random = (read_vectors(encoder, words, step) for encoder in encoders)
    return own, random


def _parser_tables(
    sample: SyntaxSample, own: WordVectors, random: WordVectors, settings: SyntaxSettings, finished: FinishedParts
) -> dict[str, Table]:
    """Train and measure the parsers; return their tables."""
    total = PARSERS * PARSER_TRAINING.passes * len(sample.split.train)
    with finished.progress.step(PARSERS_STEP, total) as step:
        attachments = parsers(ParserTrainer(sample, settings.seed, step, finished), own, random)
    rng = seeds.child(settings.seed, "syntax", "parser draws")
    return parser_tables(scored_parsers(attachments, sample.documents[sample.split.test], settings.draws, rng))


def _probe_tables(
    sample: SyntaxSample, own: WordVectors, random: WordVectors, settings: SyntaxSettings, finished: FinishedParts
) -> dict[str, Table]:
    """Train and measure the structural probes; return the tables of their scores and drawings."""
    rank, progress = min(settings.rank, own.width), finished.progress
    total = number_of_probes(own.layers, own.width, rank) * PROBE_TRAINING.passes * len(sample.split.train)
    with progress.step(PROBES, total) as step:
        trainer = StructuralProbeTrainer(sample, settings.seed, step, finished)
        results, best, of_random = _results(trainer, own, random, rank)
    with progress.step("computing intervals"):
        rows, rng = sample.split.test, seeds.child(settings.seed, "syntax", "draws")
        probes = scored(results, sample.lengths[rows], sample.documents[rows], settings.draws, rng)
        differences = gaps(probes, best, of_random)
    winner = best["distance"]
    vectors = own.layer(winner.layer, sample.split.train)
    return {
        "probes": probe_table(probes, [*best.values(), *of_random.values()]),
        "differences": difference_table(differences),
        "edge_lengths": edge_lengths(sample, winner.probe, vectors, Resamples(settings.draws, settings.seed)),
        **drawn_trees(sample, winner.probe, vectors, settings.seed),
    }


def _results(
    trainer: StructuralProbeTrainer, own: WordVectors, random: WordVectors, rank: int
) -> tuple[list[ProbeResult], Best, Best]:
    """Return all structural probes, kind -> probe of the model's best layer, and the same for random weights."""
    results, best, of_random = list[ProbeResult](), Best(), Best()
    for kind in KINDS:
        of_layers = trainer.layers(MODEL, kind, rank, own)
        of_twin = trainer.layers(RANDOM_WEIGHTS, kind, rank, random)
        best[kind], of_random[kind] = best_probe(of_layers), best_probe(of_twin)
        results += [*of_layers, *trainer.others(best[kind], own), *of_twin, linear_chain(kind, trainer.sample)]
    return results, best, of_random
