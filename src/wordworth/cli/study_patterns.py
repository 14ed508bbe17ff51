"""`wordworth study patterns`: measure what attention heads attend to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.require_inputs import require_inputs
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.studies.attention_patterns.settings import PatternsSettings


@click.command("patterns", cls=Command)
@click.argument("data")
@settings_options(PatternsSettings)
@report_option
def command(data: str, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Measure what each attention head attends to: a neighbouring token, special tokens, or all tokens broadly.

    DATA is a .txt with one text per line, a file with a column of texts, or a JSON list of objects with text, words or
    tokens. Each number stands beside the same number for an encoder with random weights.

    \b
    Examples:
      wordworth study patterns texts.csv --out run/
      wordworth study patterns reviews.jsonl --model bert-base-uncased/ --text review --limit 500
    """
    from wordworth.studies.attention_patterns import patterns

    selected = chosen(choices)
    require_inputs({**selected, "data": data})
    say_verdict(patterns(Path(data), out=out, progress=Bars(), **selected), out)
