"""Writers of prediction files: JSON Lines, CoNLL, and tables (CSV, Parquet) that contain the input rows too."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput

if TYPE_CHECKING:
    import pyarrow as pa

    from wordworth.tasks.task import Kind

_MAIN = {
    "single": "label",
    "pair": "label",
    "regression": "value",
    "multilabel": "labels",
    "choice": "choice",
    "span": "answer",
    "tags": "tags",
}
"""The key of the answer itself in a row of JSON Lines; in a table its column is `prediction`."""
_GROUP = 4_096


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer with its input row.

    Attributes:
        cells: the cells of the input row by column, as text.
        number: index of the row in the file, from 0.
        answer: names and values; the values are None where the row has no text.
    """

    cells: Mapping[str, str]
    number: int
    answer: Mapping[str, Any]


Write = Callable[[Path, Iterator[AnswerRow], "Layout"], int]


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table of answers.

    Attributes:
        kind: of the task that the model was fine-tuned on.
        classes: of that task; each has a column for its probability where the kind has probabilities.
        given: columns of the input file, which come first.
        doubts: for spans, whether the model predicts the probability that there is no answer.
    """

    kind: Kind
    classes: Sequence[str]
    given: Sequence[str]
    doubts: bool = False

    @property
    def own(self) -> dict[str, str]:
        """Names of an answer's values -> their columns, which differ from the input file's columns."""
        names = {"row": "row", _MAIN[self.kind]: "prediction"}
        names |= {f"probability {name}": f"probability_{name}" for name in self._shares}
        more = {"choice": ("option", "probabilities"), "span": ("start", "no_answer")[: 1 + self.doubts]}
        names |= {name: name for name in more.get(self.kind, ())}
        if self.kind == "tags" and "words" not in self.given:
            names["words"] = "words"
        return {name: _free(column, self.given) for name, column in names.items()}

    @property
    def _shares(self) -> Sequence[str]:
        return self.classes if self.kind in {"single", "pair", "multilabel"} else ()

    def values(self, row: AnswerRow) -> dict[str, Any]:
        """Return a row of the table: the cells of the input row, then the answer's values."""
        values = dict(row.answer)
        shares = values.pop("probabilities") if self._shares else None
        values |= {f"probability {name}": shares and shares[name] for name in self._shares}
        values["row"] = row.number
        cells = {name: row.cells.get(name, "") for name in self.given}
        return cells | {column: values[name] for name, column in self.own.items()}


def _free(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _json_lines(path: Path, rows: Iterator[AnswerRow], layout: Layout) -> int:  # noqa: ARG001 - a Write
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            answer = {"id": row.cells.get("id") or row.number, **row.answer}
            file.write(json.dumps(answer, ensure_ascii=False) + "\n")
            count += 1
    return count


def _conll(path: Path, rows: Iterator[AnswerRow], layout: Layout) -> int:
    """Write one word and its tag per line, with a blank line after each sentence."""
    if layout.kind != "tags":
        mend = "give a .jsonl, .csv or .parquet"
        raise BadInput("a .conll holds tags, and this model does not predict tags", where=str(path), mend=mend)
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            pairs = zip(row.answer["words"], row.answer["tags"], strict=True)
            file.writelines(f"{word}\t{tag}\n" for word, tag in pairs)
            file.write("\n")
            count += 1
    return count


def _csv(path: Path, rows: Iterator[AnswerRow], layout: Layout) -> int:
    """Write one row per answer; lists (tags, labels) are written as JSON."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*layout.given, *layout.own.values()])
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _flat(value) for name, value in layout.values(row).items()})
            count += 1
    return count


def _flat(value: Any) -> Any:  # noqa: ANN401 - an answer holds values of any type
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value


def _parquet(path: Path, rows: Iterator[AnswerRow], layout: Layout) -> int:
    """Write typed columns: those of the input file as text, probabilities as numbers, several values as lists."""
    import pyarrow as pa
    from pyarrow import parquet

    schema, count = _schema(layout), 0
    with parquet.ParquetWriter(path, schema) as writer:
        while block := [layout.values(row) for row in islice(rows, _GROUP)]:
            writer.write_table(pa.Table.from_pylist(block, schema=schema))
            count += len(block)
    return count


def _schema(layout: Layout) -> pa.Schema:
    import pyarrow as pa

    texts, numbers = pa.list_(pa.string()), pa.list_(pa.float64())
    kinds = {"row": pa.int64(), "value": pa.float64(), "labels": texts, "tags": texts, "words": texts}
    kinds |= {"choice": pa.int64(), "probabilities": numbers, "start": pa.int64(), "no_answer": pa.float64()}
    own = [
        (column, pa.float64() if name.startswith("probability ") else kinds.get(name, pa.string()))
        for name, column in layout.own.items()
    ]
    return pa.schema([*((name, pa.string()) for name in layout.given), *own])


WRITERS: dict[str, Write] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".csv": _csv,
    ".parquet": _parquet,
    ".conll": _conll,
}
"""The writer of answers for each suffix; each returns the number of rows written."""
