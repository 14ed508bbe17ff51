"""Read the files of sentence-transformers: `modules.json`, pooling in its old and new schema, Dense, length limits.

Modules are recognised by the last part of their type's name; nothing is ever imported by a name in a file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast, get_args

from wordworth.errors import BadInput, nearest
from wordworth.json_file import read_json, read_object
from wordworth.models.pooling import DENSE_ACTIVATIONS, Dense, Normalize, SentenceHead, SentencePooling
from wordworth.models.weight_files import read_weights
from wordworth.sources import FINE_TUNED

OLD_KEYS: Mapping[str, SentencePooling] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""The old schema's flags, in the order in which several poolings are concatenated."""


@dataclass(frozen=True, slots=True)
class SentenceSettings:
    """A folder's settings for turning texts and token states into sentence vectors.

    Attributes:
        home: the folder of the transformer, which may be inside the folder with `modules.json`.
        head: the pooling and the maps after the pooling. The output layer of a fine-tuned model, which
            sentence-transformers reads as the last map, is left out, so that texts get vectors, not logits.
        exists: whether the folder has a `modules.json`; without one the pooling is `mean`, as in sentence-transformers.
        max_length: limit in tokens, special ones included; None if not specified.
        prompt: text put before every text.
        prompts: name -> prompt, for every prompt that the folder names.
        lowercase: whether texts must be lowercased before the tokenizer reads them.
    """

    home: Path
    head: SentenceHead = field(default_factory=SentenceHead)
    exists: bool = False
    max_length: int | None = None
    prompt: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)
    lowercase: bool = False


def read_sentence_settings(folder: Path) -> SentenceSettings:
    """Read the sentence settings of a model's folder, with or without `modules.json`.

    Raises:
        BadInput: a file is damaged, or names an unknown module or pooling.
    """
    path = folder / "modules.json"
    if not path.is_file():
        return SentenceSettings(folder, max_length=_max_length(folder))
    try:
        modules = sorted(read_json(path), key=lambda module: module["idx"])
        listed = [(str(module["type"]).rsplit(".", 1)[-1], folder / module["path"]) for module in modules]
    except (KeyError, TypeError) as error:
        raise BadInput("this is not a list of modules", where=str(path), mend="fetch the checkpoint again") from error
    home = next((module for kind, module in listed if kind == "Transformer"), folder)
    prompt, prompts = _prompts(folder)
    return SentenceSettings(
        home,
        _head(listed, path, has_output=(folder / FINE_TUNED).exists()),
        exists=True,
        max_length=_max_length(home),
        prompt=prompt,
        prompts=prompts,
        lowercase=_lowercase(home),
    )


def _head(modules: list[tuple[str, Path]], where: Path, *, has_output: bool) -> SentenceHead:
    """Return the pooling and the maps of modules, (type, folder) each; with `has_output` a last Dense is left out."""
    modes: tuple[SentencePooling, ...] = ()
    steps: list[Dense | Normalize] = []
    for kind, folder in modules:
        if kind == "Pooling":
            modes = _modes(folder / "config.json")
        elif kind == "Normalize":
            steps.append(Normalize())
        elif kind == "Dense":
            steps.append(_dense(folder))
        elif kind != "Transformer":
            mend = nearest(kind, ("Pooling", "Normalize", "Dense"))
            raise BadInput(f"module {kind!r} is not supported", where=str(where), mend=mend)
    if not modes:
        raise BadInput("no Pooling among the modules", where=str(where), mend="is this a model for sentence vectors?")
    if has_output and steps and isinstance(steps[-1], Dense):
        steps.pop()
    return SentenceHead(modes, tuple(steps))


def _modes(path: Path) -> tuple[SentencePooling, ...]:
    raw = read_object(path)
    if not raw.get("include_prompt", True):
        raise BadInput("pooling without the prompt is not supported", where=str(path), mend="choose another checkpoint")
    if "pooling_mode" in raw:
        value = raw["pooling_mode"]
        names = [value] if isinstance(value, str) else list(value)
    else:
        names = [mode for key, mode in OLD_KEYS.items() if raw.get(key)] or ["mean"]
    for name in names:
        if name not in get_args(SentencePooling):
            raise BadInput(
                f"unknown pooling {name!r}", where=str(path), mend=nearest(str(name), get_args(SentencePooling))
            )
    return tuple(cast("list[SentencePooling]", names))


def _dense(folder: Path) -> Dense:
    raw, weights = read_object(folder / "config.json"), read_weights(folder)
    activation = str(raw.get("activation_function", "torch.nn.modules.activation.Tanh"))
    if activation not in DENSE_ACTIVATIONS:
        raise BadInput(
            f"unknown activation {activation!r}", where=str(folder), mend=nearest(activation, DENSE_ACTIVATIONS)
        )
    if raw.get("use_residual") or "linear.weight" not in weights:
        raise BadInput("this Dense module is not supported", where=str(folder), mend="choose another checkpoint")
    bias = weights.get("linear.bias")
    return Dense(weights["linear.weight"].float(), None if bias is None else bias.float(), activation)


def _max_length(folder: Path) -> int | None:
    """Return the smaller limit of `sentence_bert_config.json` and `tokenizer_config.json`; None without a limit."""
    values: list[Any] = []
    for name, key in (("sentence_bert_config.json", "max_seq_length"), ("tokenizer_config.json", "model_max_length")):
        if (folder / name).is_file():
            values.append(read_object(folder / name).get(key))
    limits = [int(value) for value in values if isinstance(value, int | float) and 0 < value < math.inf]
    return min(limits, default=None)


def _lowercase(folder: Path) -> bool:
    path = folder / "sentence_bert_config.json"
    return path.is_file() and read_object(path).get("do_lower_case") is True


def _prompts(folder: Path) -> tuple[str, dict[str, str]]:
    """Return (default prompt of a folder, "" if it has no default; name -> prompt for all its prompts)."""
    path = folder / "config_sentence_transformers.json"
    raw = read_object(path) if path.is_file() else {}
    named = raw.get("prompts") or {}
    if not isinstance(named, dict):
        what = f"the prompts are of type {type(named).__name__}, not an object"
        raise BadInput(what, where=str(path), mend='write them as {"query": "query: "}')
    prompts = {str(name): "" if text is None else str(text) for name, text in named.items()}
    default = raw.get("default_prompt_name")
    return "" if default is None else prompts.get(str(default), ""), prompts
