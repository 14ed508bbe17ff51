"""Is it worth going on with sentences like those of the task? Task-adaptive pretraining with nearest neighbours.

    python recipes/nearest_texts.py --train train.csv --test test.csv --corpus scientific.jsonl.xz --out nearest/

After Gururangan et al. (2020, arXiv 2004.10964), sections 4 and 5.2: a model goes on with the task's own texts, or with
these and the sentences of a corpus of the domain that are nearest to them. Four arms are fine-tuned on --train and
scored on --test:

* `plain`: the model as it is;
* `task`: gone on with the task's texts (TAPT);
* `nearest`: with these and the --neighbours nearest sentences of each in --corpus (kNN-TAPT);
* `random`: with these and as many characters of sentences drawn at random (the paper's RAND-TAPT).

All go on for the same number of steps. Nearest is by cosine of the vectors of --vectors, a static table (the paper has
a variational autoencoder over bags of words, and takes 50 to 500 from thousands of times as much text). No text that
shares 13 words in a row with --test is read by any.

Measured are the task's metric, and bits a character of the test texts, whose masked pieces are the same for all models.
The stages are `text`, `learn`, `bits`, `tune` and `report`. Every run is a cell: what is done is kept,
`--only 'tune/*/seed-1'` does some, and the same command started several times over shares them out. The end is
`nearest/nearest_texts.json` and `nearest/nearest_texts.md`.
"""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any

import torch

from parts import tuning
from parts.cells import Cell, deciding_settings, keep_to
from parts.domain_stores import StoreSizes, store_of
from parts.held_out_bits import Answers, ask, bits_per_character
from parts.masking_report import difference_rows, score_rows, verdict
from parts.names_replaced import write_texts
from parts.nearest_sentences import nearest_rows, pool_of, random_rows, without_tests
from parts.scored import Scored, scored_of
from parts.stages import make_cells, write_report
from parts.text_arms import (
    DECIDING,
    DIFFERENCES,
    PLAIN,
    add_options,
    arm_cells,
    finished_seeds,
    made_by,
    model_of,
    require_usable,
    results_of,
    task_of,
    texts_of,
)
from wordworth.checked_json import read_checked
from wordworth.cli.scripts import run_script
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.records import Record, Table
from wordworth.sources import require, resolve
from wordworth.studies.study import environment
from wordworth.text.corpus.evaluation_overlap import EvaluationTexts
from wordworth.text.tokenizer import Tokenizer

TASK, NEAREST, RANDOM = "task", "nearest", "random"
ARMS = (PLAIN, TASK, RANDOM, NEAREST)
STAGES = ("text", "learn", "bits", "tune")
BITS = "bits a character"
SCORES = {
    "measure": "the task's metric after fine-tuning, or bits a character before it (lower is better)",
    "on": "the test texts",
    "policy": "plain: the model as it is; task: gone on with the task's texts; nearest, random: also with sentences",
    "mean": "over seeds",
    "low": "lower end of the 95 % interval, over seeds and test texts",
    "high": "upper end of it",
    "seeds": "runs",
}
TEXTS = {
    "policy": "as in the scores",
    "texts": "texts that are read",
    "characters": "characters of them",
    "left_out": "texts of the task that are left out, as they share 13 words in a row with a test text",
}


def main() -> None:
    options = arguments()
    torch.set_num_threads(1)
    require_usable(options)
    require(options.vectors)
    task_of(options)  # bad rows and metrics are refused before anything is written
    keep_to(options.out, deciding(options))
    make_cells(options, lambda: cells_of(options))
    write_report(options, "nearest_texts", lambda: report(options), ("differences", "scores", "texts"))


def deciding(options: argparse.Namespace) -> dict[str, object]:
    """Return the settings that decide every run, apart from its seed."""
    return deciding_settings(
        options, (*DECIDING, "neighbours", "vectors", "metric", "sequences"), ("train", "test", "corpus")
    )


def sizes_file(options: argparse.Namespace) -> Path:
    """Return the file that says how large the texts are, which is written last of them."""
    out: Path = options.out
    return out / "text" / "sizes.json"


def cells_of(options: argparse.Namespace) -> list[Cell]:
    """Return all cells, seed by seed, so that those finished when time is up can be compared."""
    sizes = sizes_file(options)
    cells = [Cell("text/all", sizes, partial(select, options))]
    for seed in range(options.seeds):
        for arm in ARMS:
            cells += [
                *arm_cells(options, texts_of(options, ARMS), arm, seed, partial(task_of, options)),
                asking(arm, seed, options),
            ]
    return cells


