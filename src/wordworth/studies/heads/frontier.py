"""Cheaper models made of a fine-tuned one: in int8, with heads removed, or layers dropped from the top; scored, timed.

None is trained again, so that what each loses is an upper bound of what a trained one would.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wordworth.inference.labelled_inputs import predict
from wordworth.inference.prediction_speed import Speed, speeds
from wordworth.inference.task_predictor import Network
from wordworth.measures.paired_changes import Change
from wordworth.measures.weighted_sums import Predicted
from wordworth.models.pruning import first_layers, size_of, without_heads
from wordworth.models.transformer import Transformer
from wordworth.progress import Step
from wordworth.studies.heads.ablation import AblatedModel
from wordworth.studies.heads.half import Half
from wordworth.training.finetuning.int8_network import int8_network
from wordworth.training.finetuning.trainer import FineTunedModel

WHOLE, INT8 = "whole", "whole, int8"
_SHARES = (0.2, 0.4, 0.6, 0.8)


@dataclass(frozen=True, slots=True)
class Variant:
    """A smaller model.

    Attributes:
        name: `whole`, `whole, int8`, `29 heads removed`, or `first 4 layers`.
        heads, layers: number of heads and of layers left.
        parameters: number of parameters.
        score: on the half that measures; `change` from the whole model's.
        speed: batch size -> speed.
    """

    name: str
    heads: int
    layers: int
    parameters: int
    score: float
    change: Change
    speed: Mapping[int, Speed]


def numbers_removed(model: Transformer, most: int, within: int) -> list[int]:
    """Return the numbers of heads that are removed, ascending: fixed shares of all, and `within`.

    Args:
        model: the encoder of a fine-tuned model.
        most: number of heads that can be removed.
        within: a number of heads to remove beside the shares.
    """
    heads = model.config.num_layers * model.config.num_heads
    return sorted(({min(round(share * heads), most) for share in _SHARES} | {within}) - {0})


def smaller_models(
    model: Transformer, order: Sequence[tuple[int, int]], within: int
) -> Iterator[tuple[str, Transformer]]:
    """Yield (name, smaller copy of a model): without more and more heads, then with fewer and fewer layers.

    Args:
        model: the encoder of a fine-tuned model.
        order: heads, the least important first.
        within: a number of heads to remove beside fixed shares of all.
    """
    for number in numbers_removed(model, len(order), within):
        yield f"{number} heads removed", without_heads(model, order[:number])
    for layers in range(model.config.num_layers - 1, 0, -1):
        yield f"first {layers} layer{'s' if layers > 1 else ''}", first_layers(model, layers)


def candidates(
    network: Network, model: Transformer, order: Sequence[tuple[int, int]], within: int
) -> Iterator[tuple[str, Transformer, FineTunedModel]]:
    """Yield (name, encoder, fine-tuned model): the whole one, the same in int8 where that is possible, smaller ones.

    Args:
        network: the whole fine-tuned model.
        model: its encoder.
        order: heads, the least important first.
        within: a number of heads to remove beside fixed shares of all.
    """
    tuned = network.tuned
    yield WHOLE, model, tuned
    int8 = int8_network(tuned.network, model, network.reader.tokenizer)
    if int8 is not None:
        yield INT8, model, replace(tuned, predictor=int8)
    for name, smaller in smaller_models(model, order, within):
        yield name, smaller, tuned.with_encoder(smaller)


def frontier(
    whole: FineTunedModel, models: Iterable[tuple[str, Transformer, FineTunedModel]], half: Half, step: Step
) -> list[Variant]:
    """Score models, and time each in turn with the whole one; one other model is in memory at a time.

    Args:
        whole: the whole fine-tuned model.
        models: the name of each model, its encoder, and the model; the whole one first.
        half: the rows that measure.
        step: advanced by each example that is predicted.
    """
    variants = []
    for name, model, tuned in models:
        predictions = predict(tuned, half.examples)
        speed = speeds({WHOLE: whole, name: tuned}, half.examples.inputs, WHOLE)
        variants.append(_variant(name, model, half, predictions, speed[name]))
        step.advance(len(half.examples))
    return variants


def largest_difference(tuned: FineTunedModel, model: AblatedModel, pruned: Transformer, half: Half) -> float:
    """Return how far scores without some heads are, at most, from those with the same heads scaled to 0, in float32.

    Args:
        tuned: the whole fine-tuned model.
        model: the same, whose heads can be ablated.
        pruned: its encoder with heads removed.
        half: rows, of which the first 32 are predicted.
    """
    inputs = half.examples.inputs.take(np.arange(min(32, len(half.examples))))
    layers = pruned.config
    heads = [(layer, head) for layer, lost in enumerate(layers.pruned_heads) for head in lost]
    exact = tuned.exact
    masked = exact.scores(inputs, head_scale=model.scale_without(heads))
    removed = exact.with_encoder(pruned).scores(inputs)
    return max(float(np.abs(a - b).max()) for a, b in zip(masked, removed, strict=True))


def _variant(name: str, model: Transformer, half: Half, predictions: Predicted, speed: Mapping[int, Speed]) -> Variant:
    score, change = half.comparison.score(predictions), half.comparison.change(predictions, half.whole)
    return Variant(name, *size_of(model), score, change, speed)
