"""Cheaper variants of a fine-tuned model: in int8, with heads removed, or with layers dropped from the top.

No variant is trained further; with further training, variants may lose less than is measured here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import cast

import numpy as np

from wordworth.inference.finetuned_network import Network
from wordworth.inference.labelled_inputs import LabelledInputs
from wordworth.measures.weighted_sums import Predicted
from wordworth.models.cpu_inference.detect_kernels import Dtype
from wordworth.models.pruning import size_of, weight_bytes
from wordworth.models.transformer import Transformer
from wordworth.studies.compression_frontier import WHOLE, Candidate
from wordworth.studies.heads.ablation import AblatedModel
from wordworth.studies.remove_heads_and_layers import fewer_heads, fewer_layers
from wordworth.training.finetuning.int8_network import int8_network
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.finetuning.trainer import FineTunedModel

INT8 = "whole, int8"


def candidates(
    network: Network, model: Transformer, order: Sequence[tuple[int, int]], num_within_margin: int
) -> Iterator[Candidate[TokenizedExamples]]:
    """Yield the whole model, the whole model in int8 if it can be converted, and models with fewer heads or layers.

    Args:
        network: the whole fine-tuned model.
        model: encoder of that model.
        order: heads as (layer, head), the least important first.
        num_within_margin: number of heads that are removed in one of the models with fewer heads. In the other models
            with fewer heads 20, 40, 60 and 80 % of all heads are removed. The first heads of `order` are removed first.
    """
    tuned = network.tuned
    yield _candidate(WHOLE, model, tuned, tuned.dtype)
    int8 = int8_network(tuned.network, model, network.reader.tokenizer)
    if int8 is not None:
        yield _candidate(INT8, model, replace(tuned, predictor=int8), "int8")
    for name, smaller in chain(fewer_heads(model, order, num_within_margin), fewer_layers(model)):
        yield _candidate(name, smaller, tuned.with_encoder(smaller), tuned.dtype)


def _candidate(name: str, model: Transformer, tuned: FineTunedModel, dtype: Dtype) -> Candidate[TokenizedExamples]:
    def predict(inputs: TokenizedExamples) -> Predicted:
        return cast("Predicted", tuned.predict(inputs))

    return Candidate(name, predict, size_of(model), weight_bytes(model, dtype))


def largest_difference(
    tuned: FineTunedModel, model: AblatedModel, pruned: Transformer, examples: LabelledInputs
) -> float:
    """Return the largest difference between scores with heads removed and with the same heads scaled to 0.

    The difference is absolute and computed in float32, as a check that removing heads gives the same scores as
    ablating these heads.

    Args:
        tuned: the whole fine-tuned model.
        model: the same model, whose heads can be ablated.
        pruned: the encoder with heads removed.
        examples: examples, of which the first 32 are predicted.
    """
    inputs = examples.inputs.take(np.arange(min(32, len(examples))))
    layers = pruned.config
    heads = [(layer, head) for layer, lost in enumerate(layers.pruned_heads) for head in lost]
    exact = tuned.exact
    masked = exact.scores(inputs, head_scale=model.scale_without(heads))
    removed = exact.with_encoder(pruned).scores(inputs)
    return max(float(np.abs(a - b).max()) for a, b in zip(masked, removed, strict=True))
