"""`Network`: a fine-tuned network read from a folder, with the reader that turns examples into its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.tasks import task_types
from wordworth.training.finetuning.checkpoint import load_finetuned
from wordworth.training.finetuning.checkpoint_metadata import OPTIONS_ONLY
from wordworth.training.finetuning.int8_network import require_int8
from wordworth.training.task_heads import HeadOptions, TaskHead, head_for
from wordworth.training.task_heads.base import InputReader

if TYPE_CHECKING:
    import torch

    from wordworth.models.text_encoder import TextEncoder
    from wordworth.training.finetuning.trainer import FineTunedModel


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
