"""One fine-tuning run: an encoder under a head learns a task; the run can be stopped and resumed at any step.

`TrainableRun` is the interface of this run and of a run that trains a tagger over frozen features.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from wordworth import seeds
from wordworth.models.activation_taps import Taps
from wordworth.models.encoder_base import Encoder
from wordworth.models.length_batching import ROWS_A_BATCH, ROWS_ON_GPU, batches
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.tasks.task import Labels, Rows
from wordworth.training.batch_sampler import BatchSampler
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.finetuning.model import (
    FineTuningModel,
    HeadConfig,
    Pooling,
    bf16_replica,
    copy_layers_above,
    over_encoder,
)
from wordworth.training.finetuning.teacher_loss import Teacher
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.loop import Diverged, Loop, Loss
from wordworth.training.lr_schedules import linear, original, within
from wordworth.training.mixed_precision import supports_bf16
from wordworth.training.optimizers import AdamW, Optimiser
from wordworth.training.task_heads.base import Floats, TaskHead, TaskPredictions

_SCHEDULES = {"linear": linear, "original": original}


class TrainableRun(Protocol):
    """The interface of fine-tuning runs: a training loop, and predictions."""

    @property
    def loop(self) -> Loop[Rows]:
        """The training loop of the run."""
        ...

    @property
    def steps(self) -> int:
        """The number of updates in the whole run."""
        ...

    def tune(self, rows: Rows) -> tuple[dict[str, float], TaskPredictions]:
        """Tune thresholds on examples of the dev part; return name -> threshold, and the predictions with them.

        Args:
            rows: int64 [n], the indices of examples in the task.
        """
        ...

    def predict(self, rows: Rows) -> TaskPredictions:
        """Return predictions for examples of the task, with the current weights.

        Args:
            rows: int64 [n], the indices of examples in the task.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuningConfig:
    """Hyper-parameters of a fine-tuning run.

    Attributes:
        steps: number of updates in the whole run.
        batch_size: number of examples in each update.
        learning_rate: peak learning rate of the encoder.
        head_learning_rate: peak learning rate of the new layers; None for the encoder's learning rate.
        warmup: fraction of the steps during which the learning rate rises.
        pooling: how a text's states become one vector; ignored by heads that score tokens.
        embeddings: whether the encoder's embedding is trained too, as in Devlin et al. 2019; else the original
            embedding is used, unchanged.
        frozen_layers: number of layers of a transformer, counted from the input, that are not trained.
        encoder_dropout: whether the encoder uses the dropout that it was pretrained with.
        dropout: dropout rate on the input of the output layer.
        bilstm: whether a newly initialised BiLSTM stands between the encoder and the head; it has the learning rate of
            the new layers.
        init_output_bias: whether to initialise the output layer's bias with the labels' base rates (log frequencies of
            the classes), not with 0.
        bf16: whether to compute in bfloat16 where the machine has instructions for it.
        schedule: the learning rate after the warm-up: `linear` falls from the peak to 0; `original`, as in BERT's code,
            is the peak times 1 - step / steps, so that the rate drops where the warm-up ends.
        optimiser: the settings of the optimiser.
    """

    steps: int
    batch_size: int = 16
    learning_rate: float = 5e-5
    head_learning_rate: float | None = None
    warmup: float = 0.1
    pooling: Pooling = "mean"
    embeddings: bool = True
    frozen_layers: int = 0
    encoder_dropout: bool = True
    dropout: float = 0.1
    bilstm: bool = False
    init_output_bias: bool = True
    bf16: bool = True
    schedule: Literal["linear", "original"] = "linear"
    optimiser: Optimiser = field(default_factory=AdamW)