def asking(arm: str, seed: int, options: argparse.Namespace) -> Cell:
    """Return the cell in which a model is asked for masked pieces of the test texts."""
    texts = texts_of(options, ARMS)
    model, made = model_of(options, texts, arm, seed), made_by(options, "bits", arm, seed)
    needs = [sizes_file(options), *([] if texts[arm] is None else [Path(model) / "model.safetensors"])]
    make = partial(ask, model, options.out / "text" / "test", made, options.device, options.sequences)
    return Cell(f"bits/{arm}/seed-{seed}", made, make, needs)


def select(options: argparse.Namespace) -> None:
    """Write the texts of all arms and the store of the test texts, then their sizes."""
    task, folder = task_of(options), sizes_file(options).parent
    every, tested = (list(dict.fromkeys(task.examples.take(rows).first)) for rows in (task.train, task.test))
    tests = EvaluationTexts.of(tested)
    own, pool = without_tests(every, tests), pool_of(options.corpus, tests)
    nearest = [pool[row] for row in nearest_rows(options.vectors, own, pool, options.neighbours)]
    random = [pool[row] for row in random_rows(pool, sum(map(len, nearest)))]
    folder.mkdir(parents=True, exist_ok=True)
    sizes: dict[str, Any] = {}
    for arm, texts in {TASK: own, NEAREST: [*own, *nearest], RANDOM: [*own, *random]}.items():
        write_texts(texts, folder / f"{arm}.jsonl")
        sizes[arm] = {"texts": len(texts), "characters": sum(map(len, texts)), "left_out": len(every) - len(own)}
    store = store_of(tested, Tokenizer.read(resolve(options.model).folder), folder / "test")
    sizes["test"] = {"texts": len(tested), "characters": sum(map(len, tested)), "tokens": store.counts["tokens"]}
    write_text(sizes_file(options), json.dumps(sizes, indent=1) + "\n")


def report(options: argparse.Namespace) -> Record:
    """Return the record of the finished runs; each measure uses the seeds that all arms have."""
    sizes = read_checked(sizes_file(options))
    scores = measured(options, sizes["test"])
    if not scores:
        raise BadInput("no seed has runs of all arms yet", where=str(options.out), mend="let the stages before run")
    differences = difference_rows(scores)
    rows = [{"policy": arm, **sizes[arm]} for arm in ARMS if arm in sizes]
    return Record(
        kind="nearest_texts",
        settings={**deciding(options), "seeds": options.seeds},
        data={name: getattr(options, name).name for name in ("train", "test", "corpus")},
        tables={
            "differences": Table.of(differences, DIFFERENCES),
            "scores": Table.of(score_rows(scores), SCORES),
            "texts": Table.of(rows, TEXTS),
        },
        findings=[verdict(differences, "texts to go on with")],
        environment=environment(1),
    )


def measured(options: argparse.Namespace, test: dict[str, int]) -> dict[tuple[str, str], dict[str, Scored]]:
    """Return each measure with arm -> its scores over seeds."""
    scores, task, results = {}, task_of(options), results_of(options, ARMS)
    if results[PLAIN]:
        of_task = {arm: scored_of(tuning.runs_of(each, task)) for arm, each in results.items()}
        scores[task.metric, "test texts"] = of_task
    seeds = finished_seeds(options, "bits", ARMS)
    if seeds:
        size = StoreSizes(test["texts"], test["characters"], test["tokens"], 0)
        answers = {arm: [Answers.read(made_by(options, "bits", arm, seed)) for seed in seeds] for arm in ARMS}
        bits = {arm: bits_per_character(each, size, "test texts") for arm, each in answers.items()}
        scores[BITS, "test texts"] = bits
    return scores


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, required=True, help="labelled texts to go on with and to learn from")
    parser.add_argument("--test", type=Path, required=True, help="labelled texts to test on")
    parser.add_argument("--corpus", type=Path, required=True, help="file of text of the domain, to select from")
    parser.add_argument("--neighbours", type=int, default=10, help="nearest sentences of each text")
    parser.add_argument("--vectors", default="wordllama", help="model of the vectors that say what is near")
    parser.add_argument("--metric", help="of the task, such as macro_f1")
    parser.add_argument("--sequences", type=int, default=400, help="of test texts that bits are measured on, at most")
    add_options(parser, STAGES)
    return parser.parse_args()


if __name__ == "__main__":
    run_script(main)
