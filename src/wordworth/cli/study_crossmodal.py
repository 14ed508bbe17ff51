"""`wordworth study crossmodal`: train a model on words together with codes of video or sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.studies.crossmodal.settings import CrossmodalSettings
from wordworth.text.read_compressed_file import check_file


@click.command("crossmodal", cls=Command)
@click.argument("features", type=click.Path(path_type=Path))
@click.argument("sequences", type=click.Path(path_type=Path))
@settings_options(CrossmodalSettings)
@report_option
def command(features: Path, sequences: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Train a model on words together with codes of video or sound. If it is stopped, the same command resumes.

    FEATURES is an .npy with a row for each clip or frame, SEQUENCES a table with columns start, end, text and group.
    The model (VideoBERT) is tested on unseen groups: does it match words with codes, and predict one from the other?

    \b
    Examples:
      wordworth study crossmodal features.npy captions.csv --out run/
      wordworth study crossmodal features.npy captions.csv --k 12 --depth 4 --group-folds 6
    """
    for path in (features, sequences):
        check_file(path)  # before torch is imported
    from wordworth.studies.crossmodal import crossmodal

    say_verdict(crossmodal(features, sequences, out=out, progress=Bars(), **chosen(choices)), out)
