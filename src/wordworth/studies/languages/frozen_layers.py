"""Zero-shot accuracy after fine-tuning with the embedding and first layers frozen (Wu and Dredze 2019, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.bootstrap import crossed_interval, run_picks
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.models.text_encoder import TextEncoder
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, percent
from wordworth.studies.languages.bootstrap_interval_columns import described
from wordworth.studies.languages.correct_by_training_language import MODEL, RANDOM, Answers
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.tasks.examples import Examples
from wordworth.tasks.task_types.classification import CLASSIFICATION
from wordworth.training.finetuning.grid_search import usual_rate
from wordworth.training.finetuning.trainer import FineTuningConfig, FineTuningRun
from wordworth.training.task_heads import head_for
from wordworth.training.task_heads.base import InputReader

NOTHING = -1
"""The level at which nothing is frozen; at 0 the embedding is, at k also the first k layers."""
EPOCHS, BATCH_SIZE, MOST_TOKENS = 5, 16, 128
RESTARTS = 3
"""Runs for each level, if the user names no number."""
FROZEN = {
    "system": "the model, or the same with random weights, which is trained whole",
    "frozen": "-1: nothing is frozen; 0: the embedding; k: the embedding and the first k layers",
    "language": "name of the language; missing for the mean of all languages but the source",
    "runs": "number of runs with different seeds",
    **described("accuracy", "share of the test texts that are labelled right after fine-tuning on the source"),
    "deviation": "standard deviation of the runs",
}


@dataclass(frozen=True)
class FineTunedAnswers:
    """Which test texts are labelled correctly after fine-tuning on the source language.

    A level says what is frozen: -1 nothing, 0 the embedding, k the embedding and the first k layers.

    Attributes:
        answers: the answers of linear heads on frozen features; their test texts and resamples are used here too.
        right: (system, level) -> bool [runs, test texts], whether each run labels each test text correctly.
    """

    answers: Answers
    right: dict[tuple[str, int], Flags]


def require_trainable(encoder: TextEncoder) -> None:
    """Raise BadInput if the layers of an encoder cannot be frozen and fine-tuned one by one."""
    if not hasattr(encoder.model.embedding, "word") or not hasattr(encoder.model.body, "layers"):
        what = f"{encoder.name!r} is no transformer over pieces, whose layers could be frozen one by one"
        raise BadInput(what, where="--freeze", mend="leave it out")


def levels_of(depth: int) -> list[int]:
    """Return the levels of freezing at which an encoder with `depth` layers is fine-tuned.

    Level -1 freezes nothing, level 0 the embedding, and level k the embedding and the first k layers. k is about a
    quarter, half and three quarters of the layers, and all of them.

    >>> levels_of(12)
    [-1, 0, 3, 6, 9, 12]
    """
    return sorted({NOTHING, 0, *(round(depth * share / 4) for share in (1, 2, 3, 4))})


def fine_tuned_answers(
    encoders: dict[str, TextEncoder], answers: Answers, restarts: int, seed: int, finished: FinishedParts
) -> FineTunedAnswers:
    """Fine-tune on the source language with more and more layers frozen, and label the test texts of all languages.

    The number of epochs and the learning rate are fixed: nothing is chosen on texts of other languages.

    Args:
        encoders: system -> encoder, for the model and for its copy with random weights; the copy is trained only with
            nothing frozen.
        answers: the answers of linear heads on frozen features, with the texts.
        restarts: number of runs for each number of frozen layers.
        seed: seed of the study.
        finished: cache with the runs that an earlier call has finished.
    """
    levels = levels_of(encoders[MODEL].depth)
    runs = [(MODEL, level, run) for level in levels for run in range(restarts)]
    runs += [(RANDOM, NOTHING, run) for run in range(restarts)]
    right: dict[tuple[str, int], list[Flags]] = {}
    with finished.progress.step("fine-tuning with frozen layers", len(runs)) as step:
        for system, level, run in runs:
            compute = partial(_answered, encoders[system], answers, level, seeds.child_seed(seed, "frozen", str(run)))
            part = finished.arrays_in_one_step(("frozen", system, level, run), compute, step)
            right.setdefault((system, level), []).append(part["right"])
    return FineTunedAnswers(answers, {key: np.stack(each) for key, each in right.items()})


def _answered(encoder: TextEncoder, answers: Answers, level: int, seed: int) -> dict[str, Flags]:
    """Fine-tune once on the source language, and return {"right": bool [test texts]}, which are labelled correctly."""
    data = answers.data
    head = head_for(CLASSIFICATION, data.classes)
    most = min(MOST_TOKENS, encoder.model.config.max_length)
    reader = InputReader(tokenizer=encoder.tokenizer, limit=most, encoder_limit=encoder.model.config.max_length)
    train = data.rows(0, test=False)
    inputs = head.encode(reader, Examples(tuple(data.of(train))))
    config = FineTuningConfig(
        steps=EPOCHS * -(-len(train) // BATCH_SIZE),
        batch_size=BATCH_SIZE,
        learning_rate=usual_rate(encoder.model.width),
        pooling="mean",
        embeddings=level == NOTHING,
        frozen_layers=max(level, 0),
    )
    with ONE_THREAD.limit():
        run = FineTuningRun(encoder.model, head, inputs, head.targets(data.labels[train], inputs), config, seed)
        run.loop.train(config.steps)
        scores = run.tuned.predict(head.encode(reader, Examples(tuple(data.of(answers.tests)))))
    right: Flags = np.asarray(scores).argmax(1) == data.labels[answers.tests]
    return {"right": right}


def frozen_rows(tuned: FineTunedAnswers, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of frozen layers: accuracy by system, level of freezing and language.

    The mean of all languages but the source language has a row too. Intervals are over runs and test texts.

    Args:
        tuned: the answers after fine-tuning.
        seed: seed of the resamples of runs.
    """
    answers = tuned.answers
    names = answers.languages
    language = answers.data.language[answers.tests]
    for (system, level), right in tuned.right.items():
        picks = run_picks(len(right), len(answers.weights), seeds.child(seed, "languages", "runs"))
        shares = [[answers.share(run[language == n], _items(answers, n)) for run in right] for n in range(len(names))]
        for number, name in [*enumerate(names), (None, None)]:
            chosen = shares[1:] if number is None else [shares[number]]
            point = np.mean([[value for value, _ in runs] for runs in chosen], axis=0)
            by_draw = np.mean([[draws for _, draws in runs] for runs in chosen], axis=0)
            yield {
                "system": system,
                "frozen": level,
                "language": name,
                "runs": len(right),
                "accuracy": float(point.mean()),
                **crossed_interval(point, by_draw, picks, value_range=(0.0, 1.0)).columns("accuracy_"),
                "deviation": float(point.std(ddof=1)),
            }


