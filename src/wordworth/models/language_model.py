"""`LanguageModel`: a checkpoint with its head over the vocabulary."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from wordworth.errors import BadInput
from wordworth.models.checkpoint import Checkpoint, read_checkpoint
from wordworth.models.encoder_base import Reads
from wordworth.models.lm_heads import word_table
from wordworth.sources import resolve
from wordworth.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from wordworth.models.encoder_base import Encoder


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModel:
    """An encoder, the head over its vocabulary, and its tokenizer, in evaluation mode.

    Attributes:
        name: the name that the model was loaded by.
        encoder: the encoder below the head.
        reads: how the model reads a text. `masked`: it fills gaps. `causal`: it reads from left to right.
            `bidirectional`: it reads from the left and from the right, separately.
        head: maps states [positions, d] and the token embedding matrix to logits [positions, vocabulary].
        tokenizer: the tokenizer of the checkpoint.
    """

    name: str
    encoder: Encoder
    head: nn.Module
    reads: Reads
    tokenizer: Tokenizer

    def log_probabilities(self, states: Tensor) -> Tensor:
        """Return the log-probability of every piece, float32 [positions, vocabulary], from states [positions, d]."""
        logits: Tensor = self.head(states, word_table(self.encoder))
        return logits.float().log_softmax(-1)

    def to(self, device: str | torch.device, dtype: torch.dtype = torch.float32) -> LanguageModel:
        """Move the weights to a device and dtype, in place; return the model itself."""
        self.encoder.to(device, dtype)
        self.head.to(device, dtype)
        return self


def language_model(name_or_folder: str | Path) -> LanguageModel:
    """Load a language model by its name in the catalogue, its local folder or its cached hub name.

    Raises:
        BadInput: nothing has that name, the model's files are damaged, or the model has no head over a vocabulary.
    """
    resolved = resolve(str(name_or_folder))
    if resolved.kind != "encoder":
        raise BadInput(
            f"{resolved.name!r} is not a language model ({resolved.kind})", mend="name a model that was pretrained"
        )
    checkpoint = read_checkpoint(resolved.folder)
    reads, head = language_model_head(checkpoint, str(name_or_folder))
    tokenizer = Tokenizer.read(resolved.folder)
    if tokenizer.vocab_size > checkpoint.model.config.vocab_size:
        message = f"the tokenizer knows {tokenizer.vocab_size} pieces, the weights {checkpoint.model.config.vocab_size}"
        raise BadInput(message, where=str(resolved.folder), mend="use the tokenizer that belongs to the weights")
    name = resolved.folder.name if resolved.location == "folder" else resolved.name
    return LanguageModel(name=name, encoder=checkpoint.model, head=head, reads=reads, tokenizer=tokenizer)


def language_model_head(checkpoint: Checkpoint, where: str = "") -> tuple[Reads, nn.Module]:
    """Return the kind of language model (`masked`, `causal` or `bidirectional`), and its head over the vocabulary.

    Args:
        checkpoint: the model with its heads; the head is returned in evaluation mode.
        where: the file or folder that errors name.

    Raises:
        BadInput: the checkpoint has no head over the vocabulary, or its head is not tied to the token embedding matrix.
    """
    config = checkpoint.model.config
    if not checkpoint.raw.get("tie_word_embeddings", True):
        raise BadInput("its output is not tied to its word table", where=where, mend="use a model whose output is")
    head = checkpoint.family.lm_head(config, checkpoint.heads)
    prefix = "heads.bilm." if config.reads == "bidirectional" else "heads.mlm."
    return config.reads, _filled(head, prefix, checkpoint, where)


def _filled(head: nn.Module, prefix: str, checkpoint: Checkpoint, where: str) -> nn.Module:
    """Load the checkpoint's weights, whose names begin with `prefix`, into the head; return the head."""
    weights = {name.removeprefix(prefix): tensor.float() for name, tensor in checkpoint.heads.items()}
    missing = [name for name in head.state_dict() if name not in weights]
    if missing:
        message = "this model has no language model head" + (f" (no {missing[0]})" if len(missing) == 1 else "")
        mend = "use a pretrained model that was saved with its head, such as mini or your own of `wordworth pretrain`"
        raise BadInput(message, where=where, mend=mend)
    head.load_state_dict({name: weights[name] for name in head.state_dict()})
    return head.eval()
