"""The study `similarity`: the decomposition of the cosines of pairs of texts over their words, as a `Record`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.models.load import load
from wordworth.models.random_weights_copy import random_twin
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress, Step
from wordworth.records import Record
from wordworth.studies.similarity.findings import method, verdict, warnings
from wordworth.studies.similarity.pair_similarity import PairSimilarity, delete_words
from wordworth.studies.similarity.settings import SimilaritySettings
from wordworth.studies.similarity.tables import Similarities, tables_of
from wordworth.studies.similarity.text_pairs import TextPairs, read_pairs, require_inputs
from wordworth.studies.similarity.word_parts_of_text_vector import read_units
from wordworth.studies.study import Study, file_name, make_record, timed
from wordworth.studies.word_vectors_by_layer import long_texts, unknown_pieces

_AT_ONCE = 64
"""Number of pairs whose decompositions are in memory at a time."""


def study(texts: Sequence[str], settings: SimilaritySettings, progress: Progress) -> Record:
    """Decompose the cosines of pairs of texts over their words.

    Args:
        texts: two texts; empty if the settings name a table.
        settings: the settings of the study.
        progress: receives progress and messages.

    Raises:
        BadInput: the inputs cannot be used, or the model is no encoder.
    """
    require_inputs(texts, settings)
    encoder = _encoder(settings.model)
    seconds: dict[str, float] = {}
    with timed(seconds, "reading"):
        pairs = read_pairs(texts, settings, encoder, progress)
    several = pairs.mode == "pairs" and len(pairs) > 1
    twin = _random_twin(encoder, settings.seed) if several else None
    encoder = encoder.for_inference()
    examples = settings.examples if pairs.mode == "pairs" else len(pairs)
    with timed(seconds, "comparing"), progress.step("comparing texts", len(pairs) * (1 + several)) as step:
        similarities = _compared(encoder, pairs, settings, step, examples)
        random = None if twin is None else _compared(twin, pairs, settings, step)
    tables = tables_of(pairs, similarities, random, settings)
    different = [*dict.fromkeys((*pairs.first, *pairs.second))]
    reading = [
        *unknown_pieces(encoder, different),
        *long_texts(encoder.name, encoder.lengths(encoder.tokenizer.encode(different))),
    ]
    recorded = asdict(settings) | {"data": file_name(settings.data)}
    return make_record(
        STUDY.kind,
        recorded,
        {"mode": pairs.mode, "model": encoder.name, "pooling": " + ".join(encoder.head.modes), **pairs.facts},
        tables=tables,
        findings=[verdict(pairs, tables), *warnings(pairs, tables), *reading, *method(pairs, encoder.head)],
        seconds=seconds,
    )


STUDY = Study(
    "similarity",
    "Show which words make two texts similar.",
    SimilaritySettings,
    study,
    inputs={"texts": "two texts"},
)


def _encoder(name: str) -> TextEncoder:
    """Load the encoder.

    Raises:
        BadInput: the model is a static table.
    """
    encoder = load(name, hash_whole=True)
    if not isinstance(encoder, TextEncoder):
        what = f"{name!r} is a static table, in which a word has the same vector in every text"
        raise BadInput(what, mend="name an encoder, such as minilm; of a static table ask wordworth study words")
    return encoder


def _compared(
    encoder: TextEncoder, pairs: TextPairs, settings: SimilaritySettings, step: Step, examples: int = 0
) -> Similarities:
    """Decompose the cosines of all pairs; for the first `examples` pairs, also measure the drops without each word."""
    similarities = Similarities()
    for batch in _batches(len(pairs)):
        compared = list(_batch(encoder, pairs, batch, settings))
        for number, (pair, random_pair) in zip(batch, compared, strict=True):
            similarities.kinds.append(pair.by_kind())
            similarities.words.append(pair.by_word())
            if random_pair is not None:
                similarities.random_kinds.append(random_pair.by_kind())
                similarities.random_words.append(random_pair.by_word())
            if number < examples:
                similarities.examples[number] = pair, delete_words(encoder, pair)
            step.advance(1)
    return similarities


def _random_twin(encoder: TextEncoder, seed: int) -> TextEncoder:
    """Return an encoder of the same shape with random weights."""
    model = random_twin(encoder.model, seeds.child_seed(seed, "similarity", "random weights"))
    return encoder.with_model(model).for_inference()


def _batch(
    encoder: TextEncoder, pairs: TextPairs, batch: range, settings: SimilaritySettings
) -> Iterator[tuple[PairSimilarity, PairSimilarity | None]]:
    """Yield, for each pair of a batch, its decomposed cosine and the decomposed cosine of a random pair.

    The random pair has the first text of the pair and the second text of another pair of the batch. It is None unless a
    table of pairs is studied and the batch has several pairs.
    """
    texts = [*pairs.first[batch.start : batch.stop], *pairs.second[batch.start : batch.stop]]
    units = read_units(encoder, texts, settings.units)
    first, second = units[: len(batch)], units[len(batch) :]
    others = _other_pairs(len(batch), seeds.child(settings.seed, "similarity", "random pairs", batch.start))
    for number in range(len(batch)):
        pair = PairSimilarity.of(first[number], second[number])
        is_random = pairs.mode == "pairs" and len(batch) > 1
        yield pair, PairSimilarity.of(first[number], second[others[number]]) if is_random else None


def _batches(pairs: int) -> list[range]:
    """Split the pairs into batches of about equal size, so that none has one pair alone if there are several."""
    ends = np.linspace(0, pairs, -(-pairs // _AT_ONCE) + 1).astype(int)
    return [range(int(start), int(end)) for start, end in pairwise(ends)]


def _other_pairs(number: int, rng: np.random.Generator) -> np.ndarray:
    """Return a random permutation that maps each of `number` pairs to another pair, int64 [number]."""
    circle = rng.permutation(number)
    others = np.empty(number, dtype=np.int64)
    others[circle] = np.roll(circle, 1)
    return others
