"""A fine-tuned model that answers: from its folder to what it says of examples, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, softmax

from wordworth.errors import BadInput
from wordworth.models.devices import device_of
from wordworth.models.single_thread import ONE_THREAD
from wordworth.studies.finetune.feature_folder import ReadFeatures, read_features
from wordworth.training.finetuning.checkpoint import load_finetuned
from wordworth.training.finetuning.checkpoint_metadata import FACTS, read_facts
from wordworth.training.mixed_precision import is_half
from wordworth.training.task_heads import SpanHead, TaskHead, head_for
from wordworth.training.task_heads.base import InputReader

if TYPE_CHECKING:
    from wordworth.tasks.task import Examples, Kind
    from wordworth.training.finetuning.trainer import FineTunedModel
    from wordworth.training.task_heads.base import Floats, TaskPredictions

_DIGITS = 4


@dataclass(frozen=True, slots=True)
class TaskPredictor:
    """A model and what its folder says of it.

    Attributes:
        model: a fine-tuned network with its reader, or a tagger over frozen features.
        facts: kind, classes and so on, as they were written.
        dtype: what the encoder computes in.
    """

    model: Network | ReadFeatures
    facts: Mapping[str, Any]
    dtype: str = "float32"

    @classmethod
    def read(cls, run: Path, device: str = "auto", dtype: str = "auto") -> TaskPredictor:
        """The model of a run's folder or of a model folder, on a device by name.

        Raises:
            BadInput: there is none, it is damaged, or there is no such device or dtype.
        """
        where = device_of(device)
        half = is_half(dtype, where)
        folder = run if (run / FACTS).is_file() else run / "model"
        facts = read_facts(folder)
        if facts.get("features"):
            if dtype == "bfloat16":
                mend = "leave --dtype out, or give float32"
                raise BadInput("frozen features are read in float32", where="--dtype", mend=mend)
            return cls(read_features(folder, facts, where), facts)
        head = _head(facts)
        read = load_finetuned(folder, head, facts, where, half=half)
        most = read.encoder.model.config.max_length
        reader = InputReader(tokenizer=read.encoder.tokenizer, limit=int(facts["tokens"]), cut=facts["cut"], most=most)
        return cls(Network(reader, read.tuned), facts, "bfloat16" if half else "float32")

    @property
    def kind(self) -> Kind:
        """Of the task that it was fine-tuned on."""
        kind: Kind = self.facts["kind"]
        return kind

    @property
    def pairs(self) -> bool:
        """Whether it reads two texts."""
        return bool(self.facts["second"]) and self.kind in {"pair", "regression"}

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that its texts were in."""
        return tuple(self.facts.get("columns", ()))

    @property
    def classes(self) -> tuple[str, ...]:
        """Of the task that it was fine-tuned on; none of values, choices and spans."""
        return tuple(self.facts["classes"])

    @property
    def needs_all(self) -> bool:
        """Whether an answer depends on the rows around it."""
        return bool(self.facts.get("context"))

    @property
    def may_be_silent(self) -> bool:
        """Whether it may say that a question has no answer."""
        return "threshold" in self.facts

    def answers(self, examples: Examples) -> list[dict[str, Any]]:
        """An answer an example, as names and values."""
        if isinstance(self.model, ReadFeatures):
            return _tagged(self.model.tags(examples.words or ()), self.facts["classes"])
        inputs = self.model.tuned.head.encode(self.model.reader, examples)
        with ONE_THREAD.held():
            scores = self.model.tuned.scores(inputs)
        head = self.model.tuned.head
        if isinstance(head, SpanHead):
            return _spans(head, scores, inputs)
        said = head.predict(scores, self.model.tuned.gold, inputs)
        if self.kind == "tags":
            return _tagged(said, self.facts["classes"])
        return _decided(np.asarray(said), self.kind, self.facts["classes"], examples)


@dataclass(frozen=True, slots=True)
class Network:
    """A fine-tuned network, and how texts become its tokens."""

    reader: InputReader
    tuned: FineTunedModel


def _head(facts: Mapping[str, Any]) -> TaskHead:
    nulls, context, crf = "threshold" in facts, int(facts.get("context", 0)), bool(facts.get("crf"))
    head = head_for(facts["kind"], tuple(facts["classes"]), nulls=nulls, context=context, crf=crf)
    if isinstance(head, SpanHead):
        head.threshold = facts.get("threshold")
    return head


def _tagged(said: TaskPredictions, classes: Sequence[str]) -> list[dict[str, Any]]:
    return [{"tags": [classes[int(tag)] for tag in tags]} for tags in said]


def _decided(said: np.ndarray, kind: Kind, classes: Sequence[str], examples: Examples) -> list[dict[str, Any]]:
    """Values, labels that are given, or the best class with the probability of each."""
    if kind == "regression":
        return [{"value": float(value)} for value in said]
    if kind == "multilabel":
        shares = expit(said).round(_DIGITS)
        return [
            {
                "labels": [classes[int(i)] for i in np.flatnonzero(row > 0)],
                "probabilities": dict(zip(classes, each, strict=True)),
            }
            for row, each in zip(said, shares.tolist(), strict=True)
        ]
    shares = softmax(said, axis=1).round(_DIGITS)
    best = said.argmax(1).tolist()
    if kind == "choice":
        options = examples.options or ()
        return [
            {"choice": place, "option": several[place], "probabilities": each[: len(several)]}
            for place, several, each in zip(best, options, shares.tolist(), strict=True)
        ]
    return [
        {"label": classes[place], "probabilities": dict(zip(classes, each, strict=True))}
        for place, each in zip(best, shares.tolist(), strict=True)
    ]


def _spans(head: SpanHead, scores: Sequence[Floats], inputs: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - of the head
    """The answer, where it begins in the context, and the probability that there is none where that may be."""
    decoded = head.decoded(scores, inputs)
    found = []
    doubts = zip(decoded.answers(head.threshold), decoded.candidates, expit(decoded.null_score).tolist(), strict=True)
    for answer, candidates, doubt in doubts:
        row: dict[str, Any] = {"answer": answer, "start": candidates[0].start if answer else None}
        found.append(row | ({} if head.threshold is None else {"no_answer": round(doubt, 6)}))
    return found
