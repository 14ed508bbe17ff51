"""The cheap rungs beside what a specialist makes of the same labels with scikit-learn.

    python benchmarks/specialists.py --data DATA --cells cells.jsonl --out record.json
    python benchmarks/specialists.py --data DATA --cells cells.jsonl --side rungs --again

The specialist tunes views, model, C and class weight by cross-validation of the whole pipeline inside the labels. The
rung is the ladder's own, with the choices it makes itself. Each cell (set, labels, draw, side, rung) is kept as soon as
it is done; another run goes on where the last one ended, and `--again` computes what is asked for anew. With `--former`
the rungs alone need be computed, since the specialists' scores stand in an earlier record.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from measure import machine
from specialist_models import WEIGHTS, CountedGrams, FixedVectors, outcome, score, tuned
from specialist_record import former_cells, record, table
from specialist_sets import SETS, rows_of, task
from wordworth import seeds
from wordworth.checked_json import read_checked
from wordworth.cli.scripts import recorded_lines, run_script, writable_path
from wordworth.files import write_text
from wordworth.representations.feature_blocks import Blocks, Features
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.random_vectors import RandomRung
from wordworth.representations.rung import RunContext, Rung
from wordworth.representations.static_vectors import glove, wordllama
from wordworth.representations.tfidf import Tfidf
from wordworth.tasks.task import Task

SIZES = (500, 2_000)
STATIC_SETS = ("mr", "trec", "subj", "cola", "tweet_emotion", "hate_offensive", "mrpc", "stsb")
DRAWS = 3
FEWER = tuple(f"{model} {weight}" for model in ("svc 0.1", "svc 1", "logistic 3", "logistic 30") for weight in WEIGHTS)
"""The models that offsets are tried on."""
Cell = dict[str, Any]
Key = tuple[str, int, int, str, str]


def rungs() -> dict[str, Rung]:
    head = LinearHead()
    return {
        "tfidf": RepresentationRung(Tfidf()),
        "random": RandomRung(head),
        "glove": glove(head),
        "wordllama": wordllama(head),
    }


def plan(options: argparse.Namespace) -> Iterator[Key]:
    """Yield the cells to compute: the smaller size of every set first."""
    sides, sizes = options.side or ("offsets", "specialist", "rungs"), options.labels
    for side in sides:
        for labels in sizes:
            for name in options.sets:
                offsets = SETS[name].metric.startswith("f1:") or SETS[name].metric == "macro_f1"
                if side == "offsets" and (offsets or SETS[name].kind == "multilabel"):
                    yield from ((name, labels, draw, side, "tfidf") for draw in range(options.draws))
                elif side != "offsets":
                    kept = [rung for rung in options.rungs if rung == "tfidf" or name in STATIC_SETS]
                    yield from ((name, labels, draw, side, rung) for rung in kept for draw in range(options.draws))


def compute(key: Key, data: Path) -> Cell:
    name, labels, draw, side, rung = key
    data_set, began = task(name, data, draw), time.process_time()
    rows = rows_of(data_set, labels)
    if side == "rungs":
        scores = of_rung(data_set, rows, rungs()[rung])
    elif rung == "tfidf":
        fewer = (("both",), FEWER) if side == "offsets" else ()
        scores = outcome(data_set, rows, tuned(data_set, rows, CountedGrams.of(data_set, rows), *fewer))
    else:
        scores = outcome(data_set, rows, tuned(data_set, rows, FixedVectors(vectors(data_set, rungs()[rung]))))
    about = {"set": name, "labels": labels, "draw": draw, "side": side, "rung": rung}
    return about | scores | {"metric": data_set.metric, "learned": len(rows), "seconds": time.process_time() - began}


def of_rung(of: Task, rows: np.ndarray, rung: Rung) -> Cell:
    """Return the rung's own choice and its score on the test texts."""
    predictor = rung.prepare(of, RunContext()).fit(rows, seeds.child(0, "specialists", of.name))
    predictions = predictor.predict(of.test)
    assert not isinstance(predictions, tuple)
    return {"score": score(of, of.gold(of.test), predictions), "chosen": dict(predictor.chosen)}


def vectors(of: Task, rung: Rung) -> dict[str, np.ndarray]:
    """Return the features that the rung's head reads, by view."""
    learner = rung.prepare(of, RunContext())
    assert isinstance(learner, RepresentationLearner)
    every = learner.features(np.arange(len(of.examples)))
    return {view: _dense(every[view]) for view in every}


def _dense(features: Features) -> np.ndarray:
    if isinstance(features, Blocks):
        return np.hstack([_dense(part) for part in features.parts])
    return np.asarray(features if isinstance(features, np.ndarray) else features.toarray(), dtype=np.float64)


def key_of(cell: Mapping[str, Any]) -> Key:
    return cell["set"], cell["labels"], cell["draw"], cell["side"], cell["rung"]


def read_cells(path: Path) -> dict[Key, Cell]:
    """Read the cells of earlier runs; of a key computed twice, the last."""
    return {key_of(cell): cell for cell in recorded_lines(path)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--cells", type=Path, required=True, help="JSON lines, one a cell; a re-run goes on there")
    parser.add_argument("--side", action="append", choices=("offsets", "specialist", "rungs"), help="this side alone")
    parser.add_argument("--sets", nargs="*", choices=list(SETS), default=list(SETS), metavar="SET")
    parser.add_argument("--rungs", nargs="*", default=["tfidf", "random", "glove", "wordllama"])
    parser.add_argument("--labels", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--draws", type=int, default=DRAWS, help="of the labels; the test texts are the same")
    parser.add_argument("--again", action="store_true", help="compute anew what is kept")
    parser.add_argument(
        "--former", type=Path, help="an earlier record; its specialists answer where the cells have none"
    )
    parser.add_argument("--out", type=writable_path, help="write the record here")
    options = parser.parse_args()
    done = {} if options.again else read_cells(options.cells)
    for key in plan(options):
        if key not in done:
            cell = compute(key, options.data)
            print({name: value for name, value in cell.items() if name != "chosen"}, flush=True)
            with options.cells.open("a", encoding="utf-8") as file:
                file.write(json.dumps(cell) + "\n")
    former = former_cells(read_checked(options.former, "give another --former")) if options.former else []
    summary = record(({key_of(cell): cell for cell in former} | read_cells(options.cells)).values())
    print("\n".join(table(summary["beside"])), json.dumps(summary["means"], indent=1), sep="\n")
    if options.out is not None:
        write_text(options.out, json.dumps({**summary, "machine": machine()}, indent=1) + "\n")


if __name__ == "__main__":
    run_script(main)
