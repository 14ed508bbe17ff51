"""Train sentence vectors, resuming from the last checkpoint in a folder, and keep the weights of the best step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import nn

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.correlation import spearman
from wordworth.measures.weighted_sums import Floats
from wordworth.models.devices import device_of
from wordworth.models.pooling import SentenceHead
from wordworth.models.prompts import prompts_by_role
from wordworth.models.pruning import first_layers, require_all_heads
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.sentence_formatting import count_of
from wordworth.tasks.reading.sentence_rows import SentenceRows
from wordworth.training.checkpointed_run import CheckpointedRun
from wordworth.training.checkpoints import Checkpoints
from wordworth.training.finetuning.grid_search import usual_rate
from wordworth.training.finetuning.run_inputs import load_encoder
from wordworth.training.finetuning.run_result import Evaluation, evaluation_steps
from wordworth.training.malloc import retain_freed_memory
from wordworth.training.process_groups import ALONE, Processes
from wordworth.training.sentences.losses import LOSSES
from wordworth.training.sentences.losses.base import LossOptions, SentenceLoss
from wordworth.training.sentences.losses.matryoshka import MatryoshkaLoss
from wordworth.training.sentences.read_data import SentenceData
from wordworth.training.sentences.settings import SentenceTrainingSettings
from wordworth.training.sentences.teacher_vectors import require_width, teacher_vectors
from wordworth.training.sentences.tokenized_rows import SentenceExamples, read_beginnings
from wordworth.training.sentences.trainer import SentenceTraining, SentenceTrainingConfig, steps_of


@dataclass(frozen=True, slots=True)
class SentenceTrainingResult:
    """The result of a finished training of a sentence encoder.

    Attributes:
        encoder: the encoder, with the weights of the best evaluation, or the last ones without a dev part.
        config: the hyper-parameters of the training.
        losses: mean loss of each step.
        evaluations: evaluations on the dev part, the first before the first step; empty without a dev part.
        kept_step: the number of steps after which the encoder had the weights that it has now.
        cosines: the cosines of dev pairs (before training, after `kept_step` steps), float64 [dev rows] each; None
            without gold scores.
        cut: number of distinct texts that were cut.
        seconds: seconds that the training took.
        dtype: data type of the states in training and on the dev part: `bfloat16` where the machine has instructions
            for it, else `float32`.
    """

    encoder: TextEncoder
    config: SentenceTrainingConfig
    losses: list[float]
    evaluations: tuple[Evaluation, ...]
    kept_step: int
    cosines: tuple[Floats, Floats] | None
    cut: int
    seconds: float
    dtype: str


def open_encoder(settings: SentenceTrainingSettings) -> TextEncoder:
    """Load the encoder from which training starts, onto its device.

    Raises:
        BadInput: the model is not an encoder with trainable layers; it has fewer layers, tokens or vector dimensions
            than the settings need; a prompt fills the maximum length; or the teacher's vectors have another width.
    """
    torch.set_num_threads(settings.threads)
    encoder = load_encoder(settings.model, learns=True)
    if settings.prompts is not None:
        encoder = replace(encoder, prompt=settings.prompt or "", prompts=settings.prompts)
    if settings.layers is not None:
        whole = require_all_heads(encoder.model, settings.model)
        encoder = encoder.with_model(first_layers(whole, settings.layers))
    most = encoder.model.config.max_length
    if settings.max_length > most:
        what = f"{settings.model} reads at most {most:,} tokens at once, not {settings.max_length:,}"
        raise BadInput(what, where="--max-length", mend=f"give {most} or less")
    _require_room_behind_prompts(encoder, settings.max_length)
    width = head_of(encoder, settings).width(encoder.model.width)
    if any(prefix > width for prefix in settings.widths):
        what = f"the vectors of {settings.model} have {width} numbers, not {max(settings.widths)}"
        raise BadInput(what, where="--matryoshka", mend="give smaller numbers")
    if settings.teacher is not None:
        require_width(settings.teacher, width)
    encoder.model.to(device_of(settings.device))
    return encoder


def _require_room_behind_prompts(encoder: TextEncoder, max_length: int) -> None:
    """Refuse a prompt that fills the maximum length, so that no token of any text would be encoded."""
    prompts = list(prompts_by_role(encoder).values()) or [encoder.prompt]
    longest = max(map(len, encoder.tokenizer.ids(prompts)))
    if longest >= max_length:
        what = f"a prompt of {longest} tokens leaves no room for a text in {max_length}"
        raise BadInput(what, where="--max-length", mend="give more tokens, or a shorter prompt")


def head_of(encoder: TextEncoder, settings: SentenceTrainingSettings) -> SentenceHead:
    """Return the pooling by which an encoder makes sentence vectors, as the settings ask, or else the encoder's own."""
    return encoder.head if settings.pooling is None else SentenceHead((settings.pooling,))  # type: ignore[arg-type]  # checked


