"""What a run leaves: a model folder that transformers loads with its heads, and a card that says what it is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from torch import Tensor, nn

from wordworth.errors import BadInput
from wordworth.files import replacing, unwritable
from wordworth.models.bert import BertConfig
from wordworth.models.bilm import BilmConfig
from wordworth.models.checkpoint import Checkpoint
from wordworth.models.encoder_module import EncoderModule
from wordworth.models.families import BERT, BILM, GPT2, OUR_BERT, Family
from wordworth.models.families.our_bert import is_plain
from wordworth.models.names import NameReport
from wordworth.models.saving import write_checkpoint
from wordworth.models.transformer import Encoder
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_saving import save_tokenizer
from wordworth.training.pretraining.network import PretrainingModel


def write_model(network: PretrainingModel, tokenizer: Tokenizer, card: str, folder: Path) -> None:
    """Write config, weights with heads, tokenizer and card into `folder`; each file whole or not at all.

    Raises:
        BadInput: the disk is full or the folder cannot be written; the weights are replaced last.
    """
    part = folder / f".model.{os.getpid()}.part"
    try:
        part.mkdir(parents=True)
        write_checkpoint(_checkpoint(network), part, architecture=_architecture(network))
        save_tokenizer(tokenizer, part)
        (part / "README.md").write_text(card, encoding="utf-8")
        for path in sorted(part.iterdir(), key=lambda path: path.suffix == ".safetensors"):
            with replacing(folder / path.name) as neighbour:
                path.rename(neighbour)
    except OSError as error:
        raise unwritable(error, folder) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _checkpoint(network: PretrainingModel) -> Checkpoint:
    encoder = network.encoder
    assert isinstance(encoder, Encoder)  # noqa: S101 - every encoder that is built here is one
    return Checkpoint(encoder, _family(encoder), NameReport(), network.head_weights(), {})


def library(network: PretrainingModel) -> str:
    """What loads the folder: transformers where it has a class for such a model."""
    return "wordworth" if _family(network.encoder) in (BILM, OUR_BERT) else "transformers"


def _family(encoder: EncoderModule) -> Family:
    if isinstance(encoder.config, BilmConfig):
        return BILM
    if isinstance(encoder.config, BertConfig):
        return BERT if is_plain(encoder.config) else OUR_BERT
    return GPT2


def _architecture(network: PretrainingModel) -> str:
    """The class of transformers that has these heads; a bidirectional language model has none there."""
    config = network.encoder.config
    if isinstance(config, BilmConfig):
        return BILM.architecture
    if not isinstance(config, BertConfig):
        return "GPT2LMHeadModel"
    if not is_plain(config):
        return OUR_BERT.architecture
    if config.causal:
        return "BertLMHeadModel"
    return "BertForPreTraining" if "nsp" in network.heads else "BertForMaskedLM"


def take_weights(network: PretrainingModel, start: Checkpoint, folder: Path) -> Sequence[str]:
    """Bring encoder and heads to the weights of a checkpoint; the names of what it lacks and is fresh.

    Raises:
        BadInput: its config and its weights are of different shapes.
    """
    given = {f"encoder.{name}": tensor for name, tensor in start.model.state_dict().items()} | dict(start.heads)
    wanted = dict(network.state_dict())
    for name, tensor in given.items():
        if name in wanted and wanted[name].shape != tensor.shape:
            said = f"{name} is {tuple(tensor.shape)} in the weights, {tuple(wanted[name].shape)} by the config"
            raise BadInput(said, where=str(folder), mend="does config.json belong to these weights?")
    network.load_state_dict({name: given.get(name, tensor) for name, tensor in wanted.items()})
    return [name for name in wanted if name not in given]


def numbers(network: nn.Module) -> int:
    """How many numbers it learns."""
    parameters: list[Tensor] = list(network.parameters())
    return sum(parameter.numel() for parameter in parameters)
