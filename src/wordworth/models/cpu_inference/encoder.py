"""A BERT-family model, packed for inference on this CPU."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock

import torch
from torch import Tensor, nn

from wordworth.models.attention_positions import PositionBias, bias_of_heads
from wordworth.models.batch import Batch
from wordworth.models.cpu_inference.attention import PaddedLayout, attention, padded_layout
from wordworth.models.cpu_inference.detect_kernels import Kernel
from wordworth.models.cpu_inference.linear import (
    Branch,
    FloatMlp,
    Int8Mlp,
    Map,
    PackedLinear,
    Range,
    SmoothQuantLinear,
    parts,
)
from wordworth.models.transformer import Layer, Transformer
from wordworth.models.transformer_config import TransformerConfig

TOLERANCE: Mapping[str, float] = {"float32": 1e-5, "bfloat16": 2e-4, "int8": 5e-3}
"""dtype -> allowed deviation from exact vectors: largest absolute difference in float32, else mean of 1 - cosine."""


class Norm:
    """A layer norm whose gains stay float32 for any dtype of the input."""

    def __init__(self, norm: nn.LayerNorm) -> None:
        self._gain, self._shift = (part.detach().to(torch.float32, copy=True) for part in (norm.weight, norm.bias))
        self._eps = norm.eps

    def __call__(self, x: Tensor) -> Tensor:
        """Normalise [rows, d]."""
        return torch.layer_norm(x, self._gain.shape, self._gain, self._shift, self._eps)


@dataclass(frozen=True, slots=True)
class FastLayer:
    """A `wordworth.models.transformer.Layer` whose linear maps are packed for a CPU kernel.

    Attributes:
        qkv: the map of queries, keys and values; queries are divided by the root of the head size.
        output: the map after the heads.
        mlp: the mlp with its residual connection.
        norms: the norm of the attention, and the norm of the mlp.
        heads: number of attention heads.
        post: whether the norms are after the residual connections, not before attention and mlp.
    """

    qkv: Map
    output: PackedLinear
    mlp: Branch
    norms: tuple[Norm, Norm]
    heads: int
    post: bool

    def __call__(self, x: Tensor, layout: PaddedLayout, bias: PositionBias | None) -> Tensor:
        """Apply the layer to the rows of a padded matrix, [total, d]; return the same shape.

        Args:
            x: [total, d].
            layout: the rows of each sequence's tokens.
            bias: what is added to the attention scores of a sequence, from its padded length, or None.
        """
        if self.post:
            x = self.norms[0](self._attended(x, x, layout, bias))
            return self.norms[1](self.mlp(x, x))
        x = self._attended(self.norms[0](x), x, layout, bias)
        return self.mlp(self.norms[1](x), x)

    def _attended(self, x: Tensor, residual: Tensor, layout: PaddedLayout, bias: PositionBias | None) -> Tensor:
        return self.output.plus(attention(self.qkv(x), layout, self.heads, bias), residual)


class FastBody:
    """The layers of one model, packed for one CPU kernel.

    Args:
        model: the model.
        kernel: name of the kernel that computes, as `kernel_for` returns it.
        input_ranges: name of a linear map -> range of its inputs on calibration texts; needed for int8 alone.
    """

    def __init__(self, model: Transformer, kernel: Kernel, input_ranges: Mapping[str, Range]) -> None:
        self._model, self._input_ranges = model, input_ranges
        self._int8 = kernel.startswith("onednn-int8")
        self._dtype = torch.float32 if kernel.endswith("float32") else torch.bfloat16
        layers = [layer for layer in model.body.layers if isinstance(layer, Layer)]
        self._layers = [self._layer(layer, f"layers.{number}") for number, layer in enumerate(layers)]
        self._relative_bias = copy.deepcopy(model.body.relative_bias)
        if self._relative_bias is not None:
            self._relative_bias.to(self._dtype)
        final = model.body.final_norm if model.config.last_layer == "after_final_norm" else None
        self._final = None if final is None else Norm(final)

    def states(self, batch: Batch) -> Iterator[Tensor]:
        """Yield the hidden states of a batch, [tokens, d] each: first the input layer's, then every layer's."""
        embedded = self._model.embedding(batch)
        yield embedded
        layout = padded_layout(batch.starts, self._dtype)
        for x in self._layers_over(embedded, layout):
            yield layout.gather(x)

    def last(self, batch: Batch) -> Tensor:
        """Return the hidden states of the last layer for the tokens of a batch, [tokens, d]."""
        layout = padded_layout(batch.starts, self._dtype)
        return layout.gather(deque(self._layers_over(self._model.embedding(batch), layout), maxlen=1)[0])

    def _layers_over(self, embedded: Tensor, layout: PaddedLayout) -> Iterator[Tensor]:
        """Yield the output of each layer, [total, d]."""
        x, biases = layout.scatter(embedded, self._dtype), self._biases()
        for layer, bias in zip(self._layers[:-1], biases, strict=False):
            x = layer(x, layout, bias)
            yield x
        x = self._layers[-1](x, layout, biases[-1])
        yield x if self._final is None else self._final(x)

    def _biases(self) -> Sequence[PositionBias | None]:
        """Return what each layer adds to its attention scores; computed once a batch for each length."""
        if self._relative_bias is None:
            return [None] * len(self._layers)
        shared, config = cache(self._relative_bias), self._model.config
        return [bias_of_heads(shared, config.kept_heads(layer)) for layer in range(len(self._layers))]

    def _layer(self, layer: Layer, name: str) -> FastLayer:
        assert isinstance(layer.attention_norm, nn.LayerNorm)  # noqa: S101 - `can_compile` refuses models without it
        norms = (Norm(layer.attention_norm), Norm(layer.mlp_norm))
        output = PackedLinear(layer.attention.output, self._dtype)
        return FastLayer(
            self._qkv(layer, name), output, self._mlp(layer, name), norms, layer.attention.heads, layer.post
        )

    def _qkv(self, layer: Layer, name: str) -> Map:
        """Pack the map of queries, keys and values, which divides queries by the root of the head size.

        int8 is faster here only where bfloat16 is slow: quantising the input costs what the product saves.
        """
        linear = layer.attention.qkv
        factors = torch.ones(linear.out_features)
        factors[: linear.out_features // 3] = layer.attention.config.head_size**-0.5
        if not self._int8 or self._dtype == torch.bfloat16:
            return PackedLinear(linear, self._dtype, factors)
        weight, bias = parts(linear)
        input_range = self._input_ranges[f"{name}.attention.qkv"]
        return SmoothQuantLinear(weight * factors[:, None], bias * factors, input_range, self._dtype)

    def _mlp(self, layer: Layer, name: str) -> Branch:
        up, down, activation = layer.mlp.up, layer.mlp.down, layer.attention.config.activation
        if self._int8:
            input_ranges = (self._input_ranges[f"{name}.mlp.up"], self._input_ranges[f"{name}.mlp.down"])
            return Int8Mlp((up, down), input_ranges, (activation, self._dtype))
        return FloatMlp(PackedLinear(up, self._dtype), PackedLinear(down, self._dtype), activation)


class CpuEncoder:
    """A model and its optimised copy, which is built at the first call and rebuilt when the weights change."""

    def __init__(self, model: Transformer, kernel: Kernel, calibrate: Callable[[], Mapping[str, Range]]) -> None:
        self.kernel = kernel
        self._model, self._calibrate = model, calibrate
        self._body: FastBody | None = None
        self._made_of: tuple[tuple[int, int], ...] = ()
        self._making = Lock()

    def states(self, batch: Batch) -> Iterator[Tensor]:
        """Yield each layer's hidden states, [tokens, d], from the optimised copy; from the model if it is on a GPU."""
        return self._optimised().states(batch) if batch.ids.device.type == "cpu" else self._model.states(batch)

    def __call__(self, batch: Batch) -> Tensor:
        """Return the last hidden state, [tokens, d]."""
        last: Tensor = self._optimised().last(batch) if batch.ids.device.type == "cpu" else self._model(batch)
        return last

    def release_source_weights(self) -> None:
        """Build the optimised copy now and free the model's own layers, of which only the shapes remain.

        The embedding, which the copy shares with the model, is copied into memory from its mapped file.
        """
        self._optimised()
        model = self._model
        for part in (model.body, model.pooler):
            if part is not None:
                part.to("meta")
        for parameter in model.embedding.parameters():
            parameter.data = parameter.data.clone()
        self._made_of = self._versions()

    def _versions(self) -> tuple[tuple[int, int], ...]:
        return tuple(map(_version, used_parameters(self._model)))

    def _optimised(self) -> FastBody:
        versions = self._versions()
        with self._making:
            if self._body is None or versions != self._made_of:
                input_ranges = self._calibrate() if self.kernel.startswith("onednn-int8") else {}
                self._body, self._made_of = FastBody(self._model, self.kernel, input_ranges), versions
            return self._body


def can_compile(config: TransformerConfig) -> bool:
    """Return whether `FastBody` supports a transformer.

    `FastBody` supports bidirectional models with learned positions, an ungated mlp, no local layers, and all norms with
    biases.
    """
    has_norms = config.norm_biases and config.has_first_norm
    return not (config.causal or config.gated or config.window) and config.positions == "learned" and has_norms


def used_parameters(module: nn.Module) -> Iterator[nn.Parameter]:
    """Yield every parameter of a module and its submodules, a shared parameter once for each use.

    The function is several times faster than `Module.parameters`, which leaves repetitions out.
    """
    stack: list[nn.Module] = [module]
    while stack:
        part = stack.pop()
        yield from (each for each in part._parameters.values() if each is not None)  # noqa: SLF001 - the public ways are slow
        stack += (each for each in part._modules.values() if each is not None)  # noqa: SLF001 - as above


def _version(parameter: Tensor) -> tuple[int, int]:
    """Return a key that changes when a parameter is written to or replaced."""
    writes = 0 if parameter.is_inference() else parameter._version  # noqa: SLF001 - torch counts writes there
    return parameter.data_ptr(), writes
