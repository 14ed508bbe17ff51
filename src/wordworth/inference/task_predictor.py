"""`TaskPredictor`: a fine-tuned model or probe read from a folder, which predicts each example as a dict of values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.inference.frozen_probes import FrozenProbe, read_frozen_probe
from wordworth.inference.predictor_base import PredictorBase, require_frozen_dtype
from wordworth.models.cpu_inference import require_dtype
from wordworth.models.devices import device_of
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.tasks import task_types
from wordworth.training.finetuning.checkpoint import load_finetuned
from wordworth.training.finetuning.checkpoint_metadata import OPTIONS_ONLY, read_metadata
from wordworth.training.finetuning.feature_tagger import FrozenFeatureModel, read_features
from wordworth.training.finetuning.int8_network import require_int8
from wordworth.training.finetuning.run_folder import model_folder
from wordworth.training.mixed_precision import computes_in_bf16
from wordworth.training.probes.saved_probe import PROBE
from wordworth.training.task_heads import HeadOptions, TaskHead, head_for
from wordworth.training.task_heads.base import InputReader

if TYPE_CHECKING:
    import torch

    from wordworth.models.text_encoder import TextEncoder
    from wordworth.tasks.task import Examples
    from wordworth.training.finetuning.trainer import FineTunedModel
    from wordworth.training.task_heads.base import TaskPredictions


@dataclass(frozen=True, slots=True)
class TaskPredictor(PredictorBase):
    """A fine-tuned model that was read from a folder, with the folder's metadata.

    Attributes:
        model: a fine-tuned network with its input reader, a tagger over frozen features, or a linear probe.
        facts: the folder's metadata by field: kind of task, classes and so on.
        dtype: dtype of the encoder's computation.
    """

    model: Network | FrozenFeatureModel | FrozenProbe
    facts: Mapping[str, Any]
    dtype: str = "float32"

    @classmethod
    def read(cls, run: Path, device: str = "auto", dtype: str = "auto") -> TaskPredictor:
        """Read the model of a fine-tuning or a probe.

        Args:
            run: the output folder, or the model folder inside it.
            device: `cpu`, `cuda`, or `auto`, which uses a GPU if there is one.
            dtype: dtype of the encoder's computation.

        Raises:
            BadInput: the folder holds no model, the model is damaged, or the device or dtype does not exist.
        """
        require_dtype(dtype)
        where = device_of(device, dtype)
        bf16 = dtype != "int8" and computes_in_bf16(dtype, where)
        folder = model_folder(run)
        facts = read_metadata(folder)
        if facts.get("features") or PROBE in facts:
            require_frozen_dtype(dtype)
            probe = PROBE in facts
            return cls(read_frozen_probe(folder, facts) if probe else read_features(folder, facts, where), facts)
        encoder, network = read_network(folder, facts, where, bf16=bf16)
        if dtype == "int8":
            return cls(network.in_int8(encoder), facts, dtype)
        return cls(network, facts, "bfloat16" if bf16 else "float32")

    @property
    def network(self) -> Network | None:
        """The fine-tuned network; None for a tagger over frozen features and for a probe."""
        return self.model if isinstance(self.model, Network) else None

    def answers(self, examples: Examples) -> list[dict[str, Any]]:
        """Predict each example; return one answer per example, a dict of values by name (`label`, `probabilities`)."""
        if not isinstance(self.model, Network):
            return self._answers(self.model.predictions(examples), examples)
        tuned = self.model.tuned
        inputs = tuned.head.encode(self.model.reader, examples)
        with ONE_THREAD.limit():
            scores = tuned.scores(inputs)
        predictions, details = tuned.head.predict_with_details(scores, tuned.gold, inputs)
        answers = self._answers(predictions, examples)
        return [{**answer, **detail} for answer, detail in zip(answers, details, strict=True)]

    def _answers(self, predictions: TaskPredictions, examples: Examples) -> list[dict[str, Any]]:
        options = examples.options or ((),) * len(examples)
        pairs = zip(predictions, options, strict=True)
        return [self.task_type.answer(prediction, self.classes, several) for prediction, several in pairs]


@dataclass(frozen=True, slots=True)
class Network:
    """A fine-tuned network, and the reader that turns examples into its inputs."""

    reader: InputReader
    tuned: FineTunedModel

    def in_int8(self, encoder: TextEncoder) -> Network:
        """Return the same network with its encoder computing in int8.

        Args:
            encoder: the encoder with the fine-tuned weights.

        Raises:
            BadInput: this machine or this model cannot compute in int8.
        """
        predictor = require_int8(self.tuned.network, encoder.model, encoder.tokenizer)
        return replace(self, tuned=replace(self.tuned, predictor=predictor))


def read_network(
    folder: Path, facts: Mapping[str, Any], device: torch.device, *, bf16: bool
) -> tuple[TextEncoder, Network]:
    """Read a fine-tuned network, and the encoder in the same folder with the fine-tuned weights.

    Args:
        folder: the model folder.
        facts: the folder's metadata by field.
        device: where the network computes.
        bf16: whether the network computes in bfloat16 rather than float32.

    Raises:
        BadInput: a file is missing or damaged.
    """
    encoder, tuned = load_finetuned(folder, _head(facts), facts, device, bf16=bf16)
    most = encoder.model.config.max_length
    reader = InputReader(tokenizer=encoder.tokenizer, limit=int(facts["tokens"]), cut=facts["cut"], encoder_limit=most)
    return encoder, Network(reader, tuned)


def _head(facts: Mapping[str, Any]) -> TaskHead:
    nulls, context, crf = "threshold" in facts, int(facts.get("context", 0)), bool(facts.get("crf"))
    options = HeadOptions(nulls=nulls, context=context, crf=crf, options_only=bool(facts.get(OPTIONS_ONLY)))
    head = head_for(task_types.get(facts["kind"]), tuple(facts["classes"]), options)
    head.restore(facts)
    return head
