"""`fuse_entities`: write a model that fuses entities, made of an encoder and a table of entity vectors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import as_path, replacing_folder, require_free, require_outside
from wordworth.inference.entity_settings import FuseSettings
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.entity_fusion.config import EntityBertConfig
from wordworth.models.entity_fusion.entity_table import read_entity_table
from wordworth.models.entity_fusion.make_entity_bert import fuse
from wordworth.models.save_encoder import keep_sentence_files, write_checkpoint
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import settings_from
from wordworth.sources import resolve
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import save_tokenizer

_CARD = """---
tags: [wordworth]
---

# {model} with entities

{entities:,} entities of {width} numbers are fused into the upper {layers} layers (Zhang et al. 2019, arXiv 1905.07129),
whose weights for them are still random. Written by Wordworth, which loads it and reads links such as
`[[entity|mention]]` in texts.
"""


@dataclass(frozen=True, slots=True)
class FuseReport:
    """Report of `fuse_entities` on the model that it wrote.

    Attributes:
        out: folder of the model.
        entities: number of entities.
        width: width of an entity's vector.
        layers: number of upper layers that fuse entities.
    """

    out: Path
    entities: int
    width: int
    layers: int


@documented_by(FuseSettings)
def fuse_entities(
    model: str, entities: Path | str, out: Path | str, *, layers: int | None = None, seed: int = 0
) -> FuseReport:
    """Write a model that fuses the vectors of entities into text, from a BERT and a table of vectors.

        ww.fuse_entities("mini", "kg/", "fused/")

    The upper layers become layers of ERNIE (Zhang et al. 2019, arXiv 1905.07129). `adapt` with `objectives=mlm,dea`
    trains the new weights on text, `finetune` trains them on a task. Texts without links have the same states as in
    `model`.

    Args:
        model: a plain BERT, such as mini or minilm: a name, a folder or a hub name.
        entities: the folder that `kg train` wrote, or an .npy of vectors with a .tsv of identifiers beside it.
        out: the folder to write.

    Raises:
        BadInput: the model or the vectors cannot be read or do not fit, or `out` exists or cannot be written.
    """
    settings = settings_from({"layers": layers, "seed": seed}, FuseSettings)
    target = as_path(out, "--out")
    require_outside(target, model)
    require_free(target)
    resolved = resolve(model, hash_whole=False)
    if resolved.kind != "encoder":
        raise BadInput(f"{model!r} is a table of word vectors and not an encoder", mend="name an encoder, such as mini")
    table = read_entity_table(as_path(entities, "entities"))
    if not table.vectors.any():
        mend = "train or export the vectors again"
        raise BadInput("every number of these vectors is 0", where=str(entities), mend=mend)
    checkpoint, tokenizer = fuse(
        read_checkpoint(resolved.folder),
        Tokenizer.read(resolved.folder),
        table,
        layers=settings.layers,
        seed=settings.seed,
    )
    config = checkpoint.model.config
    assert isinstance(config, EntityBertConfig)  # noqa: S101 - `fuse` makes no other
    report = FuseReport(target, len(config.entities), config.entity_size, config.fused_layers)
    with replacing_folder(target) as part:
        write_checkpoint(checkpoint, part, architecture=checkpoint.family.encoder_class)
        save_tokenizer(tokenizer, part, segments=config.has_segments)
        keep_sentence_files(resolved.folder, checkpoint.model.width, part)
        card = _CARD.format(model=resolved.name, entities=report.entities, width=report.width, layers=report.layers)
        (part / "README.md").write_text(card, encoding="utf-8")
    return report
