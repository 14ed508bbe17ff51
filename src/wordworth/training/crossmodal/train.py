"""Train a model of words and codes, and keep the weights that are best on validation pairs."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from wordworth.models.devices import device_of
from wordworth.models.dropout import draw_from
from wordworth.models.families.bert import BertConfig, bert
from wordworth.progress import Step
from wordworth.text.words_and_codes_vocabulary import WordsAndCodesVocabulary
from wordworth.training.crossmodal.paired_stream import PairedStream, SequenceShares
from wordworth.training.crossmodal.sequences import Pairs
from wordworth.training.crossmodal.settings import CrossmodalTrainingSettings
from wordworth.training.loop import BestWeights, Loop
from wordworth.training.lr_schedules import linear, within
from wordworth.training.objectives.linguistic_visual_alignment import Alignment
from wordworth.training.objectives.two_sided_masked_completion import FirstSideCompletion, SecondSideCompletion
from wordworth.training.optimizers import AdamW
from wordworth.training.pretraining.batches import Phase, StepData, Steps
from wordworth.training.pretraining.evaluation import HeldOut
from wordworth.training.pretraining.model import PretrainingLoss, PretrainingModel
from wordworth.training.pretraining.step_plan import Plan

EVALUATIONS = 10
"""Evaluations of a training, at equal distances."""
_VALIDATED = 512
"""Most validation sequences of an evaluation, about."""


@dataclass(frozen=True, slots=True)
class CrossmodalTraining:
    """The result of a finished training of a model of words and codes.

    Attributes:
        model: the model, with the weights of its best evaluation, in evaluation mode.
        best_step: number of updates before the best evaluation.
        loss: the sum of the objectives' mean losses on validation pairs in the best evaluation.
    """

    model: PretrainingModel
    best_step: int
    loss: float


def new_model(settings: CrossmodalTrainingSettings, vocabulary: WordsAndCodesVocabulary, seed: int) -> PretrainingModel:
    """Return a BERT with random weights whose embedding table holds words and codes, on the device of the settings.

    Args:
        settings: sizes and device.
        vocabulary: the words and codes.
        seed: the seed of the weights.
    """
    config = BertConfig(
        hidden_size=settings.width,
        num_layers=settings.layers,
        num_heads=settings.heads,
        intermediate_size=4 * settings.width,
        dropout=settings.dropout,
        attention_dropout=settings.dropout,
        initializer_range=settings.width**-0.5,
        vocab_size=vocabulary.size,
        max_positions=settings.max_length,
    )
    arrays, whole = vocabulary.arrays(), settings.whole_share
    first, second = (kind(vocabulary=arrays, whole=whole) for kind in (FirstSideCompletion, SecondSideCompletion))
    model = PretrainingModel(bert(config), (first, second, Alignment()))
    model.draw(seed)
    return model.to(device_of(settings.device))


def train(
    settings: CrossmodalTrainingSettings,
    vocabulary: WordsAndCodesVocabulary,
    pairs: Pairs,
    valid: Pairs,
    step: Step,
    seed: int,
) -> CrossmodalTraining:
    """Train a model of words and codes, and keep the weights with the lowest loss on validation pairs.

    Args:
        settings: sizes and training settings.
        vocabulary: the words and codes.
        pairs: training pairs, two or more.
        valid: validation pairs, two or more.
        step: progress display, advanced by 1 for every update.
        seed: the seed of weights, order, masks and dropout.

    Raises:
        Diverged: a loss or gradient is not finite.
    """
    model = new_model(settings, vocabulary, seed)
    objectives = list(model.objectives.values())
    shares = SequenceShares(settings.words_share, settings.codes_share, settings.subsampling)
    stream = PairedStream(pairs, shares, settings.batch_size, settings.max_length, seed)
    loop: Loop[StepData] = Loop(
        model,
        AdamW().build({model: settings.learning_rate}),
        within(linear, settings.steps),
        Steps([Phase(0.0, stream)], objectives, Plan.of(settings.steps), seed),
        PretrainingLoss(model, seed),
    )
    held_out = _held_out(settings, model, valid)
    due, best = {settings.steps * number // EVALUATIONS for number in range(1, EVALUATIONS + 1)}, BestWeights()
    model.train()
    with closing(loop.run()) as results:
        for _ in results:
            step.advance()
            if loop.step in due:
                losses = held_out.evaluate(model)
                best.offer(loop, -sum(losses[name] for name in model.objectives))
            if loop.step == settings.steps:
                break
    best.restore(loop)
    draw_from(model, None)
    model.eval()
    return CrossmodalTraining(model, best.step, -(best.score or 0.0))


def _held_out(settings: CrossmodalTrainingSettings, model: PretrainingModel, valid: Pairs) -> HeldOut:
    """Return the sequences for evaluation, in which each pair has both its words and all its codes."""
    size = min(settings.batch_size, len(valid))
    stream = PairedStream(valid, SequenceShares(), size, settings.max_length, 0)
    count = max(1, min(2 * len(valid), _VALIDATED) // size)
    return HeldOut(Steps([Phase(0.0, stream)], list(model.objectives.values()), Plan.of(count), 0), count, ())
