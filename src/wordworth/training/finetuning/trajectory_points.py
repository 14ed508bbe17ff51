"""Points of a training run's trajectory: the weights after some steps, as float16 differences from the initial encoder.

The initial encoder is not stored, but identified by its fingerprint. A float16 difference has a relative error of at
most 0.05 %, and takes half the disk space of a float32 weight. The layers above the encoder are stored in float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from wordworth.models.weight_files import read_safetensors, write_safetensors
from wordworth.training.finetuning.checkpoint import finetuned_encoder, head_weights
from wordworth.training.finetuning.run_inputs import EncoderTraining, Experiment
from wordworth.training.finetuning.run_result import evaluation_steps

if TYPE_CHECKING:
    from torch import Tensor

    from wordworth.models.text_encoder import TextEncoder
    from wordworth.training.finetuning.trainer import FineTunedModel, TrainableRun

POINTS = "path"
"""The folder of the points in the folder of a run."""
_KEPT = (1, 2, 4, 6)
"""After which of a run's evaluations a point is kept: more of them early, where weights move fastest."""
_ENCODER, _HEAD = "encoder.", "head."


@dataclass(frozen=True, slots=True)
class TrajectoryPoint:
    """The weights of a run after one of its steps, as differences from its initial encoder.

    Attributes:
        step: number of updates done.
        moved: name -> float32 weight of the encoder minus its initial value; weights that did not change are left out.
        head: name -> float32 weight of the layers above the encoder, with the names of `checkpoint.head_weights`.
    """

    step: int
    moved: dict[str, Tensor]
    head: dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class TrajectoryWriter:
    """Writes the weights of one run after some of its steps, if the settings ask for them; else it writes nothing.

    Attributes:
        folder: the folder of the files.
        encoder: the initial encoder.
        training: the run; None if nothing is to be written.
        steps: the steps after which weights are written.
    """

    folder: Path
    encoder: TextEncoder
    training: EncoderTraining | None
    steps: frozenset[int]

    @classmethod
    def of(cls, experiment: Experiment, training: TrainableRun, folder: Path) -> TrajectoryWriter:
        """Return the writer of the weights of a run after some of its steps.

        Args:
            experiment: the encoder and settings of the fine-tuning.
            training: the run.
            folder: the run's own folder.
        """
        kept = training if experiment.settings.keep_path and isinstance(training, EncoderTraining) else None
        return cls(folder / POINTS, experiment.encoder, kept, frozenset(trajectory_steps(training.steps)))

    def write(self, step: int) -> None:
        """Write the current weights if `step` is one of `steps`."""
        if self.training is not None and step in self.steps:
            write_point(self.folder / file_of(step), self.encoder, self.training.run.tuned)


def trajectory_steps(steps: int) -> list[int]:
    """Return the steps after which the weights of a run of `steps` updates are saved.

    Weights are saved before the first update (step 0), and at the first, second, fourth and sixth evaluation.

    >>> trajectory_steps(80)
    [0, 10, 20, 40, 60]
    """
    evaluated = evaluation_steps(steps)
    return sorted({0, *(evaluated[number - 1] for number in _KEPT)})


def file_of(step: int) -> str:
    """Return the name of the file with the weights after a step."""
    return f"step-{step}.safetensors"


def write_point(path: Path, encoder: TextEncoder, tuned: FineTunedModel) -> None:
    """Write the present weights of a fine-tuned model as a `TrajectoryPoint`.

    Args:
        path: the file.
        encoder: the initial encoder.
        tuned: the model.
    """
    start = encoder.model.state_dict()
    now = finetuned_encoder(encoder, tuned.network, pooler=False).state_dict()
    moved = {name: value.cpu().float() - start[name].cpu().float() for name, value in now.items()}
    tensors = {f"{_ENCODER}{name}": value.to(torch.float16) for name, value in moved.items() if bool(value.any())}
    tensors |= {f"{_HEAD}{name}": value for name, value in head_weights(tuned).items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_safetensors(tensors, path)


def read_point(path: Path, step: int) -> TrajectoryPoint:
    """Read the weights that a run had after a given step from their file.

    Args:
        path: the file.
        step: the number of updates that the run had done.

    Raises:
        BadInput: there is no such file, or it is damaged.
    """
    tensors = read_safetensors(path)
    parts = (
        {name.removeprefix(prefix): value.float() for name, value in tensors.items() if name.startswith(prefix)}
        for prefix in (_ENCODER, _HEAD)
    )
    return TrajectoryPoint(step, *parts)
