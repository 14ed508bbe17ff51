"""`wordworth kg train`: train vectors of entities and relations on triples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import say_verdict
from wordworth.text.read_compressed_file import check_file
from wordworth.training.knowledge_graph.settings import GraphTrainingSettings


@click.command("train", cls=Command)
@click.argument("triples", type=click.Path(path_type=Path))
@settings_options(GraphTrainingSettings)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the vectors, record.json and report.html.",
)
def command(triples: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Train vectors of entities and relations on triples. If it is stopped, the same command resumes.

    TRIPLES is one file of triples, or a folder with train.tsv, valid.tsv and test.tsv. Each line is a head, a relation
    and a tail with tabs between. The missing entity of each test triple is ranked among all entities (filtered ranks).

    \b
    Examples:
      wordworth kg train triples/ --out kg/
      wordworth kg train triples/ --model rotate --dimension 200 --out kg/
      wordworth kg train triples.tsv --model distmult --epochs 100 --out kg/
    """
    if not triples.is_dir():
        check_file(triples)  # before torch is imported
    from wordworth.studies.knowledge_graph import train_knowledge_graph

    say_verdict(train_knowledge_graph(triples, out, progress=Bars(), **chosen(choices)), out)
