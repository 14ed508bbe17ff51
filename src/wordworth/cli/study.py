"""`wordworth study`: questions to a model itself; each study is a command of its own, loaded when it is called."""

from __future__ import annotations

import click

from wordworth.cli.lazy_group import LazyGroup

STUDIES = {
    "context": "Say how contextual a model's vectors are, layer by layer.",
    "words": "Score static tables on word benchmarks.",
    "senses": "Tell word senses by the nearest centroid; look at words one by one.",
}


@click.group("study", cls=LazyGroup, offered=STUDIES, modules="wordworth.cli.study_", called=("study", "Studies"))
def command() -> None:
    """Ask a model itself what its vectors are like.

    \b
    Examples:
      wordworth study context --model minilm --data sentences.txt --out run/
      wordworth study words --models static/ glove --sets all
      wordworth study senses --model minilm
    """
