"""`SentenceTraining`: a `Loop` trains an encoder's sentence vectors by a loss over rows of texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.models.batch import pack
from wordworth.models.length_batching import ROWS_A_BATCH, batches, rows_of
from wordworth.models.pooling import SentenceHead
from wordworth.models.text_encoder import TextEncoder
from wordworth.training.batch_sampler import num_batches
from wordworth.training.loop import Loop
from wordworth.training.lr_schedules import linear, within
from wordworth.training.mixed_precision import Bf16Replica, supports_bf16
from wordworth.training.optimizers import AdamW
from wordworth.training.process_groups import ALONE, Processes
from wordworth.training.sentences.gradient_cache import loss_parts
from wordworth.training.sentences.tokenized_rows import Rows, SentenceExamples, TrainingTexts, least_rows
from wordworth.training.trainable_encoder import TrainableEncoder

PART_TOKENS = 8_192
"""Most tokens whose states are in memory at a time; a batch of more has its gradients cached."""
_LEAST_STEPS, _MOST_EPOCHS = 500, 10.0
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceTrainingConfig:
    """Hyper-parameters of a training run of sentence vectors.

    Attributes:
        steps: number of updates in the whole run.
        batch_size: number of rows in each update.
        learning_rate: peak learning rate of the encoder, and of the weights of the loss.
        warmup: fraction of the steps during which the learning rate rises (Reimers and Gurevych 2019: 10 %).
        dropout: whether the encoder uses the dropout that it was pretrained with.
        bf16: whether to compute in bfloat16 where the machine has instructions for it.
        part_tokens: maximal number of tokens whose states are in memory at a time.
    """

    steps: int
    batch_size: int = 16
    learning_rate: float = 2e-5
    warmup: float = 0.1
    dropout: bool = True
    bf16: bool = True
    part_tokens: int = PART_TOKENS


class SentenceTraining:
    """A training run of a sentence encoder; all its random numbers depend on the seed and the step alone.

    Args:
        encoder: the encoder; it is not changed, and the run trains on its device.
        head: pools the encoder's states to a sentence vector; its linear maps are not trained.
        examples: the training texts in rows.
        loss: a `SentenceLoss`, or a `MatryoshkaLoss`; its weights are trained.
        config: hyper-parameters.
        seed: the seed of the order of rows and of dropout.
        processes: the processes that share each batch.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what a run is made of
        self,
        encoder: TextEncoder,
        head: SentenceHead,
        examples: TrainingTexts,
        loss: nn.Module,
        config: SentenceTrainingConfig,
        seed: int,
        processes: Processes = ALONE,
    ) -> None:
        self.encoder, self.head, self.examples, self.config = encoder, head, examples, config
        self.processes = processes
        self.device = encoder.model.device
        self.loss = loss.to(self.device)
        self.network = TrainableEncoder(encoder.model, examples.used_ids, dropout=config.dropout)
        self.replica = Bf16Replica(self.network) if config.bf16 and supports_bf16(self.device) else None
        learned = nn.ModuleDict({"network": self.network, "loss": self.loss})
        self.loop: Loop[Rows] = Loop(
            learned,
            AdamW().build(dict.fromkeys((self.network, self.loss), config.learning_rate)),
            within(linear, config.steps, warmup=config.warmup),
            examples.batches(config.batch_size, seed),
            self._loss_parts,
            replica=self.replica,
            processes=processes,
        )

    @property
    def trained(self) -> TextEncoder:
        """The encoder with the current weights and the pooling of this training."""
        return replace(self.encoder.with_model(self.network.trained(self.encoder)), head=self.head)

    def vectors(self, examples: TrainingTexts, texts: Rows, generator: torch.Generator | None = None) -> Tensor:
        """Return the vectors of texts with the current weights, float32 [texts, width].

        Args:
            examples: the texts.
            texts: int64 [texts], indices of the texts.
            generator: source of the dropout of training; None computes without dropout.
        """
        network = self.network if self.replica is None else self.replica.module
        batch = pack([examples.tokens[text] for text in texts]).to(self.device)
        return self.head(network.encoded(batch, generator), batch.starts)

    @torch.inference_mode()
    def all_vectors(self, examples: SentenceExamples) -> Tensor:
        """Return the vectors of all texts of some examples, float32 [texts, width]."""
        vectors: Tensor | None = None
        for texts in batches([len(tokens) for tokens in examples.tokens], ROWS_A_BATCH):
            part = self.vectors(examples, np.array(texts))
            vectors = part.new_zeros(len(examples.tokens), part.shape[1]) if vectors is None else vectors
            vectors[torch.tensor(texts, device=self.device)] = part
        assert vectors is not None  # noqa: S101 - there are rows
        return vectors

    def cosines(self, examples: SentenceExamples) -> Floats:
        """Return the cosine of the first and second text of each row, float64 [rows]."""
        unit = nn.functional.normalize(self.all_vectors(examples), dim=-1).double().cpu().numpy()
        cosines: Floats = (unit[examples.columns[:, 0]] * unit[examples.columns[:, 1]]).sum(1)
        return cosines

    @torch.inference_mode()
    def mean_loss(self, examples: SentenceExamples) -> float:
        """Return the mean loss of rows of texts with the current weights.

        Rows are taken in order, in batches of the training's size.
        """
        vectors, losses = self.all_vectors(examples), []
        size = self.config.batch_size
        starts = np.arange(1, num_batches(len(examples), size, least_rows(size))) * size
        for rows in np.split(np.arange(len(examples)), starts):
            texts, compared = examples.compared(rows, self.device)
            losses.append(float(self.loss(vectors[torch.from_numpy(texts).to(self.device)], compared)) * len(rows))
        return sum(losses) / len(examples)

    def _loss_parts(self, rows: Rows, generator: torch.Generator) -> Iterator[Tensor]:
        texts, compared = self.examples.compared(rows, self.device)
        lengths = [len(self.examples.tokens[text]) for text in texts]
        parts = _divided(lengths, self.config.part_tokens, self.processes.count)
        position = torch.from_numpy(np.argsort(np.concatenate(parts))).to(self.device)
        return loss_parts(
            lambda part, own: self.vectors(self.examples, texts[part], own),
            lambda vectors: self.loss(vectors[position], compared),
            parts,
            generator,
            self.processes,
        )


def _divided(lengths: list[int], tokens: int, processes: int) -> list[Rows]:
    """Divide texts into at least one part for each process; return the indices of the texts of each part.

    Args:
        lengths: number of tokens of each text.
        tokens: largest number of tokens of a part, counted as `rows_of` does.
        processes: number of processes.
    """
    each = min(tokens, -(-sum(map(rows_of, lengths)) // processes))
    parts = [np.array(part) for part in batches(lengths, each)]
    if len(parts) >= processes:
        return parts
    return np.array_split(np.concatenate(parts), processes)


def steps_of(rows: int, batch_size: int, epochs: float | None) -> int:
    """Return the number of updates of a training.

    Args:
        rows: number of training rows.
        batch_size: number of rows in a batch.
        epochs: number of passes over the rows. None makes one pass; if this is fewer than 500 updates, it makes further
            passes, up to ten in all.

    >>> steps_of(1000, 64, 1.0), steps_of(1000, 64, None), steps_of(6400, 64, None), steps_of(100_000, 64, None)
    (16, 160, 500, 1563)
    """
    each = num_batches(rows, batch_size, least_rows(batch_size))
    chosen = min(max(1.0, _LEAST_STEPS / each), _MOST_EPOCHS) if epochs is None else epochs
    return max(1, round(chosen * each))
