"""The public functions and the types of their parameters, for the tests that walk all of them."""

from __future__ import annotations

import typing
from collections.abc import Callable
from importlib import import_module

import wordworth as ww

LATE_TYPES = {
    "Check": "wordworth.inference.check_model_files",
    "LanguageModel": "wordworth.models.language_model",
    "LastLayer": "wordworth.models.encoder_base",
    "PretrainingResult": "wordworth.training.pretraining.run",
    "StaticTable": "wordworth.models.static_embeddings",
    "TextEncoder": "wordworth.models.text_encoder",
}
"""Types whose modules load torch or scipy, which a function that names them does not -> the module."""
FUNCTIONS: dict[str, Callable[..., object]] = {
    name: getattr(ww, name) for name in ww.__all__ if not isinstance(getattr(ww, name), type)
}


def hints(function: Callable[..., object]) -> dict[str, object]:
    """Return the types of a function's parameters and of what it returns."""
    import pandas as pd

    late = {name: getattr(import_module(module), name) for name, module in LATE_TYPES.items()}
    documented = import_module("wordworth.models.known_models").models if function is ww.models else function
    return typing.get_type_hints(documented, {**late, "pd": pd, **vars(import_module(documented.__module__))})
