"""Named sizes of BERT: two of Devlin et al. 2019, and the four small sizes of Turc et al. 2019 (arXiv 1908.08962)."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.errors import BadInput, nearest

MOST_LAYERS = 1_000
"""Maximal number of layers that is accepted; no published model has more."""
HEAD_SIZE = 64
"""Width of one attention head, in every named shape."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The number of layers of an encoder and its hidden width; feed-forward layers are 4 x width, heads 64 wide."""

    layers: int
    width: int

    @property
    def fields(self) -> dict[str, int]:
        """Return the fields of a `TransformerConfig` that the shape determines: name -> value."""
        return {
            "num_layers": self.layers,
            "hidden_size": self.width,
            "num_heads": max(1, self.width // HEAD_SIZE),
            "intermediate_size": 4 * self.width,
        }


SHAPES = {
    "tiny": Shape(2, 128),
    "mini": Shape(4, 256),
    "small": Shape(4, 512),
    "medium": Shape(8, 512),
    "base": Shape(12, 768),
    "large": Shape(24, 1024),
}


def shape(name: str) -> Shape:
    """Return the shape for a name (`mini`) or for layers x width (`4x256`, which is the same shape).

    Raises:
        BadInput: no shape has this name.
    """
    if name in SHAPES:
        return SHAPES[name]
    layers, times, width = name.partition("x")
    if times and layers.isdecimal() and width.isdecimal() and int(layers) and int(width):
        return _checked_shape(int(layers), int(width))
    raise BadInput(f"no shape {name!r}", mend=f"{nearest(name, SHAPES)} (or layers x width such as 6x384)")


def _checked_shape(layers: int, width: int) -> Shape:
    if layers > MOST_LAYERS:
        raise BadInput(f"{layers} layers are too many", mend=f"give at most {MOST_LAYERS:,}")
    if width > HEAD_SIZE and width % HEAD_SIZE:
        raise BadInput(f"hidden size {width} is not a multiple of head size {HEAD_SIZE}", mend="use a multiple of 64")
    return Shape(layers, width)
