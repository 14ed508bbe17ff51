"""`wordworth kg fuse`: make a model that fuses the vectors of entities into text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.main_process_output import say
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.inference.entity_settings import FuseSettings
from wordworth.models.entity_fusion.entity_table import entity_files
from wordworth.sentence_formatting import count_of
from wordworth.sources import require


@click.command("fuse", cls=Command)
@click.argument("model")
@click.argument("entities", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the model.")
@settings_options(FuseSettings)
def command(model: str, entities: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Make a model that reads texts with links to entities, and fuses the vectors of these entities into the text.

    MODEL is a plain BERT, such as mini or minilm (which has no head that fills masks: adapt begins a new one). ENTITIES
    is the folder of kg train, or any .npy of vectors with a .tsv of identifiers beside it. The upper layers become
    layers of ERNIE (Zhang et al. 2019). Train the result with adapt, then finetune.

    \b
    Examples:
      wordworth kg fuse mini kg/ --out fused/
      wordworth kg fuse mini vectors.npy --layers 1 --out fused/
    """
    require(model)  # before torch is imported
    entity_files(entities)
    from wordworth.inference.fuse_entities import fuse_entities

    report = fuse_entities(model, entities, out, **chosen(choices))
    say(
        f"{report.out}: {count_of(report.entities, 'entity', 'entities')} of {report.width} numbers, fused into the"
        f" upper {count_of(report.layers, 'layer')}"
    )
