"""`wordworth predict`: predict every row of a file with a fine-tuned model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process import say
from wordworth.cli.progress_bars import Bars


@click.command("predict")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("path", metavar="INPUT", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The .jsonl, .csv or .parquet file to write; for tags also a .conll, for SQuAD a .json.",
)
@click.option("--text", help="Column of the texts (words, contexts), if it has no usual name.")
@click.option("--text-b", "second", help="Column of the second texts.")
@click.option("--device", default="auto", show_default=True, help="cpu, cuda or auto.")
@click.option(
    "--dtype",
    type=click.Choice(["auto", "float32", "bfloat16"]),
    default="auto",
    show_default=True,
    help="Data type to compute in; auto is bfloat16 where the machine multiplies it faster.",
)
def command(run: Path, path: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Predict every row of INPUT with the model in RUN, the folder that wordworth finetune wrote.

    INPUT is a .jsonl, .csv, .tsv, .parquet or CoNLL file (with or without tags), which may be compressed, or a SQuAD
    .json, for which OUT is the official prediction file and, where questions may have no answer, an OUT.na_prob.json is
    written too. A .csv or .parquet OUT holds INPUT's own columns, `row` (from 0), `prediction`, and a probability for
    each class.

    \b
    Examples:
      wordworth predict run/ input.jsonl --out answers.jsonl
      wordworth predict run/ reviews.csv --text review --out answers.csv
      wordworth predict run/ dev-v2.0.json --out answers.json
      wordworth predict run/ words.conll --out tags.conll
    """
    from wordworth.inference.predict import predict
    from wordworth.text_format import count_of

    report = predict(run, path, out, progress=Bars(), **choices)
    computed = f", computed in {report.dtype} (--dtype float32 is exact)" if report.dtype != "float32" else ""
    say(f"{report.out}: {count_of(report.rows, 'answer')}{computed}")
