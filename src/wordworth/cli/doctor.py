"""`wordworth doctor`: check that a checkpoint is what it claims to be, or that a server computes its vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.sources import require


@click.command("doctor")
@click.argument("model")
@click.option("--against", help="With an address: the model that the server should have. [default: what it says]")
@click.option(
    "--index", type=click.Path(path_type=Path), help="With an address: the index that is asked with its vectors."
)
@click.option("--api-key-file", type=click.Path(path_type=Path), help="With an address: a file with the key to send.")
@click.pass_context
def command(ctx: click.Context, /, model: str, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Check that a checkpoint is what it claims to be: tensors, pooling, token ids, reference vectors, casing.

    MODEL is a name, a folder, or the address of a server of OpenAI's embeddings API (http://host:port): the server's
    vectors are then compared with the vectors of the model on this machine, and the likely cause of a difference is
    named. Exits 1 if a check fails.

    \b
    Examples:
      wordworth doctor minilm
      wordworth doctor ./my-model/
      wordworth doctor http://127.0.0.1:8080 --against minilm
      wordworth doctor http://127.0.0.1:8080 --index index/
    """
    from wordworth.serving.doctor import doctor, is_address

    if not is_address(model):
        require(model)
    from wordworth.cli.progress_bars import Bars

    with Bars().step(f"checking {model}"):  # a large model takes many seconds to read
        checks = doctor(model, **choices)
    for check in checks:
        say(f"{'ok  ' if check.passed else 'FAIL'}  {check.name}: {check.detail}")
    ctx.exit(0 if all(check.passed for check in checks) else 1)
