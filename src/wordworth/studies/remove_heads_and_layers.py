"""Make smaller copies of a fine-tuned encoder, without training: remove heads, or drop layers from the top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wordworth.models.pruning import first_layers, without_heads
from wordworth.models.transformer import Transformer

_SHARES = (0.2, 0.4, 0.6, 0.8)


def numbers_removed(model: Transformer, most: int, additional_number: int = 0) -> list[int]:
    """Return the numbers of heads to remove, ascending: 20, 40, 60 and 80 % of all heads, and `additional_number`.

    A share of more than `most` heads counts as `most`.

    Args:
        model: the encoder of a fine-tuned model.
        most: the largest number of heads that can be removed.
        additional_number: one more number to add to the result; 0 adds nothing.
    """
    heads = model.config.num_layers * model.config.num_heads
    return sorted(({min(round(share * heads), most) for share in _SHARES} | {additional_number}) - {0})


def fewer_heads(
    model: Transformer, order: Sequence[tuple[int, int]], additional_number: int = 0
) -> Iterator[tuple[str, Transformer]]:
    """Yield (name, copy of the model) with more and more attention heads removed.

    Args:
        model: the encoder of a fine-tuned model.
        order: (layer, head) of each head that may be removed, the least important first.
        additional_number: a number of heads that one further copy lacks, in addition to the copies for
            `numbers_removed`; 0 for no further copy.
    """
    for number in numbers_removed(model, len(order), additional_number):
        yield f"{number} heads removed", without_heads(model, order[:number])


def fewer_layers(model: Transformer) -> Iterator[tuple[str, Transformer]]:
    """Yield (name, copy of the model) with fewer and fewer layers, until a single layer is left."""
    for layers in range(model.config.num_layers - 1, 0, -1):
        yield f"first {layers} layer{'s' if layers > 1 else ''}", first_layers(model, layers)
