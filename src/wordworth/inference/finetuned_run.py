"""`read_run`: read a fine-tuned model with access to its inner values, for analyses, pruning and export."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from wordworth.errors import BadInput
from wordworth.files import as_path
from wordworth.inference.finetuned_network import Network, read_network
from wordworth.inference.task_predictor import TaskPredictor
from wordworth.models.devices import device_of
from wordworth.models.text_encoder import TextEncoder
from wordworth.tasks.task import Task
from wordworth.training.finetuning.checkpoint_metadata import CASCADE, RUNG, START, read_metadata
from wordworth.training.finetuning.run_folder import model_folder
from wordworth.training.mixed_precision import computes_in_bf16
from wordworth.training.probes.saved_probe import PROBE


@dataclass(frozen=True, slots=True)
class TunedRun:
    """A fine-tuned model whose inner values can be read: its predictor, with the network and encoder inside that."""

    predictor: TaskPredictor
    network: Network
    encoder: TextEncoder

    @property
    def began_from(self) -> Mapping[str, Any]:
        """Metadata on the encoder that fine-tuning began from: `model`, `fingerprint` and `random_seed`.

        The mapping is empty for a run that an older version wrote.
        """
        return self.predictor.facts.get(START) or {}


def read_run(run: Path | str) -> TunedRun:
    """Read a fine-tuned model with access to its inner values; the model is put on a GPU if the machine has a GPU.

    Args:
        run: the output folder of a fine-tuning, or the model folder inside that.

    Raises:
        BadInput: `run` holds no fine-tuned model, a model over frozen features, or a model that answers questions (by
            spans or by multiple choice).
    """
    folder = model_folder(as_path(run, "run"))
    facts, device = read_metadata(folder), device_of("auto")
    _require_network(facts, str(run))
    bf16 = computes_in_bf16("auto", device)
    encoder, network = read_network(folder, facts, device, bf16=bf16)
    predictor = TaskPredictor(network, facts, "bfloat16" if bf16 else "float32")
    if predictor.task_type.asks_questions:
        what = f"a model for {predictor.task_type.name.replace('_', ' ')} is not supported here"
        raise BadInput(what, where=str(run), mend="give a run on texts with classes, values, labels or tags")
    return TunedRun(predictor, network, encoder)


def _require_network(facts: Mapping[str, Any], run: str) -> None:
    """Raise BadInput if a folder's metadata describe another model than an encoder fine-tuned with its head."""
    if RUNG in facts or CASCADE in facts:
        kind = "a cascade of two models" if CASCADE in facts else f"the rung {facts[RUNG].get('title')!r:.60} of worth"
        raise BadInput(f"this is {kind}, not a fine-tuned encoder", where=run, mend="give a run of wordworth finetune")
    if facts.get("features") or PROBE in facts:
        what = "this model reads an encoder's frozen states: no head of the encoder was trained"
        raise BadInput(what, where=run, mend="fine-tune the encoder, without --features")


def read_second_run(run: Path | str, task: Task, first: Network) -> TunedRun:
    """Read a second run of the same fine-tuning with another seed.

    Args:
        run: output folder of the second run, or the model folder inside that.
        task: a task with the classes of the first run, which the second run must have too.
        first: the network of the first run.

    Raises:
        BadInput: the second run has other classes or another kind of task, or has the same weights as the first run.
    """
    second = read_run(run)
    if second.predictor.classes != task.classes or second.predictor.task_type is not task.type:
        what = "the second run was not fine-tuned on the same classes"
        raise BadInput(what, where=str(run), mend="fine-tune twice on the same file, with other seeds")
    weights = [each.tuned.network.output.state_dict()["weight"] for each in (first, second.network)]
    if torch.equal(*weights):
        raise BadInput("the second run is the first one again", where=str(run), mend="fine-tune with another --seed")
    return second
