"""`wordworth study`: studies of a model itself; each is a command of its own, imported when it is run."""

from __future__ import annotations

import click

from wordworth.cli.lazy_group import LazyGroup

STUDIES = {
    "context": "Measure how contextual a model's vectors are, layer by layer.",
    "words": "Score static tables on word benchmarks.",
    "senses": "Classify word senses by the nearest centroid; look at words one by one.",
}


@click.group("study", cls=LazyGroup, offered=STUDIES, modules="wordworth.cli.study_", called=("study", "Studies"))
def command() -> None:
    """Study what a model's vectors are like.

    \b
    Examples:
      wordworth study context --model minilm --data sentences.txt --out run/
      wordworth study words --models static/ glove --sets all
      wordworth study senses --model minilm
    """
