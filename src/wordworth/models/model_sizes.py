"""Named sizes: two of Devlin et al. 2019, and the four small ones of Turc et al. 2019 (arXiv 1908.08962)."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.errors import BadInput, nearest

MOST_LAYERS = 1_000
"""No model has been stacked higher."""
HEAD_SIZE = 64
"""Width of one attention head, in every named shape."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Layers and their width; the feed-forward part is four times as wide, and a head is 64 wide."""

    layers: int
    width: int

    @property
    def fields(self) -> dict[str, int]:
        """The fields of a `BodyConfig` that a shape decides."""
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
    """The shape of that name, or of layers x width: `mini` is `4x256`.

    Raises:
        BadInput: there is none of that name.
    """
    if name in SHAPES:
        return SHAPES[name]
    layers, times, width = name.partition("x")
    if times and layers.isdecimal() and width.isdecimal() and int(layers) and int(width):
        return _whole_heads(int(layers), int(width))
    raise BadInput(f"no shape {name!r}", mend=f"{nearest(name, SHAPES)} (or layers x width such as 6x384)")


def _whole_heads(layers: int, width: int) -> Shape:
    if layers > MOST_LAYERS:
        raise BadInput(f"a shape of {layers} layers", mend=f"give at most {MOST_LAYERS:,}")
    if width > HEAD_SIZE and width % HEAD_SIZE:
        raise BadInput(f"a width of {width} does not part into heads of {HEAD_SIZE}", mend="use a multiple of 64")
    return Shape(layers, width)
