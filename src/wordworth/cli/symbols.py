"""`wordworth symbols`: turn feature vectors of anything, such as clips of video or frames of sound, into codes."""

from __future__ import annotations

import click

from wordworth.cli.lazy_group import LazyGroup

COMMANDS = {
    "learn": "Learn a codebook of features by hierarchical k-means.",
    "encode": "Turn features into codes by a codebook.",
}


@click.group(
    "symbols", cls=LazyGroup, offered=COMMANDS, modules="wordworth.cli.symbols_", called=("symbols command", "Commands")
)
def command() -> None:
    """Turn feature vectors, such as of video clips or frames of sound, into codes that a model reads like words.

    \b
    Examples:
      wordworth symbols learn features.npy --k 12 --depth 4 --out codes/
      wordworth symbols encode codes/ others.npy --out others_codes.npy
    """
