"""The checkpoint in onnxruntime, as a person would run it: exported by torch, texts sorted and padded in batches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer
from transformers import AutoModel

_BATCH = 32
_LONGEST = 256


def onnx_encode(folder: Path, work: Path, threads: int) -> Callable[[list[str]], np.ndarray]:
    """Return a function from texts to normalised mean vectors, computed by onnxruntime in float32."""
    path = work / "model.onnx"
    _export(folder, path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(_LONGEST)
    tokenizer.enable_padding()

    def encode(texts: list[str]) -> np.ndarray:
        order = sorted(range(len(texts)), key=lambda text: -len(texts[text]))
        parts = [
            _run(session, tokenizer, [texts[i] for i in order[start : start + _BATCH]])
            for start in range(0, len(order), _BATCH)
        ]
        vectors = np.concatenate(parts)
        return vectors[np.argsort(order)]

    return encode


class _States(torch.nn.Module):
    """The last hidden state alone, its inputs in order."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the states [texts, tokens, width]."""
        output = self.model(input_ids=ids, attention_mask=mask, token_type_ids=segments)
        states: torch.Tensor = output.last_hidden_state
        return states


def _export(folder: Path, path: Path) -> None:
    ids = torch.ones(2, 8, dtype=torch.long)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {name: {0: "texts", 1: "tokens"} for name in [*names, "states"]}
    call = (ids, torch.ones_like(ids), torch.zeros_like(ids))
    torch.onnx.export(
        _States(folder).eval(), call, path, input_names=names, output_names=["states"], dynamic_axes=axes, dynamo=False
    )


def _run(session: onnxruntime.InferenceSession, tokenizer: Tokenizer, texts: list[str]) -> np.ndarray:
    encoded = tokenizer.encode_batch(texts)
    ids = np.array([each.ids for each in encoded])
    mask = np.array([each.attention_mask for each in encoded])
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    states = session.run(None, feed)[0]
    means = (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    vectors: np.ndarray = means / np.linalg.norm(means, axis=1, keepdims=True)
    return vectors
