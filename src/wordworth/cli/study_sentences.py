"""`wordworth study sentences`: score sentence vectors on pairs of texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.studies.sentences.settings import SentencesSettings
from wordworth.text.read_compressed_file import check_file


@click.command("sentences", cls=Command, several_values=True)
@settings_options(SentencesSettings)
@report_option
def command(out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Score sentence vectors on pairs of texts: do their cosines say how alike the texts are?

    The vectors are the model's own pooling, and the mean, the first and the maximum of its token states. For comparison
    there are its input layer, random weights and other models.

    \b
    Examples:
      wordworth study sentences --model sbert/ --data pairs.csv
      wordworth study sentences --model sbert/ --sets sts --other-models mini minilm glove
      wordworth study sentences --model sbert/ --data pairs.csv --labelled-pairs nli.csv
      wordworth study sentences --model sbert/ --data pairs.csv --label score --dimensions 64 128 --out run/
    """
    selected = chosen(choices)
    if "data" in selected:
        check_file(Path(selected["data"]))  # before torch is imported
    from wordworth.studies.sentences import sentences

    say_verdict(sentences(out=out, progress=Bars(), **selected), out)
