"""`Family`: all that tells one kind of checkpoint from another: how it is read, written, trained and named."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from wordworth.errors import BadInput, nearest
from wordworth.models.encoder_base import Encoder, EncoderConfig
from wordworth.models.lm_heads import MaskedLanguageModelHead, TiedHead
from wordworth.models.model_sizes import MOST_LAYERS
from wordworth.models.transformer_config import Activation, TransformerConfig
from wordworth.models.weight_mapping import Names
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_protocol import TokenizerProtocol

SPECIAL_ROLES = ("unk", "cls", "sep", "pad", "mask")
"""Roles of the special tokens that BERT and its relatives need."""


def language_model_head(config: Any, heads: Mapping[str, Tensor]) -> nn.Module:  # noqa: ANN401, ARG001 - a family's config; another family asks the heads
    """Build the head that maps states to logits over the vocabulary: GPT-2's for a causal model, else BERT's.

    GPT-2's head has no weights of its own: it multiplies states by the token embedding matrix. The weights of BERT's
    head must still be loaded into it.

    Args:
        config: the config of the encoder.
        heads: name -> tensor of the checkpoint's heads.
    """
    return TiedHead() if config.causal else MaskedLanguageModelHead(config)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The names of one family of checkpoints, and the functions that read, write and build its models.

    Attributes:
        model_types: values of `model_type` in a `config.json`; the first is written for new models.
        encoder_class: the class that loads the encoder alone, as `architectures` in `config.json` names it.
        class_prefixes: model type -> how the names of its classes in transformers begin (`XLMRoberta`); empty if
            transformers has no such class.
        table: maps the checkpoint's names of tensors to this package's, and back.
        read: converts the fields of a checkpoint's `config.json` to a config of this package.
        write: converts a config of this package to the fields of `config.json`, without `model_type`; undoes `read`.
        build: makes a model from a config of this package.
        tokenizer: reads the tokenizer from a folder.
        new: returns the config of a new model to pretrain from the sizes and options that a recipe sets for a BERT.
            None if models of this family are only read, not pretrained.
        lm_head: builds the head that maps states to logits over the vocabulary, from the config and the checkpoint's
            tensors of heads. The head's weights must still be loaded into it.
        pretrained_class: names the class of transformers that has the heads of pretraining, from the config, the names
            of the heads and the prefix of the model type's classes. It is called only if transformers has such classes.
        task_layers: ending of the name of a class of transformers that has a head for a task (`QuestionAnswering`; ""
            for all other endings) -> names of the layers above the encoder. These are a mapping: name in this package
            (`output`, `pooler`) -> name in `table`, without `heads.`. None if transformers has no such classes.
        pools: whether fine-tuning adds BERT's pooler to a checkpoint that lacks one.
        special_roles: given the roles (such as `mask`) of the special tokens that a vocabulary has, returns the roles
            that it must have.
        config_ids: field of a new model's `config.json` -> role of the special token whose id is the value of that
            field.
    """

    model_types: tuple[str, ...]
    encoder_class: str
    class_prefixes: Mapping[str, str] = field(default_factory=dict)
    table: Names
    read: Callable[[Fields], EncoderConfig]
    write: Callable[[Any], Mapping[str, Any]]
    build: Callable[[Any], Encoder]
    tokenizer: Callable[[Path], TokenizerProtocol] = Tokenizer.read
    new: Callable[[TransformerConfig], EncoderConfig] | None = None
    lm_head: Callable[[Any, Mapping[str, Tensor]], nn.Module] = language_model_head
    pretrained_class: Callable[[Any, Collection[str], str], str] = lambda _config, _heads, prefix: (
        f"{prefix}ForMaskedLM"
    )
    task_layers: Mapping[str, Mapping[str, str]] | None = None
    pools: bool = False
    special_roles: Callable[[Collection[str]], tuple[str, ...]] = lambda _: SPECIAL_ROLES
    config_ids: Mapping[str, str] = field(default_factory=dict)

    def class_of(self, model_type: object) -> str:
        """Return the name of an encoder's class, such as `XLMRobertaModel`, for `architectures` in `config.json`."""
        prefix = self.class_prefixes.get(str(model_type))
        return self.encoder_class if prefix is None else f"{prefix}Model"


