"""`Served`: a model in memory with what its clients may know of it: its name, its fingerprint and its canaries."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordworth.files import as_path
from wordworth.models.canaries import CANARIES, as_base64
from wordworth.serving.settings import ServeSettings
from wordworth.serving.text_reader import TextReader, reader_of
from wordworth.sources import short_name


@dataclass(frozen=True, slots=True)
class Served:
    """A model in memory.

    Attributes:
        name: the name that clients give.
        model: an encoder or a table, or the model of a run.
        fingerprint: a key of all that decides its answers.
        canaries: vectors of `CANARIES`; empty for the model of a run.
    """

    name: str
    model: Any
    fingerprint: str
    canaries: list[str]

    @property
    def predicts(self) -> bool:
        """True for the model of a run, which gives predictions instead of vectors."""
        return not hasattr(self.model, "embed")

    @classmethod
    def load(cls, model: Any, settings: ServeSettings) -> Served:  # noqa: ANN401 - a name or a loaded model
        """Load the model of a name or folder, unless it is loaded already.

        Raises:
            BadInput: nothing has that name, or its files are damaged.
        """
        if not isinstance(model, str | Path):
            reader = reader_of(model)
            return cls._of_reader(str(getattr(model, "name", "model")), reader)
        from wordworth.training.finetuning.run_folder import find_model_folder

        if find_model_folder(as_path(model, "model")) is None:
            from wordworth.models.load import load

            loaded = load(model, dtype=settings.dtype, threads=settings.threads, device=settings.device)
            return cls._of_reader(_name(model), reader_of(loaded))
        from wordworth.serving.run_predictor import RunPredictor

        predictor = RunPredictor.read(Path(model), settings.dtype, settings.device, settings.threads)
        return cls(_name(model), predictor, predictor.fingerprint(), [])

    @classmethod
    def _of_reader(cls, name: str, reader: TextReader) -> Served:
        vectors = reader.embed(reader.read(CANARIES, cut=True))
        return cls(name, reader, reader.fingerprint(), [as_base64(vector) for vector in vectors])


def _name(model: str | Path) -> str:
    return short_name(str(model)) if Path(model).exists() else str(model)
