"""Former names in records: when an old record is read, its former names of settings and so on become today's names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerNames:
    """The former names in the records of one kind, such as `worth`.

    Attributes:
        settings: former name of a setting -> its name today.
        data: former name of an entry in the record's `data` -> its name today.
        tables: former name of a table -> its name today.
        columns: name of a table today -> former name of a column -> its name today.
    """

    settings: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


_PREDICTED = {"said": "predicted"}
FORMER_NAMES: Mapping[str, FormerNames] = {
    "finetune": FormerNames(
        settings={"rate": "learning_rate", "batch": "batch_size", "tokens": "max_length"},
        tables={"looks": "evaluations"},
        columns={
            "runs": {"rate": "learning_rate", "batch": "batch_size", "kept": "kept_step"},
            "confusion": _PREDICTED,
            "classes": _PREDICTED,
            "examples": _PREDICTED,
        },
    ),
    "worth": FormerNames(settings={"epsilon": "margin"}, tables={"literacy": "vocabulary_coverage"}),
}
"""Kind of record -> its former names."""


def with_todays_names(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a record file with every former name replaced by the name of today."""
    former = FORMER_NAMES.get(record["kind"], FormerNames())
    tables = {
        name: {part: renamed(table[part], former.columns.get(name, {})) for part in ("columns", "describe")}
        for name, table in renamed(record["tables"], former.tables).items()
    }
    settings, data = renamed(record["settings"], former.settings), renamed(record["data"], former.data)
    return {**record, "settings": settings, "data": data, "tables": tables}


def renamed(values: Mapping[str, T], former: Mapping[str, str]) -> dict[str, T]:
    """Return a mapping with the same values, each under its name of today.

    Args:
        values: name -> value.
        former: former name -> name of today.

    >>> renamed({"rate": 1e-4, "seed": 0}, {"rate": "learning_rate"})
    {'learning_rate': 0.0001, 'seed': 0}
    """
    return {former.get(name, name): value for name, value in values.items()}
