"""`wordworth search hnsw`: build a graph for approximate search, and measure its recall on your queries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.retrieval.build_hnsw import HnswSettings, build_hnsw
from wordworth.sentence_formatting import count_of


@click.command("hnsw")
@click.argument("queries", type=click.Path(path_type=Path))
@click.option("--index", type=click.Path(path_type=Path), required=True, help="The folder of the index.")
@settings_options(HnswSettings)
def command(queries: Path, index: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Build a graph (HNSW) with which search ask finds texts of a large index faster, but may miss some.

    QUERIES is a file with a column of typical queries, or a .txt with one query per line. Half of them choose how many
    candidates a search keeps to reach --recall; the recall that is printed was measured on the other half, with its
    95 % interval. If the command is stopped, or texts are added later, the same command resumes.

    \b
    Examples:
      wordworth search hnsw queries.txt --index index/
      wordworth search hnsw log.csv --text question --index index/ --recall 0.99 --k 20
    """
    (row,) = build_hnsw(queries, index, progress=Bars(), **chosen(choices)).to_dict("records")
    say(f"{index}: a graph of {count_of(row['rows'], 'text')}, efSearch {row['ef_search']:,}")
    interval = f"{row['recall']:.3f} ({row['low']:.3f} to {row['high']:.3f})"
    say(f"recall@{row['k']}: {interval} on {count_of(row['queries'], 'query', 'queries')}")
    exact = f"{row['exact_milliseconds']:.2f} ms by comparing all texts"
    say(f"a query takes {row['milliseconds']:.2f} ms, and {exact}")
