"""Small models, and the files beside them, that functions read."""

import shutil
from typing import NamedTuple

import numpy as np
from tests.inference.tuned_model import write_tuned
from tests.integration.small_tables import NAMED
from tests.models.entity_fusion.fused import write_fused
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.layers.small_files import treebank
from tests.training.pretraining.conftest import PIECES, documents

import wordworth as ww

SHORT = {"model_size": "1x32", "steps": 2, "evals": 1, "override": {"batch_size": 4, "lengths": (16, 16)}}
"""Settings of a pretraining run that learns nothing."""


class SmallModels(NamedTuple):
    """The paths of all models and files."""

    run: str
    other_run: str
    encoder: str
    tiny: str
    table: str
    tokenizer: str
    pretrained: str
    treebank: str
    features: str
    codebook: str
    fused: str


def write_small_models(folder):
    """Write all models and files into a folder, and return their paths."""
    words = sorted({word for row in NAMED for word in row["text"].lower().split()})
    (folder / "table.txt").write_text("".join(f"{word} {row}.0 1.0\n" for row, word in enumerate(words)))
    (folder / "tok").mkdir()
    (folder / "tok" / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    (folder / "tok" / "tokenizer_config.json").write_text('{"do_lower_case": true}')
    (folder / "text.txt").write_text("\n\n".join(documents(0, 20)))
    np.save(folder / "features.npy", np.random.default_rng(0).normal(size=(60, 3)))
    ww.learn_symbols(folder / "features.npy", folder / "codebook", k=2, depth=1)
    ww.pretrain(folder / "text.txt", tokenizer=folder / "tok", out=folder / "pretrained", **SHORT)
    run = write_tuned(folder, steps=20)
    return SmallModels(
        run=str(run),
        other_run=str(shutil.copytree(run, folder / "other_run")),
        encoder=str(folder / "encoder"),
        tiny=str(write_tiny_encoder(folder / "tiny")),
        table=str(folder / "table.txt"),
        tokenizer=str(folder / "tok"),
        pretrained=str(folder / "pretrained"),
        treebank=str(treebank(folder, 30)),
        features=str(folder / "features.npy"),
        codebook=str(folder / "codebook"),
        fused=str(write_fused(folder / "entities")),
    )
