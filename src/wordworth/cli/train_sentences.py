"""`wordworth train-sentences`: train sentence vectors on pairs or triples of texts, or on the vectors of a teacher."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import say_verdict
from wordworth.sources import require
from wordworth.text.read_compressed_file import check_file
from wordworth.training.sentences.settings import SentenceTrainingSettings


@click.command("train-sentences", cls=Command)
@click.argument("data", type=click.Path(path_type=Path))
@settings_options(SentenceTrainingSettings)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the model, record.json and report.html.",
)
def command(data: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Train sentence vectors on pairs or triples of texts. If it is stopped, the same command resumes.

    DATA is a .csv, .tsv, .jsonl or .parquet file with two or three columns of texts, and for some losses a label or a
    score. From labelled pairs, the losses ranking and triplet learn from pairs whose texts are alike (--positive). With
    --loss mse DATA is any file of texts: a smaller model learns to give them the vectors of a larger one.

    \b
    Examples:
      wordworth train-sentences nli.csv --model mini --loss ranking --out sbert/
      wordworth train-sentences nli.csv --loss softmax --dev sts-dev.csv --out sbert/
      wordworth train-sentences sts.csv --loss cosine --label score --epochs 4 --out sbert/
      wordworth train-sentences pairs.csv --text question --text-b answer --batch-size 1024 --out sbert/
      wordworth train-sentences pairs.csv --matryoshka 64,128 --out sbert/
      wordworth train-sentences pairs.csv --negatives-from minilm --out sbert/
      wordworth train-sentences pairs.csv --query-prompt "query: " --document-prompt "passage: " --out e5/
      wordworth train-sentences texts.csv --loss mse --layers 3 --out small/
    """
    selected = chosen(choices)
    check_file(data)  # before torch is imported
    if "model" in selected:
        require(selected["model"])
    from wordworth.studies.train_sentences import train_sentences

    say_verdict(train_sentences(data, out, progress=Bars(), **selected), out)