@dataclass(frozen=True, slots=True)
class FineTunedModel:
    """A fine-tuned network, with the head that turns its scores into predictions.

    Attributes:
        network: the network in float32.
        predictor: the network that computes predictions: `network` itself, or its bfloat16 copy.
        head: turns scores into predictions.
        gold: the training labels as tensors; their base rates (`bias`) and, in regression, their mean and standard
            deviation are needed for predictions.
    """

    network: FineTuningModel
    predictor: FineTuningModel
    head: TaskHead
    gold: LabelTensors

    @property
    def dtype(self) -> Literal["float32", "bfloat16"]:
        """The dtype in which predictions are computed."""
        return "float32" if self.predictor is self.network else "bfloat16"

    @property
    def exact(self) -> FineTunedModel:
        """A copy of this model that computes predictions in float32."""
        return replace(self, predictor=self.network)

    def with_encoder(self, model: Encoder) -> FineTunedModel:
        """Return a copy of this model with another encoder under the same head, which computes in the same dtype.

        Args:
            model: an encoder as wide as this network's.
        """
        network = over_encoder(self.network, model)
        return replace(
            self, network=network, predictor=network if self.dtype == "float32" else bf16_replica(network).module
        )

    def tune(self, labels: Labels, inputs: TokenizedExamples) -> tuple[dict[str, float], TaskPredictions]:
        """Tune thresholds on a dev part; return name -> threshold, and the predictions with these thresholds.

        Args:
            labels: the labels of the dev part.
            inputs: the examples of the dev part.
        """
        with ONE_THREAD.limit():
            scores = self.scores(inputs)
            chosen = self.head.tune(scores, labels, inputs)
            return chosen, self.head.predict(scores, self.gold, inputs)

    def predict(
        self, inputs: TokenizedExamples, taps: Taps | None = None, head_scale: Tensor | None = None
    ) -> TaskPredictions:
        """Return predictions for examples, computed on one thread.

        Args:
            inputs: the examples.
            taps: inner values of the encoder's layers to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head, or None.
        """
        with ONE_THREAD.limit():
            return self.head.predict(self.scores(inputs, taps, head_scale), self.gold, inputs)

    @torch.inference_mode()
    def scores(
        self, inputs: TokenizedExamples, taps: Taps | None = None, head_scale: Tensor | None = None
    ) -> list[Floats]:
        """Return the scores of each sequence: [1, num_scores], or [tokens, num_scores] if every token is scored.

        Args:
            inputs: the examples.
            taps: inner values of the encoder's layers to read or change.
            head_scale: [layers, heads], a factor for the output of each attention head, or None.

        Raises:
            Diverged: a score is not finite.
        """
        lengths = inputs.sizes.tolist()
        scores: list[Floats] = [np.zeros((0, self.head.num_scores), np.float32)] * len(lengths)
        sequences = TokenizedExamples.single(inputs.tokens, np.zeros(len(lengths), dtype=bool))
        device = self.predictor.device
        for indices in batches(lengths, ROWS_A_BATCH if device.type == "cpu" else ROWS_ON_GPU):
            values = self.predictor(sequences.batch(np.array(indices)).to(device), None, taps, head_scale).float().cpu()
            if not values.isfinite().all():
                raise Diverged("a score is no number", where="predicting", mend="a lower learning rate helps")
            sizes = [1 if self.head.pooled else lengths[index] for index in indices]
            for index, part in zip(indices, values.split(sizes), strict=True):
                scores[index] = part.numpy()
        return scores


