"""Make a transformer smaller without training: remove or zero its least important heads, or drop its upper layers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from wordworth.inference.finetuned_run import TunedRun
from wordworth.inference.head_importance import head_importance, pruning_order
from wordworth.inference.labelled_inputs import LabelledInputs
from wordworth.inference.onnx_export import write_onnx
from wordworth.measures.weighted_sums import Floats
from wordworth.models.pruning import first_layers, with_zero_heads, without_heads
from wordworth.models.transformer import Transformer
from wordworth.progress import Progress
from wordworth.training.finetuning.checkpoint import save_finetuned
from wordworth.training.finetuning.checkpoint_metadata import ZERO_HEADS

Form = Literal["heads removed", "heads set to zero", "layers dropped"]
GOOD_FOR: Mapping[Form, str] = {
    "heads removed": "Only Wordworth loads it; it computes less.",
    "heads set to zero": "Every library that loads the whole model loads it; it is as slow as that.",
    "layers dropped": "Every library that loads the whole model loads it; it computes less.",
}
"""Form of a smaller model -> a sentence on what it is good for."""


@dataclass(frozen=True, slots=True)
class SmallerModel:
    """A smaller copy of an encoder, before it is written.

    Attributes:
        form: how the encoder was made smaller.
        model: the smaller encoder.
        heads: the heads that were removed or set to zero, as (layer, head) from 0, the least important first.
        importance: importance of each head of the whole model, float64 [layers, heads]; None if layers were dropped.
    """

    form: Form
    model: Transformer
    heads: tuple[tuple[int, int], ...] = ()
    importance: Floats | None = None


def without_least_important(
    tuned: TunedRun, model: Transformer, examples: LabelledInputs, progress: Progress, *, share: float, as_zeros: bool
) -> SmallerModel:
    """Return a copy of a fine-tuned encoder without its least important heads; every layer keeps at least one head.

    The importance is defined by Michel et al. (2019, arXiv 1905.10650, equation 5).

    Args:
        tuned: the fine-tuned model.
        model: the encoder of that model, without pruned heads.
        examples: labelled examples on which the importance is measured.
        progress: receives progress, and a note if fewer heads are pruned than `share` asks for, because each layer
            keeps at least one head.
        share: the share of all heads to prune, from 0 to 1.
        as_zeros: whether to set the heads to zero rather than remove them.
    """
    with progress.step("ranking heads", len(examples)) as step:
        importance = head_importance(tuned.network.tuned, examples, step).by_example
    wanted = max(1, round(share * importance.size))
    heads = tuple(pruning_order(importance)[:wanted])
    if len(heads) < wanted:
        progress.note(f"{len(heads)} heads go, not {wanted}: every layer keeps one")
    make = with_zero_heads if as_zeros else without_heads
    return SmallerModel("heads set to zero" if as_zeros else "heads removed", make(model, heads), heads, importance)


def with_first_layers(model: Transformer, layers: int) -> SmallerModel:
    """Return a copy of an encoder with only its first layers.

    Args:
        model: the encoder.
        layers: number of layers to keep.

    Raises:
        BadInput: the model has `layers` layers or fewer.
    """
    return SmallerModel("layers dropped", first_layers(model, layers))


def write_run(tuned: TunedRun, smaller: SmallerModel, out: Path, *, onnx: bool) -> None:
    """Write a fine-tuned model with a smaller encoder.

    Args:
        tuned: the whole model.
        smaller: the smaller copy of the model's encoder.
        out: the folder to write.
        onnx: whether to write `model.onnx` too; if so, call `require_onnx` before.

    Raises:
        BadInput: the folder cannot be written.
    """
    fields: dict[str, Any] = {ZERO_HEADS: len(smaller.heads)} if smaller.form == "heads set to zero" else {}
    network = tuned.network.tuned.with_encoder(smaller.model)
    save_finetuned(out, tuned.encoder.with_model(smaller.model), network, {**tuned.predictor.facts, **fields})
    if onnx:
        write_onnx(smaller.model, network.network, out)
