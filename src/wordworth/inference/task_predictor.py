"""`TaskPredictor`: a fine-tuned model or probe read from a folder, which predicts each example as a dict of values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.inference.finetuned_network import Network, read_network
from wordworth.inference.frozen_probes import FrozenProbe, read_frozen_probe
from wordworth.inference.predictor_base import PredictorBase, require_frozen_dtype
from wordworth.models.cpu_inference import require_dtype
from wordworth.models.devices import device_of
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.training.finetuning.checkpoint_metadata import read_metadata
from wordworth.training.finetuning.feature_tagger import FrozenFeatureModel, read_features
from wordworth.training.finetuning.run_folder import model_folder
from wordworth.training.mixed_precision import computes_in_bf16
from wordworth.training.probes.saved_probe import PROBE

if TYPE_CHECKING:
    from wordworth.tasks.task import Examples
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
