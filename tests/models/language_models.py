"""Small random language models as folders, for tests."""

from pathlib import Path

import torch
from tests.models.tiny import PIECES, loud_

from wordworth.models.checkpoint import Checkpoint
from wordworth.models.families.bert import BERT, BertConfig, bert
from wordworth.models.families.bilm import BILM, BilmConfig, bilm
from wordworth.models.families.gpt2 import GPT2, Gpt2Config, gpt2
from wordworth.models.language_model import LanguageModel, language_model
from wordworth.models.lm_heads import BidirectionalHead, MaskedLanguageModelHead
from wordworth.models.save_encoder import write_checkpoint
from wordworth.models.weight_mapping import LoadReport

SHAPE = {"vocab_size": len(PIECES), "hidden_size": 32, "num_layers": 2, "num_heads": 4, "intermediate_size": 48}
CONFIGS = {
    "bert": BertConfig(**SHAPE, max_positions=24, pooler=False),
    "causal-bert": BertConfig(**SHAPE, max_positions=24, causal=True, pooler=False),
    "pretraining": BertConfig(**SHAPE, max_positions=24),
    "gpt2": Gpt2Config(**SHAPE, max_positions=24),
    "bilm": BilmConfig(vocab_size=len(PIECES), projection_size=16, cell_size=24, max_length=24),
}


def made_up(kind: str) -> Checkpoint:
    """A checkpoint with its head, all weights random."""
    config = CONFIGS[kind]
    if kind == "gpt2":
        model, family, head, prefix = gpt2(config), GPT2, torch.nn.Module(), ""
    elif kind == "bilm":
        model, family, prefix = bilm(config), BILM, "heads.bilm."
        head = BidirectionalHead(config.vocab_size, config.projection_size, tied=True)
    else:
        model, family, head, prefix = bert(config), BERT, MaskedLanguageModelHead(config), "heads.mlm."
    loud_(model)
    loud_(head, seed=1)
    heads = {prefix + name: tensor for name, tensor in head.state_dict().items()}
    return Checkpoint(model.eval(), family, LoadReport(), heads, {})


def write_language_model(folder: Path, kind: str, *, heads: bool = True, **settings: object) -> Path:
    """A folder with config, weights, head and vocabulary."""
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = made_up(kind)
    architectures = {"bert": "BertForMaskedLM", "causal-bert": "BertLMHeadModel", "gpt2": "GPT2LMHeadModel"}
    named = architectures.get(kind, checkpoint.family.encoder_class) if heads else None
    write_checkpoint(checkpoint, folder, architecture=named)
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": true}')
    for name, text in settings.items():
        (folder / name).write_text(str(text))
    return folder


def a_language_model(folder: Path, kind: str) -> LanguageModel:
    """The same, loaded."""
    return language_model(write_language_model(folder / kind, kind))
