"""`wordworth kg link`: put links to entities into the texts of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.main_process_output import say
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.inference.entity_settings import LinkSettings
from wordworth.sentence_formatting import count_of


@click.command("link", cls=Command)
@click.argument("data", type=click.Path(path_type=Path))
@click.argument("links", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Table to write: .jsonl, .csv or .parquet.")
@settings_options(LinkSettings)
def command(data: Path, links: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Put links to entities, from a file of spans, into the texts of a table, as models of kg fuse read them.

    DATA is a table of texts. LINKS is a table with columns row (the first is 0), start, end and entity, and perhaps
    marker (HD, TL or ENT) and column (for pairs of texts). A mention becomes [[entity|mention]].

    \b
    Examples:
      wordworth kg link news.jsonl links.csv --entities kg/ --out linked.jsonl
      wordworth kg link relations.csv links.tsv --text sentence --out linked.csv
    """
    from wordworth.inference.insert_entity_links import link_entities

    report = link_entities(data, links, out, **chosen(choices))
    counts = (report.mentions, "mention"), (report.entities, "entity", "entities")
    mentions, entities = (count_of(*each) for each in counts)
    say(f"{report.out}: {count_of(report.rows, 'row')}, {mentions} of {entities}")