def _items(answers: Answers, language: int) -> Integers:
    items: Integers = answers.data.item[answers.tests[answers.data.language[answers.tests] == language]]
    return items


def frozen_finding(rows: Sequence[Mapping[str, Any]], source: str) -> Finding:
    """Return the finding on mean accuracy in the other languages, by number of layers frozen in fine-tuning.

    Args:
        rows: rows of the table of frozen layers.
        source: name of the source language.
    """
    means = [row for row in rows if row["language"] is None]
    own = [_phrase(row) for row in means if row["system"] == MODEL]
    random = next(row for row in means if row["system"] == RANDOM)
    text = (
        f"Fine-tuned on {source}, accuracy in the other languages is on average {'; '.join(own)}; with random weights "
        f"{_accuracy(random)}. Intervals are over {random['runs']} runs and the test texts."
    )
    return Finding("frozen", text, {str(row["frozen"]): row["accuracy"] for row in means if row["system"] == MODEL})


def _phrase(row: Mapping[str, Any]) -> str:
    frozen = {NOTHING: "with nothing frozen", 0: "with the embeddings frozen"}
    layers = f"with {count_of(row['frozen'], 'layer')} frozen too"
    return f"{_accuracy(row)} {frozen.get(row['frozen'], layers)}"


def _accuracy(row: Mapping[str, Any]) -> str:
    return f"{percent(row['accuracy'], 1)} ({percent(row['accuracy_low'], 1)} to {percent(row['accuracy_high'], 1)})"
