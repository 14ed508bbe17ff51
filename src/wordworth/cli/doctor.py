"""`wordworth doctor`: check that a checkpoint is what it claims to be."""

from __future__ import annotations

import click

from wordworth.cli.main_process import say
from wordworth.sources import require


@click.command("doctor")
@click.argument("model")
@click.pass_context
def command(ctx: click.Context, model: str) -> None:
    """Check that a checkpoint is what it claims to be: tensors, pooling, token ids, reference vectors, casing.

    Exits 1 if a check fails.

    \b
    Examples:
      wordworth doctor minilm
      wordworth doctor ./my-model/
    """
    require(model)
    from wordworth.cli.progress_bars import Bars
    from wordworth.inference.checkpoint_checks import doctor  # imports torch

    with Bars().step(f"checking {model}"):  # a large model takes many seconds to read
        checks = doctor(model)
    for check in checks:
        say(f"{'ok  ' if check.passed else 'FAIL'}  {check.name}: {check.detail}")
    ctx.exit(0 if all(check.passed for check in checks) else 1)
