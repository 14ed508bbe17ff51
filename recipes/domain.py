"""Does pretraining on a domain's text help? A model, the same gone on with such text, and gone on with other text.

    python recipes/domain.py mini --domain notes.jsonl --control novels.jsonl --general news.jsonl \
        --train train.csv --test test.csv --out runs/

The control is the same steps on as much text that has nothing to do with the task (Gururangan et al. 2020, table 3). Of
each corpus a tenth of the documents is never learned, and none is that shares 13 words in a row with a test text;
`--characters` cuts what is learned of the domain and of the control alike. The corpora are files with a column of
texts, `.txt` files of a document a line, or folders; tables call them by their names. Of --general nothing is learned;
it may be left out. Measured are

* bits per character on unseen text of all corpora: the masked-LM loss of 15 % of the tokens behind [MASK], the same
  ones for every model, times tokens per character; the unit that vocabularies do not change;
* the metric of the task of --train and --test, of labelled texts or tagged words, at a rate and over epochs that are
  the same for all; without these files entity F1 on NCBI-disease and BC5CDR, dev and test parts, of $WORDWORTH_DATA.

The stages are `stores`, `continue`, `bits`, `tune` and `report`. The token stores are made once, by default in
`runs/stores`; later calls do without the corpora. Every run is a cell: what is done is kept, `--only 'tune/*/seed-1'`
does some, and the same command started several times over shares them out (with `--stage work`, all but the report).
The end is `runs/domain.json` and `runs/domain.md`: for each measure whether the domain's text helps, yes, no or cannot
tell.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import torch

from parts import tuning
from parts.cells import Cell, keep_to
from parts.domain_answer import (
    ANSWERS,
    BITS,
    GAINS,
    PLAIN,
    SCORES,
    Key,
    answer_rows,
    gain_rows,
    score_rows,
    verdict,
)
from parts.domain_corpora import make_stores, names_of
from parts.domain_stores import read_sizes
from parts.domain_tasks import DomainTask, deciding_files, tasks_of
from parts.held_out_bits import Answers, ask, bits_per_character
from parts.scored import Scored
from parts.stages import make_cells, write_report
from parts.text_arms import require_usable
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import sha256
from wordworth.models.devices import device_of, name_of
from wordworth.records import Record, Table
from wordworth.sources import resolve
from wordworth.studies.study import environment
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.finetuning.run_result import Result
from wordworth.training.finetuning.settings import FinetuneSettings
from wordworth.training.pretraining.pretrain_and_adapt import adapt


def main() -> None:
    options = arguments()
    torch.set_num_threads(1)
    require_usable(options)
    options.tasks = tasks_of(options)  # bad rows and metrics are refused before anything is written
    make_stores(options, [text for task in options.tasks.values() for text in task.tested])
    if options.stage == "stores":
        return
    options.names = names_of(options.stores)
    keep_to(options.out, deciding(options))
    make_cells(options, lambda: cells_of(options))
    write_report(options, "domain", lambda: report(options), ("answers", "gains", "scores"))


def deciding(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that decide every run, apart from its seed."""
    weights = resolve(options.model).folder / "model.safetensors"
    plain = {name: getattr(options, name) for name in ("steps", "changes", "sequences", "rate", "batch", "epochs")}
    lengths = {} if options.max_length is None else {"max_length": options.max_length}
    stores = {name: TokenStore.open(options.stores / name).fingerprint for name in read_sizes(options.stores)}
    return {**plain, **lengths, **deciding_files(options), "weights": sha256(weights), "stores": stores}


def folder_of(model: str, seed: int, options: argparse.Namespace) -> Path:
    """Return a model's folder: the plain one is the same for every seed."""
    out: Path = options.out
    return resolve(options.model).folder if model == PLAIN else out / "continue" / model / f"seed-{seed}"


def bits_file(model: str, text: str, seed: int, options: argparse.Namespace) -> Path:
    """Return the file of a model's losses on a text; the plain model has one for all seeds.

    Args:
        model: `PLAIN`, or the corpus that it has gone on with.
        text: name of a corpus.
        seed: number of the run.
        options: the command line.
    """
    out: Path = options.out
    return out / "bits" / text / model / f"seed-{0 if model == PLAIN else seed}.npz"


def score_file(model: str, task: str, seed: int, options: argparse.Namespace) -> Path:
    out: Path = options.out
    return out / "tune" / task / model / f"seed-{seed}.npz"


def cells_of(options: argparse.Namespace) -> list[Cell]:
    """Return all cells, seed by seed, so that those finished when time is up can be compared."""
    cells, names = list[Cell](), options.names
    for seed in range(options.seeds):
        cells += [going_on(model, seed, options) for model in (names.domain, names.control)]
        cells += [tuning_cell(model, task, seed, options) for model in names.models for task in options.tasks.values()]
        texts = [(text, model) for text in names.texts for model in names.models if seed == 0 or model != PLAIN]
        cells += [asking(model, text, seed, options) for text, model in texts]
    return cells


def going_on(model: str, seed: int, options: argparse.Namespace) -> Cell:
    folder = folder_of(model, seed, options)
    make = partial(
        adapt,
        options.model,
        [options.stores / model / "learned"],
        out=folder,
        recipe=("adapt", options.changes),
        steps=options.steps,
        seed=seed,
        device=options.device,
        compiled=False,  # compiling takes longer than so short a run
    )
    return Cell(f"continue/{model}/seed-{seed}", folder / "model.safetensors", make)


