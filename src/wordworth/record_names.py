"""Former names in records: what earlier versions wrote is read under the names of today."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerNames:
    """Former name -> name today, in the records of one kind.

    Attributes:
        settings, data, tables: of the settings, of the entries of `data`, of the tables.
        columns: of the columns of each table, by the table's name today.
    """

    settings: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


_PREDICTED = {"said": "predicted"}
FORMER: Mapping[str, FormerNames] = {
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
}
"""Kind of record -> its former names."""


def with_todays_names(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a parsed record file with its former names replaced."""
    former = FORMER.get(record["kind"], FormerNames())
    tables = {
        name: {part: renamed(table[part], former.columns.get(name, {})) for part in ("columns", "describe")}
        for name, table in renamed(record["tables"], former.tables).items()
    }
    settings, data = renamed(record["settings"], former.settings), renamed(record["data"], former.data)
    return {**record, "settings": settings, "data": data, "tables": tables}


def renamed(values: Mapping[str, T], former: Mapping[str, str]) -> dict[str, T]:
    """Return values under their names of today.

    >>> renamed({"rate": 1e-4, "seed": 0}, {"rate": "learning_rate"})
    {'learning_rate': 0.0001, 'seed': 0}
    """
    return {former.get(name, name): value for name, value in values.items()}
