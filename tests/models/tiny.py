"""Small random checkpoints as folders, for tests."""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file

from wordworth.models.families import family_of
from wordworth.models.families.base import Fields

PIECES = ["[UNK]", "[PAD]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz.,!?'", "##a", "##b", "##s", "the"]
BERT_LIKE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}
MODERN_IDS = {"pad_token_id": 1, "bos_token_id": 2, "cls_token_id": 2, "eos_token_id": 3, "sep_token_id": 3}
SETTINGS = {
    "bert": {**BERT_LIKE, "max_position_embeddings": 24},
    "roberta": {**BERT_LIKE, "max_position_embeddings": 26, "type_vocab_size": 1, "pad_token_id": 1},
    "xlm-roberta": {**BERT_LIKE, "max_position_embeddings": 26, "type_vocab_size": 1, "pad_token_id": 1},
    "distilbert": {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48, "max_position_embeddings": 24},
    "mpnet": {**BERT_LIKE, "max_position_embeddings": 26},
    "electra": {**BERT_LIKE, "max_position_embeddings": 24, "embedding_size": 16},
    "modernbert": {
        **BERT_LIKE,
        "num_hidden_layers": 4,
        "max_position_embeddings": 24,
        "local_attention": 4,
        **MODERN_IDS,
    },
    "gpt2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 24},
}


def loud_(model: torch.nn.Module, seed: int = 0) -> None:
    """Large biases and gains far from 1: a term left out cannot hide."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in model.named_parameters():
        noise = torch.randn(parameter.shape, generator=generator)
        gain = "norm.weight" in name
        parameter.data = 1 + noise if gain else noise * (0.3 if parameter.dim() > 1 else 1.0)


def write_tiny(folder: Path, model_type: str = "bert", *, modules: bool = True, **changes: object) -> Path:
    """A checkpoint folder of that type: config, weights, vocabulary, and mean pooling in the old schema."""
    folder.mkdir(parents=True, exist_ok=True)
    family = family_of(model_type, "")
    raw = {"vocab_size": len(PIECES), **SETTINGS[model_type], "model_type": model_type, **changes}
    model = family.build(family.read(Fields(raw, "")))
    loud_(model)
    (folder / "config.json").write_text(json.dumps(raw))
    save_file(family.table.to_checkpoint(model.state_dict()), folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": true}')
    if modules:
        write_modules(folder)
    return folder


def write_modules(folder: Path, pooling: dict | None = None, *kinds: str) -> None:
    """`modules.json` with a pooling module and others behind it."""
    listed = [("", "Transformer"), ("1_Pooling", "Pooling"), *((f"x_{kind}", kind) for kind in kinds)]
    entries = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (path, kind) in enumerate(listed)
    ]
    (folder / "modules.json").write_text(json.dumps(entries))
    (folder / "1_Pooling").mkdir(exist_ok=True)
    default = {"word_embedding_dimension": 32, "pooling_mode_mean_tokens": True}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(default if pooling is None else pooling))


def write_prompts(folder: Path, prompts: object, default: str | None = None) -> Path:
    """The prompts of a folder, as sentence-transformers writes them."""
    named = {"prompts": prompts, "default_prompt_name": default}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(named))
    return folder