class FineTuningRun:
    """A fine-tuning run from its first step on; all its random numbers depend on its seed and the step alone.

    Args:
        model: the encoder; it is not changed, and the run trains on its device.
        head: the head of the task.
        inputs: the training examples.
        gold: the labels of the training examples.
        config: the hyper-parameters.
        seed: decides the new weights, the order of examples and dropout.
        above: a network from which the layers above the encoder are copied; None for newly initialised layers.
        teacher: the source of an additional loss; None for the loss of the labels alone.
    """

    def __init__(  # noqa: PLR0913 - what a run begins from
        self,
        model: Encoder,
        head: TaskHead,
        inputs: TokenizedExamples,
        gold: LabelTensors,
        config: FineTuningConfig,
        seed: int,
        *,
        above: FineTuningModel | None = None,
        teacher: Teacher | None = None,
    ) -> None:
        self.head, self.inputs, self.gold, self.config, self.seed = head, inputs, gold, config, seed
        self.teacher = teacher
        layers = HeadConfig(
            num_scores=head.num_scores,
            pooling=config.pooling if head.pooled else None,
            trained_rows=_trained_rows(model, head, inputs) if config.embeddings else None,
            dropout=config.dropout,
            encoder_dropout=config.encoder_dropout,
            bilstm=config.bilstm,
            vocabulary_head=head.vocabulary_head,
        )
        self.network = FineTuningModel(model, layers, torch.Generator().manual_seed(seeds.child_seed(seed, "weights")))
        self.network.freeze_layers(config.frozen_layers)
        output = self.network.output
        if config.init_output_bias and isinstance(output, nn.Linear) and len(gold.bias) == head.num_scores:
            with torch.no_grad():
                output.bias.copy_(gold.bias)
        if above is not None:
            copy_layers_above(above, self.network)
        self.replica = bf16_replica(self.network) if config.bf16 and supports_bf16(model.device) else None
        self.loop = self._loop()

    @property
    def tuned(self) -> FineTunedModel:
        """The fine-tuned network with its current weights, and the head that makes its predictions."""
        for network in (self.network, self._computing):
            self._decay_the_rest(network)
        return FineTunedModel(self.network, self._computing, self.head, self.gold)

    def load_weights(self, weights: Mapping[str, Tensor]) -> None:
        """Load weights into the network and its bfloat16 copy.

        Args:
            weights: name -> float32 tensor for every weight of `network`.
        """
        self.network.load_state_dict(dict(weights))
        if self.replica is not None:
            self.replica.sync_weights()

    def _loop(self) -> Loop[Rows]:
        config, network = self.config, self.network
        learned = nn.ModuleDict({"network": network})
        if self.head.extra is not None:
            learned["extra"] = self.head.extra
        new = config.learning_rate if config.head_learning_rate is None else config.head_learning_rate
        rates: dict[nn.Module, float] = {network.body: config.learning_rate, network.output: new}
        rates |= {part: config.learning_rate for part in (network.embedding, network.pooler) if part is not None}
        rates |= {part: new for part in (network.recurrent,) if part is not None}
        rates |= {part: 10 * new for part in (self.head.extra,) if part is not None}
        return Loop(
            learned,
            config.optimiser.build(rates),
            within(_SCHEDULES[config.schedule], config.steps, warmup=config.warmup),
            BatchSampler(self.inputs.lengths, config.batch_size, self.seed),
            self._loss,
            replica=self.replica,
        )

    def _loss(self, example_indices: Rows, generator: torch.Generator) -> Loss:
        batch, teacher = self.inputs.batch(example_indices).to(self.network.device), self.teacher
        taps = None if teacher is None else teacher.taps()
        scores = self._computing(batch, generator, taps)
        own = self.head.loss(scores, self.gold, self.inputs, example_indices)
        if teacher is None or taps is None:
            return own
        return teacher.loss(own, scores, taps, batch.starts, example_indices, self.loop.step / self.config.steps)

    @property
    def _computing(self) -> FineTuningModel:
        return self.network if self.replica is None else self.replica.module

    def _decay_the_rest(self, network: FineTuningModel) -> None:
        """Set the factor by which untrained rows of the word table have shrunk, from the weight decay of all steps."""
        words = network.trained_embedding
        if words is not None:
            shares = [self.config.learning_rate * self.loop.schedule(step) for step in range(self.loop.step)]
            words.decay = float(np.prod(1 - self.config.optimiser.weight_decay * np.array(shares)))


def _trained_rows(model: Encoder, head: TaskHead, inputs: TokenizedExamples) -> Rows:
    """Return the indices of the word table's rows that have a gradient, int64 [rows].

    They are the token ids of the training inputs, or all ids if the head scores the whole vocabulary.
    """
    return inputs.used_ids if head.vocabulary_head is None else np.arange(model.config.vocab_size)
