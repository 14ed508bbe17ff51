"""`wordworth fill`: fill the gaps of a text with a masked language model."""

from __future__ import annotations

from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.inference.fill_settings import FillSettings
from wordworth.sources import require


@click.command("fill")
@click.argument("model")
@click.argument("text")
@settings_options(FillSettings)
def command(model: str, text: str, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Fill the gaps of a text: the likeliest pieces for each [MASK], with their probabilities.

    MODEL is the folder or name of a masked language model. A piece that begins with ## continues the word before the
    gap. Several gaps are filled independently.

    \b
    Examples:
      wordworth fill model/ "the capital of france is [MASK]."
      wordworth fill model/ "she [MASK] the [MASK] to school." --top 3
    """
    require(model)
    from wordworth.cli.progress_bars import Bars
    from wordworth.inference.fill_mask import fill  # imports torch

    with Bars().step(f"reading {model}"):
        filled = fill(model, text, **chosen(choices))
    for number, guesses in enumerate(filled.gaps, start=1):
        if len(filled.gaps) > 1:
            say(f"[MASK] {number} of {len(filled.gaps)}")
        for guess in guesses:
            say(f"{guess.probability:7.1%}  {guess.piece}")
    say(filled.best)
