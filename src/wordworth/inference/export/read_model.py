"""`read_source`: read the model to export, which is a fine-tuned model or a sentence encoder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import as_path
from wordworth.inference.finetuned_run import TunedRun, read_run
from wordworth.models.load import load
from wordworth.models.text_encoder import TextEncoder
from wordworth.training.finetuning.run_folder import find_model_folder, model_folder


@dataclass(frozen=True, slots=True)
class Source:
    """A model to export.

    Attributes:
        name: name or folder by which the encoder is loaded.
        encoder: the encoder, in float32.
        run: the fine-tuned model; None for an encoder without a task.
    """

    name: str
    encoder: TextEncoder
    run: TunedRun | None = None


def read_source(model: Path | str) -> Source:
    """Read the model to export.

    Args:
        model: the output folder of a fine-tuning; or the name, folder or hub name of an encoder.

    Raises:
        BadInput: there is no such model, or it is a static table.
    """
    if find_model_folder(as_path(model, "model")) is not None:
        run = read_run(model)
        return Source(str(model_folder(Path(model))), run.encoder, run)
    encoder = load(model, hash_whole=True)
    if not isinstance(encoder, TextEncoder):
        what = "this is a static table, and only fine-tuned models and encoders are exported"
        raise BadInput(what, where=str(model), mend="name an encoder, such as minilm")
    return Source(str(model), encoder)
