"""Wordworth: what is a word's context worth, and what is the least model that gives it to me?

>>> import wordworth as ww
>>> sorted(ww.__all__)[:2]
['LongTextWarning', 'Record']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wordworth.errors import LongTextWarning
    from wordworth.inference.fill_mask import fill
    from wordworth.inference.predict import predict
    from wordworth.models.load import load
    from wordworth.records import Record
    from wordworth.records import read as read_record
    from wordworth.studies.evaluate import evaluate
    from wordworth.studies.finetune import finetune
    from wordworth.studies.worth import worth
    from wordworth.tasks.datasets import named_task

__version__ = "0.1.0"
__all__ = [
    "LongTextWarning",
    "Record",
    "evaluate",
    "fill",
    "finetune",
    "load",
    "named_task",
    "predict",
    "read_record",
    "worth",
]

_HOMES = {
    "LongTextWarning": ("wordworth.errors", "LongTextWarning"),
    "Record": ("wordworth.records", "Record"),
    "evaluate": ("wordworth.studies.evaluate", "evaluate"),
    "fill": ("wordworth.inference.fill_mask", "fill"),
    "finetune": ("wordworth.studies.finetune", "finetune"),
    "load": ("wordworth.models.load", "load"),
    "named_task": ("wordworth.tasks.datasets", "named_task"),
    "predict": ("wordworth.inference.predict", "predict"),
    "read_record": ("wordworth.records", "read"),
    "report": ("wordworth.studies.report_folder", "report"),
    "worth": ("wordworth.studies.worth", "worth"),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - PEP 562: names load when first used, so that import stays fast
    if name not in _HOMES:
        raise AttributeError(f"module 'wordworth' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
