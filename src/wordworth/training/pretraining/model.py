"""The model that is pretrained: an encoder and a head for each objective."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import torch
from torch import Tensor, nn

from wordworth import seeds
from wordworth.models.batch import Batch
from wordworth.models.dropout import draw_from
from wordworth.models.encoder_base import Encoder
from wordworth.models.transformer import Attention, TransformerStack, init_weights
from wordworth.training.loop import Loss
from wordworth.training.objectives.objective import ModelOutput, Objective, Targets
from wordworth.training.pretraining.batches import StepData
from wordworth.training.process_groups import ALONE, Processes


class PretrainingModel(nn.Module):
    """An encoder with a head for each objective of its pretraining.

    Args:
        encoder: the encoder, whose states every head reads.
        objectives: the objectives; objectives with equal head names share a head.
    """

    def __init__(self, encoder: Encoder, objectives: Sequence[Objective]) -> None:
        super().__init__()
        self.encoder = encoder
        self.objectives = {objective.name: objective for objective in objectives}
        self.heads = nn.ModuleDict({each.head_name: each.head(encoder) for each in reversed(objectives)})

    def draw(self, seed: int) -> None:
        """Initialise all weights of encoder and heads at random, from a seed."""
        generator = torch.Generator().manual_seed(seeds.child_seed(seed, "weights"))
        init_weights(self, self.encoder.config.initializer_range, generator)

    @property
    def num_parameters(self) -> int:
        """The number of parameters of encoder and heads."""
        return sum(each.numel() for each in self.parameters())

    @property
    def layers(self) -> nn.ModuleList:
        """The layers of the encoder, which hold most of the weights; empty if it is not a transformer."""
        body = getattr(self.encoder, "body", None)
        return body.layers if isinstance(body, TransformerStack) else nn.ModuleList()

    def compile_layers(self) -> None:
        """Compile each layer with torch, for any number of tokens; attention is left out, as it has its own kernels."""
        for attention in (each for each in self.layers.modules() if isinstance(each, Attention)):
            attention.attend = torch.compiler.disable(attention.attend)  # type: ignore[no-untyped-call]  # torch's own
        for layer in self.layers:
            layer.compile(dynamic=True)

    def forward(self, batch: Batch, targets: Mapping[str, Targets]) -> dict[str, Loss]:
        """Return the loss of each objective on a batch, by the objective's name.

        Args:
            batch: the packed sequences.
            targets: name of an objective -> its targets in the batch.
        """
        if any(objective.reads_layers for objective in self.objectives.values()):
            layers = tuple(self.encoder.states(batch))
            output = ModelOutput(self.encoder, batch, layers[-1], layers)
        else:
            output = ModelOutput(self.encoder, batch, self.encoder(batch))
        return {
            name: objective.loss(self.heads[objective.head_name], output, targets[name])
            for name, objective in self.objectives.items()
        }

    def head_weights(self) -> dict[str, Tensor]:
        """Return name in checkpoints -> weight of the heads, such as `heads.mlm.dense.weight`."""
        return {f"heads.{name}": tensor for name, tensor in self.heads.state_dict().items()}


@dataclass(slots=True)
class StepMetrics:
    """Losses and counts of one step of pretraining, over all of its micro-batches and processes.

    Attributes:
        losses: mean loss of each objective.
        correct: fraction of each objective's targets that were predicted correctly.
        tokens: number of tokens read.
        pairs: number of token pairs within sequences: the sum of squared lengths.
        predicted: number of tokens that were predicted.
    """

    losses: dict[str, float] = field(default_factory=dict)
    correct: dict[str, float] = field(default_factory=dict)
    tokens: int = 0
    pairs: float = 0.0
    predicted: int = 0

    @classmethod
    def of(cls, step: StepData, means: Sequence[float], shares: Sequence[float]) -> Self:
        """Return the metrics of a step, whose counts are computed from the data of the step.

        Args:
            step: the data of the step.
            means: the mean loss of each objective.
            shares: the fraction of each objective's targets that were predicted correctly.
        """
        right = zip(step.targets.items(), shares, strict=True)
        return cls(
            dict(zip(step.targets, means, strict=True)),
            {name: share for (name, targets), share in right if targets.level != "states"},
            tokens=step.tokens,
            pairs=float((step.instances.lengths.astype(np.float64) ** 2).sum()),
            predicted=sum(len(targets) for targets in step.targets.values() if targets.level == "tokens"),
        )


@dataclass(slots=True)
class PretrainingLoss:
    """The objective of a `Loop`: the sum of all training objectives' mean losses over a step.

    A call yields the loss of one micro-batch after another.

    Attributes:
        network: the model that computes: the trained one, or its bfloat16 copy.
        seed: the seed of dropout.
        micro_batch_tokens: approximate number of tokens in a micro-batch.
        processes: the processes that share each step.
        metrics: metrics of the last step.
    """

    network: PretrainingModel
    seed: int
    micro_batch_tokens: int = 8192
    processes: Processes = ALONE
    metrics: StepMetrics = field(default_factory=StepMetrics)

    def __call__(self, step: StepData, generator: torch.Generator) -> Iterable[Tensor]:  # noqa: ARG002 - dropout draws from numpy, which is faster
        """Yield a scalar for each micro-batch of this process; over all processes they add up to the step's loss."""
        draw_from(self.network, seeds.child(self.seed, "dropout", step.number, self.processes.rank))
        target_counts = {name: max(len(targets), 1) for name, targets in step.targets.items()}
        device = self.network.encoder.device
        sums = torch.zeros(2, len(target_counts), dtype=torch.float64, device=device)
        for part in step.parts(self.processes.rank, self.processes.count, self.micro_batch_tokens):
            losses = self.network(part.batch.to(device), part.targets)
            yield sum(
                (losses[name].sum / count for name, count in target_counts.items()),
                start=torch.zeros((), device=device),
            )
            sums += torch.stack(
                [
                    _row((loss.sum for loss in losses.values()), device),
                    _row((loss.correct for loss in losses.values()), device),
                ]
            )
        self.processes.all_reduce([sums])
        means, shares = (sums.cpu() / torch.tensor(list(target_counts.values()))).tolist()
        self.metrics = StepMetrics.of(step, means, shares)


def _row(numbers: Iterable[Tensor], device: torch.device) -> Tensor:
    """Return scalars as one float64 tensor [numbers] on a device, so that the CPU does not wait for a GPU."""
    return torch.stack([number.detach().to(device, torch.float64) for number in numbers])
