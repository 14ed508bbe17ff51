"""Write a model as an ONNX graph from token ids to scores or a text's vector, which runs without Wordworth."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from wordworth.errors import BadInput, require_package
from wordworth.files import atomic_write
from wordworth.inference.finetuned_run import TunedRun
from wordworth.models.padded_transformer import PaddedTransformer, require_no_rotary
from wordworth.models.pooling import SentenceHead
from wordworth.models.transformer import Transformer
from wordworth.training.finetuning.model import FineTuningModel

NAME = "model.onnx"
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
"""Names of the graph's inputs, int64 [texts, length], the same as in graphs of optimum and for transformers.js."""
OUTPUT = "logits"
"""Name of a fine-tuned model's output, float32 [texts, outputs], or [texts, length, outputs] if tokens are scored."""
VECTOR = "sentence_embedding"
"""Name of an encoder's output, float32 [texts, width], the same as in graphs of sentence-transformers."""
_OPSET = 17


def write_onnx(model: Transformer, network: FineTuningModel, folder: Path) -> Path:
    """Write `model.onnx` into the folder of a fine-tuned model; call `require_onnx` before.

    Args:
        model: the encoder, whole or pruned, with the fine-tuned weights.
        network: the fine-tuned network with that encoder.
        folder: an existing folder.

    Returns:
        The path of `model.onnx`.

    Raises:
        BadInput: the file cannot be written.
    """
    return _write(_Scores(model, network), OUTPUT, pooled=network.config.pooling is not None, folder=folder)


def _write(graph: nn.Module, output: str, *, pooled: bool, folder: Path) -> Path:
    """Trace a network into the ONNX graph `model.onnx`, and return the path.

    Args:
        graph: the network.
        output: name of the graph's output.
        pooled: whether the output has one row per text; if not, it has one row per token.
        folder: the folder to write into.
    """
    graph.eval()
    ids = torch.full((2, 5), 1)
    example_inputs = (ids, torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]), torch.zeros_like(ids))
    axes = {name: {0: "texts", 1: "length"} for name in INPUTS}
    axes[output] = {0: "texts"} if pooled else {0: "texts", 1: "length"}
    with atomic_write(folder / NAME) as part, torch.inference_mode(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's tracer warns of shapes that `axes` make free
        torch.onnx.export(
            graph,
            example_inputs,
            str(part),
            input_names=list(INPUTS),
            output_names=[output],
            dynamic_axes=axes,
            opset_version=_OPSET,
            dynamo=False,
        )
    return folder / NAME


def write_vector_graph(model: Transformer, head: SentenceHead, folder: Path) -> Path:
    """Write `model.onnx`, from token ids to a text's vector, into the folder of a sentence encoder.

    Args:
        model: the encoder's network.
        head: the encoder's pooling, and the maps after the pooling.
        folder: an existing folder.

    Returns:
        The path of `model.onnx`.

    Raises:
        BadInput: the file cannot be written, or the encoder's pooling is not supported.
    """
    unknown = [mode for mode in head.modes if mode not in _POOLED]
    if unknown:
        what = f"an encoder with pooling {unknown[0]!r} is not exported to ONNX"
        raise BadInput(what, where=str(folder), mend="give --to sentence-transformers")
    return _write(_Vectors(model, head), VECTOR, pooled=True, folder=folder)


def require_onnx(tuned: TunedRun, run: str, mend: str) -> None:
    """Check before any work that a fine-tuned model can be exported to ONNX.

    Args:
        tuned: the model.
        run: the folder of the model, for the error.
        mend: what the user can do if the export is impossible, for the error.

    Raises:
        MissingExtra: onnx is not installed.
        BadInput: the model decodes with a CRF, has a BiLSTM, has rotary positions, or its pooling is not supported.
    """
    require_package("onnx", "onnx")
    require_no_rotary(tuned.encoder.model)
    config, facts = tuned.network.tuned.network.config, tuned.predictor.facts
    part = "a CRF" if facts.get("crf") else "a BiLSTM" if config.bilstm else None
    if part is None and config.pooling not in _POOLED and config.pooling is not None:
        part = f"pooling {config.pooling!r}"
    if part is not None:
        raise BadInput(f"a model with {part} is not exported to ONNX", where=run, mend=mend)


class _Scores(nn.Module):
    """The whole graph: encoder, pooling, and the layers above."""

    def __init__(self, model: Transformer, network: FineTuningModel) -> None:
        super().__init__()
        self.encoder, self.pooling = PaddedTransformer(model), network.config.pooling
        self.pooler, self.output = network.pooler, network.output

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        states = self.encoder(ids, mask, segments)
        if self.pooling is None:
            tokens: Tensor = self.output(states)
            return tokens
        vectors = _POOLED[self.pooling](states, mask)
        scores: Tensor = self.output(vectors if self.pooler is None else torch.tanh(self.pooler(vectors)))
        return scores


class _Vectors(nn.Module):
    """The graph of a sentence encoder: its states, pooling, and the maps after it."""

    def __init__(self, model: Transformer, head: SentenceHead) -> None:
        super().__init__()
        self.encoder, self.head = PaddedTransformer(model), head

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        states = self.encoder(ids, mask, segments)
        vectors = torch.cat([_POOLED[mode](states, mask) for mode in self.head.modes], dim=-1)
        for step in self.head.steps:
            vectors = step(vectors)
        return vectors


def _first(states: Tensor, _: Tensor) -> Tensor:
    return states[:, 0]


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask[:, :, None].to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1)


def _max(states: Tensor, mask: Tensor) -> Tensor:
    return states.masked_fill(mask[:, :, None] == 0, torch.finfo(states.dtype).min).amax(1)


def _last(states: Tensor, mask: Tensor) -> Tensor:
    positions = (mask.sum(1) - 1)[:, None, None].expand(-1, 1, states.shape[-1])
    return states.gather(1, positions)[:, 0]


_POOLED: Mapping[str, Callable[[Tensor, Tensor], Tensor]] = {
    "pooler": _first,
    "cls": _first,
    "mean": _mean,
    "max": _max,
    "lasttoken": _last,
}
"""Name of a pooling in `models.pooling` -> function of padded states [texts, length, width] and mask to [texts, width].
"""
