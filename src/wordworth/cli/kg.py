"""`wordworth kg`: vectors of the entities of a knowledge graph, and models that read them beside text."""

from __future__ import annotations

import click

from wordworth.cli.lazy_group import LazyGroup

COMMANDS = {
    "train": "Train vectors of entities and relations on triples.",
    "fuse": "Make a model that fuses the vectors of entities into text.",
    "link": "Put links to entities, from a file of spans, into the texts of a table.",
}


@click.group("kg", cls=LazyGroup, offered=COMMANDS, modules="wordworth.cli.kg_", called=("kg command", "Commands"))
def command() -> None:
    """Train vectors of a knowledge graph's entities, link entities in texts, and make encoders that read these links.

    Such an encoder adds the vector of an entity to the words that mention it.

    \b
    Examples:
      wordworth kg train triples/ --model transe --out kg/
      wordworth kg fuse mini kg/ --out fused/
      wordworth kg link news.jsonl links.csv --out linked.jsonl
    """