def train(
    settings: SentenceTrainingSettings,
    data: SentenceData,
    encoder: TextEncoder,
    folder: Path,
    progress: Progress,
    *,
    processes: Processes = ALONE,
) -> SentenceTrainingResult:
    """Train a sentence encoder, or resume the training in a folder.

    Args:
        settings: the settings of the training.
        data: the training rows and the dev rows.
        encoder: the encoder, as `open_encoder` returns it.
        folder: a folder that holds nothing but the checkpoints.
        progress: shows the steps.
        processes: the processes that share each batch; process 0 evaluates and writes checkpoints.

    Raises:
        BadInput: there are more processes than rows in a batch.
        Diverged: a loss or gradient is not finite.
        KeyboardInterrupt: the process was asked to stop; a checkpoint has been written.
    """
    head = head_of(encoder, settings)

    width = head.width(encoder.model.width)
    rows = _examples(settings, data, data.train, encoder, progress)
    dev = None if data.dev is None else _examples(settings, data, data.dev, encoder, progress)
    config = config_of(settings, len(rows), encoder.model.width)
    loss = make_loss(settings, width, len(data.classes))
    if config.batch_size < processes.count:
        what = f"{processes.count} processes cannot share batches of {count_of(config.batch_size, 'row')}"
        raise BadInput(what, where="--batch-size", mend="give larger batches, or fewer processes")
    seed = seeds.child_seed(settings.seed, "sentences")
    training = SentenceTraining(encoder, head, rows, loss, config, seed, processes)

    def dev_cosines() -> Floats | None:
        if dev is None or data.scores is None:
            return None
        return processes.broadcast(training.cosines(dev) if processes.rank == 0 else None)

    def score(cosines: Floats | None) -> float | None:
        if dev is None:
            return None
        if cosines is None or data.scores is None:
            return processes.broadcast(-training.mean_loss(dev) if processes.rank == 0 else 0.0)
        return float(spearman(data.scores, cosines, np.ones((1, len(cosines))))[0])

    before = dev_cosines()
    first = score(before)
    run = CheckpointedRun(
        loop=training.loop,
        evaluate=lambda: score(dev_cosines()),
        due=set(evaluation_steps(config.steps)),
        checkpoints=Checkpoints(folder),
        save_every=settings.save_every,
    )
    run.resume(progress.note)
    with progress.step("training", config.steps) as step, retain_freed_memory():
        step.skip(training.loop.step)
        run.advance(config.steps, step)
    losses = list(training.loop.losses)
    run.best.restore(training.loop)
    evaluations = () if first is None else (Evaluation(0, float("nan"), first), *run.evaluations)
    after = dev_cosines()
    return SentenceTrainingResult(
        training.trained,
        config,
        losses,
        evaluations,
        training.loop.step,
        None if before is None or after is None else (before, after),
        rows.cut,
        run.seconds,
        "float32" if training.replica is None else "bfloat16",
    )


def _examples(
    settings: SentenceTrainingSettings,
    data: SentenceData,
    rows: SentenceRows,
    encoder: TextEncoder,
    progress: Progress,
) -> SentenceExamples:
    """Return rows, tokenized, with the targets that the loss needs: classes, scores or vectors of a teacher.

    A teacher reads the same beginning of a long text as the student, so that it teaches nothing of words that the
    student never reads.
    """
    kind, targets = LOSSES.get(settings.loss), None
    if kind.target == "vector":  # single texts, which the teacher reads behind its default prompt
        encoder = replace(encoder, prompts={})
    if rows is not data.dev or data.scores is None:
        targets = data.targets(rows, kind)
        if kind.target == "vector":
            texts = read_beginnings(rows.first, encoder, settings.max_length)
            targets = teacher_vectors(settings.teacher or settings.model, texts, progress)
    with progress.step("reading texts"):
        return SentenceExamples.of(rows, encoder, settings.max_length, targets)


def config_of(settings: SentenceTrainingSettings, rows: int, width: int) -> SentenceTrainingConfig:
    """Return the hyper-parameters of a training of sentence vectors, with defaults for those that are not set.

    Args:
        settings: the settings of the training.
        rows: number of training rows.
        width: hidden size of the encoder, on which the default learning rate depends.
    """
    batch = settings.batch_size or LOSSES.get(settings.loss).batch_size
    return SentenceTrainingConfig(
        steps=steps_of(rows, batch, settings.epochs),
        batch_size=batch,
        learning_rate=usual_rate(width) if settings.learning_rate is None else settings.learning_rate,
    )


def make_loss(settings: SentenceTrainingSettings, width: int, classes: int) -> nn.Module:
    """Return the loss that the settings name.

    Args:
        settings: the settings of the training; with `widths`, the loss is also applied to prefixes of the vectors.
        width: width of the vectors.
        classes: number of classes of the rows; 0 if rows have no classes.
    """
    generator = torch.Generator().manual_seed(seeds.child_seed(settings.seed, "loss"))

    def of_width(prefix: int) -> SentenceLoss:
        return LOSSES.get(settings.loss)(LossOptions(prefix, classes, settings.concatenation, generator))

    widths = sorted({width, *settings.widths})
    return of_width(width) if len(widths) == 1 else MatryoshkaLoss(of_width, widths)
