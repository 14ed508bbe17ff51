"""`wordworth kg`: vectors of the entities of a knowledge graph."""

from __future__ import annotations

import click

from wordworth.cli.lazy_group import LazyGroup

COMMANDS = {"train": "Train vectors of entities and relations on triples."}


@click.group("kg", cls=LazyGroup, offered=COMMANDS, modules="wordworth.cli.kg_", called=("kg command", "Commands"))
def command() -> None:
    """Train vectors of the entities of a knowledge graph.

    \b
    Examples:
      wordworth kg train triples/ --model transe --out kg/
    """
