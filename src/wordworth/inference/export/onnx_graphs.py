"""`write_graph`: a folder with a model as an ONNX graph, its tokenizer and its config."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wordworth.errors import require_package
from wordworth.files import replacing_folder
from wordworth.inference.export.read_model import Source
from wordworth.inference.onnx_export import INPUTS, OUTPUT, VECTOR, require_onnx, write_onnx, write_vector_graph
from wordworth.models.padded_transformer import require_no_rotary
from wordworth.models.pruning import require_heads
from wordworth.models.save_encoder import save
from wordworth.training.finetuning.checkpoint import save_finetuned

_CARD = """# model.onnx

Written by Wordworth, for onnxruntime: {inputs} (int64 [texts, length], as `tokenizer.json` gives them) to `{output}`.
"""


def write_graph(source: Source, out: Path, change: Callable[[Path], None] | None = None) -> None:
    """Write a folder with a model's ONNX graph, tokenizer and config.

    The graph gives the scores of a fine-tuned model, or the vectors of a sentence encoder.

    Args:
        source: the model.
        out: the folder, written whole or not at all.
        change: function that changes the file of the graph before the folder is put in place; None leaves it as it is.

    Raises:
        BadInput: this kind of model has no ONNX graph, or the folder cannot be written.
        MissingExtra: onnx is not installed.
    """
    model, run = require_heads(source.encoder.model, source.name), source.run
    if run is None:
        require_package("onnx", "onnx")
        require_no_rotary(model)
    else:
        require_onnx(run, source.name, "give --to sentence-transformers, which writes its encoder")
    with replacing_folder(out) as folder:
        if run is None:
            save(source.encoder, folder)
            path = write_vector_graph(model, source.encoder.head, folder)
        else:
            save_finetuned(folder, source.encoder, run.network.tuned.exact, run.predictor.facts)
            path = write_onnx(model, run.network.tuned.network, folder)
        if change is not None:
            change(path)
        for weights in folder.glob("*.safetensors"):  # they are in the graph
            weights.unlink()
        output = VECTOR if run is None else OUTPUT
        card = _CARD.format(inputs=", ".join(f"`{name}`" for name in INPUTS), output=output)
        (folder / "README.md").write_text(card, encoding="utf-8")
