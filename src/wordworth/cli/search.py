"""`wordworth search`: make an index of texts, and find texts in it."""

from __future__ import annotations

import click

from wordworth.cli.lazy_group import LazyGroup

COMMANDS = {
    "build": "Make an index of a file of texts.",
    "ask": "Find the texts that are nearest to a query.",
    "add": "Add texts to an index.",
    "delete": "Delete rows of an index.",
    "tune": "Learn from labelled queries how much vectors weigh beside words.",
    "hnsw": "Build a graph for approximate search, and measure its recall on your queries.",
    "export": "Write an index into SQLite or PostgreSQL.",
    "map": "Cluster the texts of an index, and draw a map of them.",
    "mine": "Find paraphrases and duplicates in an index.",
}


@click.group(
    "search", cls=LazyGroup, offered=COMMANDS, modules="wordworth.cli.search_", called=("search command", "Commands")
)
def command() -> None:
    """Make an index of texts, and find texts in it by their meaning.

    \b
    Examples:
      wordworth search build texts.jsonl --model minilm --out index/
      wordworth search ask "how do I reset my password?" --index index/
      wordworth search ask "a film" --index index/ --where "lang = 'en' AND year >= 2020"
      wordworth search add more.jsonl --index index/
      wordworth search delete --index index/ --where "id = '7'"
      wordworth search tune labels.csv --index index/
      wordworth search hnsw queries.txt --index index/ --recall 0.95
      wordworth search mine --index index/ --out pairs.csv
      wordworth search map --index index/ --out map/
      wordworth search export --index index/ --out texts.sqlite
    """
