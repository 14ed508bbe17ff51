"""The study `patterns`: what attention heads attend to, from texts to a `Record` (Clark et al. 2019, sections 3, 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.models.pruning import load_with_heads
from wordworth.models.random_weights_copy import random_twin
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.records import Finding, Record
from wordworth.studies.attention_patterns.attention_gradients import gradient_means, losses
from wordworth.studies.attention_patterns.findings import method, verdict, warnings
from wordworth.studies.attention_patterns.head_attention_sums import head_sums
from wordworth.studies.attention_patterns.head_types import type_counts, types_of
from wordworth.studies.attention_patterns.settings import PatternsSettings
from wordworth.studies.attention_patterns.tables import Measured, tables_of
from wordworth.studies.attention_patterns.texts import Source, read_sources
from wordworth.studies.attention_patterns.token_segments import Segments, TokenKinds, drawn_segments
from wordworth.studies.study import Study, make_record, timed
from wordworth.studies.word_vectors_by_layer import unknown_pieces
from wordworth.text.read_compressed_file import file_sha256

CONTROL, GRADIENTS = 200, 200
"""Most segments that an encoder with random weights reads, and most segments for gradients, to save time."""
RANDOM_ENCODERS, FEW = 5, 50
"""Number of encoders with random weights whose types of heads are counted, and most segments that each reads.

The first of them reads `CONTROL` segments instead, and gives all other figures of random weights.
"""
_MOST_CHECKED = 1_000
"""Most texts that are searched for pieces which the model does not know."""


def study(settings: PatternsSettings, data: Path, progress: Progress) -> Record:
    """Measure what each attention head of a model attends to, and return the record of the study `patterns`.

    Args:
        settings: the settings of the study.
        data: a file of texts.
        progress: receives progress and messages.

    Raises:
        BadInput: the texts cannot be read or are fewer than two, or the model has no attention.
    """
    sources = read_sources(data, settings.text)
    encoder = load_with_heads(settings.model)
    length = min(settings.length, encoder.max_length)
    segments = drawn_segments(sources, encoder.tokenizer, settings.limit, length, settings.seed)
    if len(np.unique(segments.text)) < 2:  # noqa: PLR2004 - no interval over one text
        raise BadInput("fewer than two texts", where=str(data), mend="give a file of texts, some hundreds at least")
    seconds: dict[str, float] = {}
    own, random, loss = _measured(encoder, segments, settings.seed, seconds, progress)
    with timed(seconds, "intervals"), progress.step("computing intervals"):
        tables = tables_of(own, random, settings.draws, settings.seed)
    facts: dict[str, Any] = {
        "texts": len(np.unique(segments.text)),
        "segments": len(segments.tokens),
        "tokens": sum(map(len, segments.tokens)),
        "loss": loss,
        "gradient_segments": min(GRADIENTS, len(segments.tokens)),
        "control_segments": min(CONTROL, len(segments.tokens)),
        "random_encoders": RANDOM_ENCODERS,
        "few_segments": min(FEW, len(segments.tokens)),
    }
    source = {"path": data.name, "sha256": file_sha256(data), "rows": len(sources)}
    return make_record(
        STUDY.kind,
        asdict(settings),
        {"name": data.name, "model": encoder.name, **facts, "sources": [source]},
        tables=tables,
        findings=[verdict(tables), *warnings(tables, facts), *_unknown(encoder, sources), *method(facts)],
        seconds=seconds,
    )


def _unknown(encoder: TextEncoder, sources: Sequence[Source]) -> Iterator[Finding]:
    """Yield a warning if the model does not know many pieces of the texts."""
    texts = [text for source in sources if (text := source if isinstance(source, str) else source.get("text"))]
    yield from unknown_pieces(encoder, texts[:_MOST_CHECKED])


STUDY = Study(
    "patterns",
    "Measure what each attention head of a transformer attends to.",
    PatternsSettings,
    study,
    inputs={"data": "a file of texts"},
)


def _measured(
    encoder: TextEncoder, segments: Segments, seed: int, seconds: dict[str, float], progress: Progress
) -> tuple[Measured, Measured, str]:
    """Return the measurements of the encoder, those of encoders with random weights, and the name of the loss.

    Args:
        encoder: the studied encoder.
        segments: the segments of texts.
        seed: seed of the study.
        seconds: name of a step -> seconds that it took; is changed.
        progress: receives progress.
    """
    kinds, special = TokenKinds(encoder.tokenizer), encoder.tokenizer.special_ids
    others = [seeds.child_seed(seed, "patterns", "random", number) for number in range(1, RANDOM_ENCODERS)]
    graded, control, few = (segments.tokens[:most] for most in (GRADIENTS, CONTROL, FEW))
    total = len(segments.tokens) + len(control) + len(others) * len(few)
    with timed(seconds, "attention"), progress.step("reading attention", total) as step:
        sums = head_sums(encoder.model, segments.tokens, kinds, step)
        drawn = (head_sums(random_twin(encoder.model, each), few, kinds, step, compares=False) for each in others)
        types = [type_counts(types_of(each)) for each in drawn]  # one such encoder in memory at a time
        twin = random_twin(encoder.model, seeds.child_seed(seed, "patterns", "random"))
        random = head_sums(twin, control, kinds, step)
    loss = losses(encoder.checkpoint, graded, special.get("mask"), set(special.values()), seed)
    with timed(seconds, "gradients"), progress.step("reading gradients", 2 * len(graded)) as step:
        own_gradients = gradient_means(encoder.model, loss, kinds, step)
        of_twin = loss.with_random_head(twin, seeds.child_seed(seed, "patterns", "random head"))
        random_gradients = gradient_means(twin, of_twin, kinds, step)
    own = Measured(sums, segments.text, own_gradients)
    types = [type_counts(types_of(random)), *types]
    untrained = Measured(random, segments.text[: len(control)], random_gradients, tuple(types))
    return own, untrained, loss.name
