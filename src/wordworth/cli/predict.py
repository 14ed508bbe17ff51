"""`wordworth predict`: predict every row of a file with a fine-tuned model or with probes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.inference.predict_settings import PredictSettings
from wordworth.text.read_compressed_file import check_file
from wordworth.training.finetuning.run_folder import model_folder


@click.command("predict")
@click.argument("run", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.argument("data", metavar="INPUT", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The .jsonl, .csv or .parquet file to write; for tags also a .conll, for SQuAD a .json.",
)
@settings_options(PredictSettings)
def command(run: tuple[Path, ...], data: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Predict every row of INPUT with the model in RUN, the folder that wordworth finetune, probe or worth wrote.

    INPUT is a .jsonl, .csv, .tsv, .parquet, .txt (a text a line) or CoNLL file (with or without tags), which may be
    compressed; or a SQuAD .json. For a SQuAD .json OUT is the official prediction file, and where questions may have no
    answer, an answers.na_prob.json is written beside an answers.json. A .csv or .parquet OUT holds INPUT's own columns,
    `row` (from 0), `prediction`, and a probability for each class; a .jsonl holds the same, with INPUT's columns under
    `input`, and the row's `id` and the answer by the name of its kind (such as `label`).

    Several RUNs are probes on one encoder (wordworth probe), which share one pass over the texts: the columns of each
    begin with the name of its folder, and a .jsonl holds them under `answers` too.

    \b
    Examples:
      wordworth predict run/ input.jsonl --out answers.jsonl
      wordworth predict run/ reviews.csv --text review --out answers.csv
      wordworth predict run/ dev-v2.0.json --out answers.json
      wordworth predict run/ words.conll --out tags.conll
      wordworth predict topic/ tone/ spam/ new.csv --out answers.csv
    """
    for each in run:
        model_folder(each)
    check_file(data)
    from wordworth.inference.predict import predict
    from wordworth.sentence_formatting import count_of

    report = predict(run if len(run) > 1 else run[0], data, out, progress=Bars(), **chosen(choices))
    computed = f", computed in {report.dtype} (--dtype float32 is exact)" if report.dtype != "float32" else ""
    empty = f"; {count_of(report.empty, 'row')} with an empty text, left without one" if report.empty else ""
    say(f"{report.out}: {count_of(report.rows - report.empty, 'answer')}{empty}{computed}")
