"""`wordworth study codes`: predict codes at patients' visits, with an ontology and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.studies.medical_codes.settings import CodesSettings
from wordworth.text.read_compressed_file import check_file


@click.command("codes", cls=Command)
@click.argument("visits", type=click.Path(path_type=Path))
@settings_options(CodesSettings)
@report_option
def command(visits: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Predict the codes of one kind at patients' visits from codes of another kind. If stopped, the command resumes.

    VISITS is a table with columns patient, date, kind and code. G-BERT is trained four times: with graph attention over
    the ontology, with pretraining, with both and with neither; it is compared with four baselines.

    \b
    Examples:
      wordworth study codes visits.csv --target-ontology atc.csv --out run/
      wordworth study codes visits.parquet --input-ontology icd10.tsv --target-ontology atc.csv
      wordworth study codes visits.csv --target-ontology atc.csv --target-kind drug --synthetic
    """
    check_file(visits)  # before torch is imported
    from wordworth.studies.medical_codes import codes

    say_verdict(codes(visits, out=out, progress=Bars(), **chosen(choices)), out)
