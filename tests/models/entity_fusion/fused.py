"""A small model that fuses five made-up entities, and the folder of their vectors."""

from pathlib import Path

import numpy as np
from tests.models.tiny import write_tiny

from wordworth.inference.fuse_entities import fuse_entities

ENTITIES = ("Q1", "Q2", "Q3", "Q4", "Q5")
SIZE = 8


def write_table(folder: Path, size: int = SIZE, entities=ENTITIES) -> Path:
    folder.mkdir(parents=True)
    np.save(folder / "entities.npy", np.random.default_rng(0).standard_normal((len(entities), size)).astype("f"))
    (folder / "entities.tsv").write_text("id\tname\n" + "".join(f"{entity}\tits name\n" for entity in entities))
    return folder


def write_fused(folder: Path, **options) -> Path:
    """`encoder/`, `kg/` and `fused/` in a folder; returns the last."""
    write_tiny(folder / "encoder")
    fuse_entities(str(folder / "encoder"), write_table(folder / "kg"), folder / "fused", **options)
    return folder / "fused"
