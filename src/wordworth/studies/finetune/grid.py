"""The hyper-parameters that a fine-tuning may use, and the training configuration for each choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wordworth.studies.finetune.settings import FinetuneSettings
from wordworth.training.finetuning.trainer import FineTuningConfig
from wordworth.training.optimizers import AdamW, BertAdam

if TYPE_CHECKING:
    from wordworth.tasks.task import Kind
    from wordworth.training.finetuning.model import Pooling

_RATES, _BATCHES, _EPOCHS = (5e-5, 3e-5, 2e-5), (16, 32), (2.0, 3.0, 4.0)
_USUAL_RATE, _USUAL_WIDTH = 5e-5, 768
_LEAST_STEPS, _EPOCHS_RANGE = 2_000, (3, 20)
_DROPOUT = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class HyperParameters:
    """One point of a grid of hyper-parameters."""

    rate: float
    batch: int
    epochs: float

    @property
    def name(self) -> str:
        """A name for folders, such as `rate-5e-05-batch-16-epochs-3`."""
        return f"rate-{self.rate:g}-batch-{self.batch}-epochs-{self.epochs:g}"

    def steps(self, examples: int) -> int:
        """Return the number of updates with this many training examples."""
        return max(1, round(self.epochs * -(-examples // self.batch)))


def configurations(settings: FinetuneSettings, width: int, examples: int) -> list[HyperParameters]:
    """List the points to try; a single one without a grid.

    Args:
        settings: values that the user sets are the same in every point.
        width: hidden size of the encoder; the modern rate is 5e-5 at BERT-base's 768 and larger for smaller encoders.
        examples: the number of training examples; the modern schedule has 3 epochs, or as many as make 2,000 updates,
            up to 20 (Mosbach et al. 2021 train 20 epochs on sets of 2,500).
    """
    rates: tuple[float, ...]
    batches: tuple[int, ...]
    epochs: tuple[float, ...]
    if settings.grid == "paper":
        rates, batches, epochs = _RATES, _BATCHES, _EPOCHS
    elif settings.features is not None:
        rates, batches, epochs = (1e-3,), (32,), (10.0,)
    elif settings.recipe == "paper":
        rates, batches, epochs = (3e-5,), (32,), (3.0,)
    else:
        batch = settings.batch or 16
        wanted = -(-_LEAST_STEPS * batch // max(examples, 1))
        rates, batches = (_USUAL_RATE * _USUAL_WIDTH / max(width, _USUAL_WIDTH // 4),), (16,)
        epochs = (float(min(max(wanted, _EPOCHS_RANGE[0]), _EPOCHS_RANGE[1])),)
    return [
        HyperParameters(rate=rate, batch=batch, epochs=passes)
        for batch in (batches if settings.batch is None else (settings.batch,))
        for passes in (epochs if settings.epochs is None else (settings.epochs,))
        for rate in (rates if settings.rate is None else (settings.rate,))
    ]


def procedure(
    point: HyperParameters, settings: FinetuneSettings, kind: Kind, examples: int, pooling: Pooling
) -> FineTuningConfig:
    """Build the training configuration of a run.

    Args:
        point: its hyper-parameters.
        settings: of the study.
        kind: of the task.
        examples: the number of training examples.
        pooling: how a sequence becomes one vector.
    """
    paper = settings.recipe == "paper"
    return FineTuningConfig(
        steps=point.steps(examples),
        batch=point.batch,
        rate=point.rate,
        pooling=pooling,
        embeddings=settings.embeddings,
        dropout=0.0 if paper and kind == "span" else _DROPOUT,  # run_squad.py has none there
        bilstm=settings.bilstm,
        prior=not paper,
        schedule="original" if paper else "linear",
        optimiser=BertAdam() if paper else AdamW(),
    )
