"""`wordworth serve`: serve a model over HTTP."""

from __future__ import annotations

from typing import Any

import click

from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.serving.run_server import require_packages, serve
from wordworth.serving.settings import ServeSettings
from wordworth.sources import require


@click.command("serve")
@click.argument("model")
@settings_options(ServeSettings)
def command(model: str, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Serve a model to clients of OpenAI's API and of text-embeddings-inference, until Ctrl-C.

    MODEL is a name, a folder or a hub name of an encoder or a static table, which gives vectors; or the output folder
    of a study (wordworth worth), a fine-tuning or a probe, which gives predictions.

    \b
    Examples:
      wordworth serve minilm
      wordworth serve sbert/ --port 8080 --dtype float32
      wordworth serve run/ --host 0.0.0.0 --api-key-file keys.txt
      curl 127.0.0.1:8080/v1/embeddings -d '{"input": "a text", "model": "minilm"}'
    """
    require_packages()
    require(model)
    serve(model, progress=Bars(), **chosen(choices))
