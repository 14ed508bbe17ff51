"""A small random BERT with whole words as pieces, as a folder: what contextual rungs are tested on."""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from tests.models.tiny import write_modules

from wordworth.models.families import family_of
from wordworth.models.families.base import Fields
from wordworth.models.transformer import init_weights
from wordworth.testing.sample_tasks import sample_task

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789?!.,"


def write_tiny_encoder(folder: Path, layers: int = 2) -> Path:
    """Width 32, two layers by default, 96 positions; every word of the sample tasks is one piece."""
    folder.mkdir(parents=True, exist_ok=True)
    words = sorted({word for text in sample_task("single").examples.first for word in text.split()})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *(f"##{letter}" for letter in LETTERS), *words]
    pieces = list(dict.fromkeys(pieces))
    sizes = {"hidden_size": 32, "num_hidden_layers": layers, "num_attention_heads": 4, "intermediate_size": 48}
    raw = {"model_type": "bert", "vocab_size": len(pieces), "max_position_embeddings": 96, **sizes}
    family = family_of("bert", "")
    model = family.build(family.read(Fields(raw, "")))
    init_weights(model, 0.2, torch.Generator().manual_seed(0))
    (folder / "config.json").write_text(json.dumps(raw))
    save_file(family.table.to_checkpoint(model.state_dict()), folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n")
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": true}')
    write_modules(folder)
    return folder
