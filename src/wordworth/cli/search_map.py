"""`wordworth search map`: cluster the texts of an index, and draw a map of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import say_verdict
from wordworth.studies.corpus_map.settings import MapSettings


@click.command("map", cls=Command)
@click.option("--index", type=click.Path(path_type=Path), required=True, help="The folder of the index.")
@settings_options(MapSettings)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("map"),
    show_default=True,
    help="Folder for record.json, report.html and clusters.csv.",
)
def command(index: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Cluster the texts of an index, name the clusters, and draw a map of them on one page.

    The page says whether the texts form clusters at all: whether two halves of them agree on clusters more than halves
    of a single normal cloud of vectors would. clusters.csv has the cluster of every text.

    \b
    Examples:
      wordworth search map --index index/ --out map/
      wordworth search map --index index/ --clusters 12 --colour label
    """
    from wordworth.studies.corpus_map import map_index

    say_verdict(map_index(index, out, progress=Bars(), **chosen(choices)), out)
