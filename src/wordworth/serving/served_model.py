"""`Served`: the loaded model of a server, with the facts that `/info` reports: name, fingerprint and canaries.

The canaries are the model's vectors of fixed texts, by which clients recognise the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import as_path
from wordworth.models.canary_texts import CANARIES, as_base64
from wordworth.models.static_embeddings import StaticTable
from wordworth.serving.settings import ServeSettings
from wordworth.serving.text_reader import TextReader, reader_of
from wordworth.sources import short_name


@dataclass(frozen=True, slots=True)
class Served:
    """The loaded model of a server.

    Attributes:
        name: the model's name for clients.
        model: a `TextReader` of an encoder or static table, or a `RunPredictor` for the model in the output folder of a
            run (a fine-tuning, a probe, a cascade or a study `worth`).
        fingerprint: hash of everything that decides the model's answers.
        canaries: vectors of the fixed texts `CANARIES` in base64, by which clients recognise the model; empty for a
            `RunPredictor`.
    """

    name: str
    model: Any
    fingerprint: str
    canaries: list[str]

    @property
    def predicts(self) -> bool:
        """True if the model is the result of a run: it returns predictions instead of vectors."""
        return not hasattr(self.model, "embed")

    @classmethod
    def load(cls, model: Any, settings: ServeSettings) -> Served:  # noqa: ANN401 - a name or a loaded model
        """Load a model for a server.

        Args:
            model: name or folder of a model, or a loaded encoder or static table.
            settings: dtype, device and threads for a model that is loaded here.

        Raises:
            BadInput: there is no model of that name, or its files are damaged.
        """
        if not isinstance(model, str | Path):
            reader = reader_of(pooled_as(model, settings))
            return cls._of_reader(str(getattr(model, "name", "model")), reader)
        from wordworth.training.finetuning.run_folder import find_model_folder
        from wordworth.training.finetuning.unwritten_verdict import unwritten_verdict

        if find_model_folder(as_path(model, "model")) is None:
            if (error := unwritten_verdict(Path(model))) is not None:
                raise error
            from wordworth.models.load import load

            loaded = load(model, dtype=settings.dtype, threads=settings.threads, device=settings.device)
            return cls._of_reader(_name(model), reader_of(pooled_as(loaded, settings)))
        from wordworth.serving.predictor_adapter import RunPredictor

        _require_own_pooling(settings, "a run predicts", str(model))
        predictor = RunPredictor.read(Path(model), settings.dtype, settings.device, settings.threads)
        return cls(_name(model), predictor, predictor.fingerprint(), [])

    @classmethod
    def _of_reader(cls, name: str, reader: TextReader) -> Served:
        vectors = reader.embed(reader.read(CANARIES, cut=True))
        return cls(name, reader, reader.fingerprint(), [as_base64(vector) for vector in vectors])


def pooled_as(model: Any, settings: ServeSettings) -> Any:  # noqa: ANN401 - a loaded model
    """Return a copy of an encoder that pools token states as the settings say; the model itself if they change nothing.

    Args:
        model: an encoder or static table.
        settings: `layers`, `pooling` and `special_tokens` are read.

    Raises:
        BadInput: the settings name a layer or pooling that does not exist, or change the pooling of a static table.
    """
    if settings.pools_as_model:
        return model
    if isinstance(model, StaticTable):
        _require_own_pooling(settings, "a static table has one vector a word", model.name)
    from wordworth.models.choose_layers_and_pooling import with_layers_and_pooling

    layers, pooling = settings.layers or None, settings.pooling
    return with_layers_and_pooling(model, layers, pooling, special_tokens=settings.special_tokens)  # type: ignore[arg-type]  # checked there


def _require_own_pooling(settings: ServeSettings, why: str, where: str) -> None:
    if not settings.pools_as_model:
        what = f"{why}: --pooling, --layer and --no-special-tokens are for an encoder"
        raise BadInput(what, where=where, mend="leave them out")


def _name(model: str | Path) -> str:
    return short_name(str(model)) if Path(model).exists() else str(model)