def asking(model: str, text: str, seed: int, options: argparse.Namespace) -> Cell:
    folder, made = folder_of(model, seed, options), bits_file(model, text, seed, options)
    make = partial(ask, folder, options.stores / text / "held-out", made, options.device, options.sequences)
    return Cell(f"bits/{text}/{model}/seed-{seed}", made, make, (folder / "model.safetensors",))


def tuning_cell(model: str, task: DomainTask, seed: int, options: argparse.Namespace) -> Cell:
    """Return the cell in which a model is fine-tuned on a task.

    Args:
        model: one of the compared models.
        task: what it learns.
        seed: number of the run.
        options: the command line.
    """
    folder, made = folder_of(model, seed, options), score_file(model, task.name, seed, options)
    settings = FinetuneSettings(
        model=str(folder),
        learning_rate=options.rate,
        batch_size=options.batch,
        epochs=options.epochs,
        max_length=options.max_length,
        device=options.device,
    )
    make = partial(tuning.tune, settings, task.task, seed, made)
    return Cell(f"tune/{task.name}/{model}/seed-{seed}", made, make, (folder / "model.safetensors",))


def report(options: argparse.Namespace) -> Record:
    """Return the record of the finished runs; each measure uses the seeds that all three models have."""
    scores = {key: entry for key, entry in measured(options) if entry}
    gains = gain_rows(scores)
    answers = answer_rows(gains, options.names.domain)
    stores = {name: asdict(entry) for name, entry in read_sizes(options.stores).items()}
    sources = [asdict(origin) for task in options.tasks.values() for origin in task.task.origins]
    return Record(
        kind="domain",
        settings={**deciding(options), "seeds": options.seeds},
        data={"stores": stores, "tasks": list(options.tasks), "sources": sources},
        tables={
            "answers": Table.of(answers, ANSWERS),
            "gains": Table.of(gains, GAINS),
            "scores": Table.of(score_rows(scores), SCORES),
        },
        findings=[verdict(answers, gains)],
        environment={**environment(1), "device": name_of(device_of(options.device))},
    )


def measured(options: argparse.Namespace) -> list[tuple[Key, dict[str, Scored]]]:
    """Return each measure with model -> its scores over seeds; empty scores if no seed has runs of all three models."""
    stores, names = read_sizes(options.stores), options.names
    scores = []
    for text in names.texts:
        files = complete({model: partial(bits_file, model, text, options=options) for model in names.models}, options)
        bits = {
            model: bits_per_character([Answers.read(path) for path in paths], stores[f"{text}/held-out"], text)
            for model, paths in files.items()
        }
        scores.append(((BITS, text, "held-out"), bits))
    for name, task in options.tasks.items():
        files = complete({model: partial(score_file, model, name, options=options) for model in names.models}, options)
        for part in task.parts:
            runs = {model: task.scores([Result.read(path) for path in paths], part) for model, paths in files.items()}
            scores.append(((task.measure, name, part), runs))
    return scores


def complete(files: dict[str, Any], options: argparse.Namespace) -> dict[str, Sequence[Path]]:
    """Return each model's files of the seeds that all models have; empty if there is no such seed."""
    whole = [seed for seed in range(options.seeds) if all(of(seed=seed).exists() for of in files.values())]
    return {model: [of(seed=seed) for seed in whole] for model, of in files.items()} if whole else {}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a folder or name; the stores are made with its vocabulary")
    parser.add_argument("--domain", type=Path, help="file or folder of text of the domain")
    parser.add_argument("--control", type=Path, help="the same of text that has nothing to do with the task")
    parser.add_argument("--general", type=Path, help="the same of general text, of which nothing is learned")
    parser.add_argument("--text", default="text", help="column of the corpora's texts")
    parser.add_argument("--characters", type=int, default=6_500_000, help="learned of each corpus, about")
    parser.add_argument("--train", type=Path, help="labelled texts to learn from, in place of the published tasks")
    parser.add_argument("--test", type=Path, help="labelled texts to test on")
    parser.add_argument("--metric", help="of the task, such as macro_f1")
    parser.add_argument("--out", type=writable_path, required=True, help="folder of the runs")
    parser.add_argument("--stores", type=Path, help="folder of the token stores [default: stores in that of the runs]")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=1000, help="of going on, 64 sequences of 128 tokens each")
    parser.add_argument(
        "--override", dest="changes", nargs="*", default=["learning_rate=5e-4"], help="ingredients of going on"
    )
    parser.add_argument("--sequences", type=int, default=1000, help="of unseen text, 128 tokens each")
    parser.add_argument("--rate", type=float, default=5e-4, help="of fine-tuning")
    parser.add_argument("--batch-size", dest="batch", type=int, default=32)
    parser.add_argument("--epochs", type=float, default=8.0)
    parser.add_argument("--max-length", type=int, help="tokens of a text that fine-tuning reads [default: as finetune]")
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument(
        "--stage", choices=["stores", "continue", "bits", "tune", "work", "report", "all"], default="all"
    )
    parser.add_argument("--only", nargs="*", default=[], help="patterns of cells, such as 'tune/*/seed-1'")
    options = parser.parse_args()
    options.stores = options.stores or options.out / "stores"
    return options


if __name__ == "__main__":
    run_script(main)
