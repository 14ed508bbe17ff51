"""`wordworth study attention`: show what each attention head looks at in a text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options, was_given
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.cli.text_argument import text_of
from wordworth.sources import require
from wordworth.studies.attention.settings import RANDOM, AttentionSettings, both_given


@click.command("attention", cls=Command)
@click.argument("texts", nargs=-1, metavar="[TEXT] [TEXT]")
@settings_options(AttentionSettings)
@report_option
def command(texts: tuple[str, ...], out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Show what each attention head looks at in a text, or in two texts that are read together.

    Each TEXT is a text, or a file that holds one. The page has lines from token to token, small maps of all heads, and
    query and key of any two tokens.

    \b
    Examples:
      wordworth study attention "The cat sat because it was tired."
      wordworth study attention "Where is it?" "It is in Rome." --model bert-base-uncased/
      wordworth study attention "A fine film." --beside run/ --out attention/
      wordworth study attention --arrays maps.npz
    """
    from wordworth.studies.attention import attention

    selected = chosen(choices)
    if was_given("arrays") and was_given("model"):  # the settings cannot tell a default that was given
        raise both_given(selected["arrays"])
    for name in ("model", "beside"):
        if selected.get(name, RANDOM) != RANDOM:
            require(selected[name])  # before torch is imported
    say_verdict(attention([text_of(text) for text in texts], out=out, progress=Bars(), **selected), out)
