"""The speed of a pruned model and of its ONNX graph, beside the whole model and its graph, in one process by turns.

python benchmarks/pruned_graph.py run/ dev.csv --share 40 --rounds 7

`run/` is the folder of a fine-tuning. Heads are ranked by labelled rows of `dev.csv` and removed as `wordworth prune`
does; both graphs are written as it writes them, and run by onnxruntime in float32 on one thread, as ours are. Texts are
tokenized before the clock runs. Seconds are the processor's, one thread each, which other work on the machine moves
less than the clock.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import onnxruntime

import measure
from wordworth.cli.scripts import run_script, writable_path
from wordworth.inference.finetuned_run import read_run
from wordworth.inference.labelled_inputs import labelled_inputs, read_halves
from wordworth.inference.onnx_export import INPUTS, OUTPUT, write_onnx
from wordworth.inference.prune import without_least_important
from wordworth.models.pruning import require_all_heads
from wordworth.models.transformer import Transformer
from wordworth.progress import SILENT
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.finetuning.trainer import FineTunedModel

_BATCH, _TEXTS = 32, 64


def main() -> None:
    """Time each of six ways in batches of 32 and one by one, and report seconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--share", type=int, default=40, help="percent of the heads that go")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    tuned = read_run(options.run)
    model = require_all_heads(tuned.encoder.model, str(options.run))
    task = read_halves(tuned.predictor, options.data, ReadSettings())
    ranking = labelled_inputs(tuned.network, task, task.train[:200])
    smaller = without_least_important(tuned, model, ranking, SILENT, share=options.share / 100, as_zeros=False)
    inputs = labelled_inputs(tuned.network, task, task.test[:_TEXTS]).inputs
    with tempfile.TemporaryDirectory() as folder:
        ways = _ways(tuned.network.tuned, (model, smaller.model), inputs, Path(folder))
        figures = {"heads removed": len(smaller.heads), "texts": len(inputs), "rounds": options.rounds}
        figures["mean tokens"] = float(inputs.sizes.mean())
        figures |= {"bytes of the graphs": {path.name: path.stat().st_size for path in Path(folder).rglob("*.onnx")}}
        for size, name in ((_BATCH, "in batches of 32"), (1, "one by one")):
            figures |= {f"{key}, {name}": value for key, value in _timed(ways, inputs, size, options.rounds).items()}
    measure.report(figures | {"largest difference of a score": _difference(ways, inputs)}, options.out)


Way = Callable[[TokenizedExamples], np.ndarray]
"""From examples to their scores, [texts, outputs]."""


def _ways(
    tuned: FineTunedModel, models: Sequence[Transformer], inputs: TokenizedExamples, folder: Path
) -> dict[str, Way]:
    ways: dict[str, Way] = {}
    for model, suffix in zip(models, ("", ", pruned"), strict=True):
        own = tuned.with_encoder(model)
        exact = replace(own, predictor=own.network)
        target = folder / f"graph{suffix.replace(', ', '-')}"
        target.mkdir()
        path = write_onnx(model, own.network, target).rename(target.with_suffix(".onnx"))
        session = onnxruntime.InferenceSession(str(path), _options(), providers=["CPUExecutionProvider"])
        ways[f"ours, as it computes here{suffix}"] = partial(_own, own)
        ways[f"ours, float32{suffix}"] = partial(_own, exact)
        ways[f"graph{suffix}"] = partial(_graph, session)
    for way in ways.values():
        way(inputs)
    return ways


def _options() -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return options


def _own(tuned: FineTunedModel, inputs: TokenizedExamples) -> np.ndarray:
    return np.concatenate(tuned.scores(inputs))


def _graph(session: onnxruntime.InferenceSession, inputs: TokenizedExamples) -> np.ndarray:
    """Run the graph on texts that are padded to the longest."""
    shape = (len(inputs), int(inputs.sizes.max()))
    feed = {name: np.zeros(shape, np.int64) for name in INPUTS}
    for row, tokens in enumerate(inputs.tokens):
        for name, values in zip(INPUTS, (tokens.ids, np.ones(len(tokens)), tokens.segments), strict=True):
            feed[name][row, : len(tokens)] = values
    known = {each.name for each in session.get_inputs()}
    scores: np.ndarray = session.run([OUTPUT], {name: feed[name] for name in INPUTS if name in known})[0]
    return scores


def _timed(
    ways: dict[str, Way], inputs: TokenizedExamples, size: int, rounds: int
) -> dict[str, measure.Spread | dict[str, measure.Spread]]:
    order = np.argsort(inputs.sizes, kind="stable")  # texts of like length together, so that little is padded
    parts = [inputs.take(order[start : start + size]) for start in range(0, len(inputs), size)]
    works = {name: partial(_all, way, parts) for name, way in ways.items()}
    seconds = measure.in_turns(works, rounds, clock=time.process_time)
    milliseconds = {
        name: measure.Spread.of([1_000 * each / len(inputs) for each in of]) for name, of in seconds.items()
    }
    pairs = [(f"{name}, pruned", name) for name in ways if not name.endswith("pruned")]
    pairs += [(name, name.replace("graph", "ours, float32")) for name in ways if name.startswith("graph")]
    pairs += [(name, name.replace("graph", "ours, as it computes here")) for name in ways if name.startswith("graph")]
    faster = {f"{way} beside {base}": measure.ratios(seconds, base)[way] for way, base in pairs}
    return {"ms a text": milliseconds, "times as fast": faster}


def _all(way: Way, parts: Sequence[TokenizedExamples]) -> None:
    for part in parts:
        way(part)


def _difference(ways: dict[str, Way], inputs: TokenizedExamples) -> float:
    """Return how far the graphs' scores are, at most, from ours in float32."""
    return max(
        float(np.abs(ways[f"graph{suffix}"](inputs) - ways[f"ours, float32{suffix}"](inputs)).max())
        for suffix in ("", ", pruned")
    )


if __name__ == "__main__":
    run_script(main)