_ACTIVATIONS: dict[str, Activation] = {
    "gelu": "gelu_erf",
    "gelu_python": "gelu_erf",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "relu": "relu",
}
_MOST = 2**24
"""Maximal value of a size in a config, above all real models; torch can still count the bytes of such tensors."""
ACTIVATION_NAMES: dict[Activation, str] = {"gelu_erf": "gelu", "gelu_tanh": "gelu_new", "relu": "relu"}


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a `config.json`, read with checks; errors name the file."""

    raw: Mapping[str, Any]
    where: str

    def integer(self, name: str, default: int, least: int = 0) -> int:
        """Read a field that holds a whole number.

        Args:
            name: the field.
            default: its value if the file lacks the field.
            least: the smallest valid value.

        Raises:
            BadInput: the field is not a whole number, is below `least`, or is larger than any real model needs.
        """
        value = self.raw.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
            what = f"{name!r} is {value!r:.40}, not a whole number up to {_MOST:,}"
            raise BadInput(what, where=self.where, mend="fetch the file again")
        if value < least:
            raise BadInput(f"{name!r} is {value}: no model is so small", where=self.where, mend="fetch the file again")
        return value

    def layers(self, name: str, default: int, least: int = 1) -> int:
        """Read a number of layers, from `least` to a limit above any real model.

        Without the limit, a damaged file could make the model take hours to build before its weights are checked.

        Args:
            name: the field.
            default: its value if the file lacks the field.
            least: the smallest valid number of layers.

        Raises:
            BadInput: the field is not a whole number between `least` and the limit.
        """
        value = self.integer(name, default, least)
        if value > MOST_LAYERS:
            what = f"{name!r} is {value}: no model has more than {MOST_LAYERS:,} layers"
            raise BadInput(what, where=self.where, mend="fetch the file again")
        return value

    def number(self, name: str, default: float) -> float:
        """Read a field that holds a number.

        Args:
            name: the field.
            default: its value if the file lacks the field.

        Raises:
            BadInput: the field is not a number, or larger than any real model needs.
        """
        value = self.raw.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _MOST:
            what = f"{name!r} is {value!r:.40}, not a number up to {_MOST:,}"
            raise BadInput(what, where=self.where, mend="fetch the file again")
        return float(value)

    def activation(self, name: str, default: str) -> Activation:
        """Read a field that names an activation function; return this package's name for the function.

        Args:
            name: name of the field.
            default: the value of a missing field.

        Raises:
            BadInput: the activation is unknown.
        """
        hf_name = str(self.raw.get(name, default))
        if hf_name not in _ACTIVATIONS:
            raise BadInput(f"unknown activation {hf_name!r}", where=self.where, mend=nearest(hf_name, _ACTIVATIONS))
        return _ACTIVATIONS[hf_name]

    def fields(self, name: str) -> Fields:
        """Read a field that holds fields of its own; without any if the file lacks it.

        Args:
            name: name of the field.

        Raises:
            BadInput: the field is not an object.
        """
        inner = self.raw.get(name)
        if inner is not None and not isinstance(inner, Mapping):
            raise BadInput(f"{name!r} is {inner!r:.40}, not an object", where=self.where, mend="fetch the file again")
        return Fields(inner or {}, self.where)

    def require(self, name: str, value: object) -> None:
        """Check that a field has the only value that this package implements.

        Args:
            name: the field.
            value: the value that the field must have; a missing field counts as having it.

        Raises:
            BadInput: the field differs from `value`.
        """
        actual = self.raw.get(name, value)
        if actual != value:
            raise BadInput(
                f"{name} {actual!r} is not supported, only {value!r}",
                where=self.where,
                mend="choose another checkpoint",
            )
