"""`RunPredictor`: serve a model that predicts, from the output folder of a run; it answers as `predict` does.

A run is a fine-tuning, a probe, a cascade or a study `worth`, whose output folder holds a model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.inference.predict_rows import blank_rows
from wordworth.inference.prediction_inputs import ColumnRoles, InputRow, examples_of
from wordworth.inference.read_predictor import needs_torch, read_predictor
from wordworth.sources import digest
from wordworth.training.finetuning.checkpoint_metadata import CASCADE, RUNG
from wordworth.training.finetuning.run_folder import model_folder

if TYPE_CHECKING:
    from wordworth.inference.read_predictor import AnyPredictor

_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class RunPredictor:
    """A model that predicts labels or other values, with the interface by which a server uses it.

    The model is a fine-tuned one, a probe, a cascade, or a text representation with its classifier, as the study
    `worth` saves it.

    Attributes:
        folder: the model's folder.
        predictor: the model.
        threads: number of batches that are computed at the same time; 1 for a model without torch.
        confine: returns a context manager; a thread computes on one core inside its `with` block.
    """

    folder: Path
    predictor: AnyPredictor
    threads: int = 1
    confine: Callable[[], AbstractContextManager[Any]] = nullcontext

    @classmethod
    def read(cls, run: Path, dtype: str, device: str = "auto", threads: int | None = None) -> RunPredictor:
        """Read the model in a run's folder.

        Args:
            run: the run's folder, or the model folder inside it.
            dtype: dtype of an encoder's computation.
            device: where an encoder computes: `cpu`, `cuda` or `auto`.
            threads: number of threads that compute; None takes torch's.

        Raises:
            BadInput: there is no model, or its answer to a row depends on the rows around it.
        """
        folder = model_folder(run)
        if not needs_torch(folder):
            return cls(folder, read_predictor(run, device, dtype))
        import torch

        from wordworth.models.parallel_map import ONE_THREAD

        if threads is not None:
            torch.set_num_threads(threads)
        predictor = read_predictor(run, device, dtype)
        if predictor.reads_neighbours:
            what = "this model reads a sentence with its neighbours, so that an answer depends on the rows around it"
            raise BadInput(what, where=str(run), mend="use wordworth predict on a file")
        return cls(folder, predictor, torch.get_num_threads(), ONE_THREAD.limit)

    def fingerprint(self) -> str:
        """Return a hash of the folder's files and the dtype."""
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return content_key(self.predictor.dtype, *(f"{path.name} {digest(path)}" for path in files))

    @property
    def measured(self) -> dict[str, object]:
        """Results that the run measured, by name; empty for a fine-tuning or a probe.

        A study `worth` has `verdict`, and a cascade has `cascade`.
        """
        rung, cascade = (self.predictor.facts.get(name) for name in (RUNG, CASCADE))
        known = {} if not cascade else {"cascade": cascade}
        names = ("title", "answer", "metric", "score", "cost")
        return known if not rung else {"verdict": {name: rung.get(name) for name in names}}

    def rows(self, inputs: Any) -> tuple[list[InputRow], bool]:  # noqa: ANN401 - whatever a client sent
        """Return the rows in the field `inputs` of a request, and whether `inputs` is a list of rows.

        A row is a text, a pair of texts, or an object with the columns of a file. A list of two texts is one pair if
        the model reads pairs. Any other list is a list of rows.

        Raises:
            BadInput: `inputs` or a row has another form.
        """
        if isinstance(inputs, str | dict):
            return [self._row(inputs, "inputs")], False
        if not isinstance(inputs, list):
            raise BadInput("inputs is neither a text, an object nor a list", mend="give a text or a list of texts")
        if self.predictor.pairs and len(inputs) == 2 and all(isinstance(each, str) for each in inputs):  # noqa: PLR2004 - a pair
            return [self._row(inputs, "inputs")], False
        return [self._row(each, f"inputs[{number}]") for number, each in enumerate(inputs)], True

    def _row(self, value: object, where: str) -> InputRow:
        if isinstance(value, str):
            value = [value]
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            names = ("text", "text_b") if self.predictor.pairs else ("text",)
            if len(value) > len(names):
                what = f"{len(value)} texts, and this model reads {'a pair' if self.predictor.pairs else 'one'}"
                raise BadInput(what, where=where, mend="give each text alone")
            if len(value) < len(names):
                mend = 'give both: ["…", "…"], or {"text_a": "…", "text_b": "…"}'
                raise BadInput("one text, and this model reads a pair", where=where, mend=mend)
            return InputRow(dict(zip(names, value, strict=True)), where)
        if isinstance(value, dict):
            cells = {name: cell if isinstance(cell, str) else _as_json(cell) for name, cell in value.items()}
            row = InputRow(cells, where)
            if nested := [name for name in self._roles.text_columns(row) if isinstance(value[name], list | dict)]:
                raise BadInput(f"the field {nested[0]!r} holds no text", where=where, mend="give one text in it")
            return row
        raise BadInput("not a text, a pair of texts or an object", where=where, mend="give a text")

    def costs(self, rows: Sequence[InputRow]) -> list[int]:
        """Return an estimate of the number of tokens of each row."""
        return [_tokens_of(*row.cells.values()) for row in rows]

    def costs_of_pairs(self, query: str, texts: Sequence[str]) -> list[int]:
        """Return an estimate of the number of tokens of a query with each text."""
        return [_tokens_of(query, text) for text in texts]

    def require_columns(self, rows: Sequence[InputRow]) -> None:
        """Check that all rows have the columns that the model reads, with a text in each.

        Raises:
            BadInput: a row lacks a column or a text, so that it has no prediction.
        """
        blank = blank_rows(examples_of(rows, self._roles))
        if self.predictor.task_type.predicts_blank and any(blank):
            where = rows[blank.index(True)].where
            raise BadInput("a row without a text has no prediction", where=where, mend="leave it out")

    @property
    def _roles(self) -> ColumnRoles:
        return ColumnRoles(
            self.predictor.task_type, self.predictor.pairs, training_columns=self.predictor.columns, in_json=True
        )

    def relevance_to(self, query: str, relevant: str | None) -> Callable[[Sequence[str]], list[float]]:
        """Return a function from texts to the relevance of each to a query.

        Args:
            query: the query.
            relevant: name of the class of relevant pairs; None takes the second of two classes.

        Raises:
            BadInput: the model is not a cross-encoder, or has no class of this name.
        """
        from wordworth.inference.rerank import cross_encoder, relevance

        network, column = cross_encoder(self.predictor, relevant)
        return lambda texts: relevance(network, column, [(query, text) for text in texts]).tolist()

    def predict(self, rows: Sequence[InputRow]) -> list[dict[str, Any]]:
        """Return the prediction for each row, as a dict of the values that `wordworth predict` writes."""
        return self.predictor.answers(examples_of(rows, self._roles))


def _tokens_of(*texts: str) -> int:
    """Return an estimate of the number of tokens of texts that are read together, from their characters."""
    return 2 + sum(map(len, texts)) // _CHARACTERS_A_TOKEN


def _as_json(cell: object) -> str:
    return "" if cell is None else msgspec.json.encode(cell).decode()
