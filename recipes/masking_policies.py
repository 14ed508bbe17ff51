"""Which tokens to mask together: pieces, words, phrases or entities, at one budget of masked tokens (ERNIE).

    python recipes/masking_policies.py --corpus text.jsonl --train a.conll --test b.conll --model mini --out runs/
    python recipes/masking_policies.py --corpus text.jsonl --train a.conll --test b.conll --tokenizer tok/ --out runs/

Every model reads the same sequences for as many steps; 15 % of their tokens are masked, by the policy: `piece`, `word`,
`phrase` (of two words or more, found by statistics in the corpus: `wordworth phrases`) or `entity` (the spans that are
tagged in the file --train). With `--model` a model goes on, with `--tokenizer` one begins anew (`--model-size`).
Measured are

* cloze on names: a name of the file --test is hidden whole, and ranked among all names of as many tokens;
* entity F1 on that file after fine-tuning on --train, at a rate and over epochs that are the same for all.

The command goes through the stages `learn`, `cloze`, `tune` and `report`. Every run is a cell: what is done is kept,
`--only 'tune/*/seed-1'` does some, and the same command started several times over shares them out. The end is
`runs/masking_policies.json` and `runs/masking_policies.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from parts import tuning
from parts.cells import Cell, deciding_settings, keep_to
from parts.masking_report import BUDGETS, DIFFERENCES, POLICIES, SCORES, Key, difference_rows, score_rows, verdict
from parts.name_cloze import Completions, complete, scored
from parts.scored import Scored, scored_of
from parts.stages import make_cells, write_report
from wordworth.cli.scripts import run_script, writable_path
from wordworth.records import Record, Table
from wordworth.seeds import child
from wordworth.sources import resolve
from wordworth.studies.study import environment
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.tasks.task import Task
from wordworth.text.corpus.pretraining_sequences import gather
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.text.corpus.samplers.packed_sequences import PackedTexts
from wordworth.text.corpus.token_store import META, TokenStore, build_store
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.finetuning.run_result import Result
from wordworth.training.finetuning.settings import FinetuneSettings
from wordworth.training.objectives.masking.find_phrases import phrases
from wordworth.training.objectives.masking.lexicon_files import read_lexicon, read_phrases
from wordworth.training.objectives.masking.mask_sampling import Text
from wordworth.training.objectives.masking.masking_units import SingleTokens, WholeWords
from wordworth.training.objectives.mlm import MaskedLanguageModel
from wordworth.training.pretraining.pretrain_and_adapt import adapt, run

_RATES = ["mlm_probability=0.15", "mask_replace_prob=0.8", "random_replace_prob=0.1"]
_SEQUENCES = 1000
_CLOZE = (("mrr", "reciprocal rank"), ("completed", "completed"), ("nats", "nats a token"))
_UNITS = {"piece": ["masking_unit=token"], "word": ["masking_unit=word"]}


def main() -> None:
    options = arguments()
    torch.set_num_threads(1)
    keep_to(options.out, deciding(options))
    make_cells(options, lambda: cells_of(options))
    write_report(options, "masking_policies", lambda: report(options), ("differences", "scores", "budgets"))


def deciding(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that decide every run, apart from its seed."""
    names = ("policies", "steps", "changes", "model_size", "names", "limit", "rate", "batch", "epochs", "min_count")
    vocabulary = Tokenizer.read(tokenizer_folder(options)).fingerprint
    return {**deciding_settings(options, names, ("corpus", "train", "test")), "vocabulary": vocabulary}


def tokenizer_folder(options: argparse.Namespace) -> Path:
    return resolve(options.model).folder if options.model else options.tokenizer


def store_folder(options: argparse.Namespace) -> Path:
    out: Path = options.out
    return out / "corpus"


def lexicon_of(policy: str, options: argparse.Namespace) -> Path | None:
    """Return the lexicon of a policy that has one."""
    files: dict[str, Path] = {"phrase": options.out / "phrases.txt", "entity": options.train}
    return files.get(policy)


def folder_of(policy: str, seed: int, options: argparse.Namespace) -> Path:
    out: Path = options.out
    return out / "learn" / policy / f"seed-{seed}"


def made_by(stage: str, policy: str, options: argparse.Namespace, seed: int) -> Path:
    """Return the file of a stage's results.

    Args:
        stage: `cloze` or `tune`.
        policy: one of `POLICIES`.
        options: the command line.
        seed: number of the run.
    """
    out: Path = options.out
    return out / stage / policy / f"seed-{seed}.npz"


def cells_of(options: argparse.Namespace) -> list[Cell]:
    """Return all cells, seed by seed, so that those finished when time is up can be compared."""
    store, lexicon = store_folder(options) / META, options.out / "phrases.txt"
    cells = [Cell("learn/corpus", store, partial(build, options))]
    if "phrase" in options.policies:
        find = partial(phrases, store.parent, out=lexicon, min_count=options.min_count)
        cells.append(Cell("learn/phrases", lexicon, find, (store,)))
    for seed in range(options.seeds):
        for policy in options.policies:
            cells += runs(policy, seed, options)
    return cells


def build(options: argparse.Namespace) -> None:
    """Build the token store of the corpus."""
    tokenizer = Tokenizer.read(tokenizer_folder(options))
    build_store(options.corpus, tokenizer, store_folder(options), CorpusSettings(layout=options.layout))


def runs(policy: str, seed: int, options: argparse.Namespace) -> list[Cell]:
    """Return the cells of a policy and a seed."""
    folder = folder_of(policy, seed, options)
    weights, name = folder / "model.safetensors", f"{policy}/seed-{seed}"
    lexicon = lexicon_of(policy, options)
    needs = [store_folder(options) / META, *([] if lexicon is None else [lexicon])]
    cloze, tuned = (made_by(stage, policy, options, seed) for stage in ("cloze", "tune"))
    asking = partial(complete, folder, options.test, cloze, options.device, options.names)
    settings = FinetuneSettings(
        model=str(folder),
        learning_rate=options.rate,
        batch_size=options.batch,
        epochs=options.epochs,
        device=options.device,
    )
    tune = partial(tune_on, settings, seed, tuned, options)
    return [
        Cell(f"learn/{name}", weights, partial(learn, policy, seed, options), needs),
        Cell(f"cloze/{name}", cloze, asking, (weights,)),
        Cell(f"tune/{name}", tuned, tune, (weights,)),
    ]


def learn(policy: str, seed: int, options: argparse.Namespace) -> None:
    """Train a model with a policy; the sequences are those of every other policy."""
    changes = [*_RATES, *_UNITS.get(policy, []), *options.changes]
    common: dict[str, Any] = {
        "out": folder_of(policy, seed, options),
        "steps": options.steps,
        "seed": seed,
        "device": options.device,
        "compiled": False,  # compiling takes longer than so short a run
        "lexicon": lexicon_of(policy, options),
    }
    if options.model:
        adapt(options.model, [store_folder(options)], recipe=("adapt", changes), **common)
    else:
        run([store_folder(options)], recipe=("modern", changes), model_size=options.model_size, **common)


def tune_on(settings: FinetuneSettings, seed: int, made: Path, options: argparse.Namespace) -> None:
    tuning.tune(settings, task_of(options.train, options.test, options.limit), seed, made)


@cache
def task_of(train: Path, test: Path, limit: int | None) -> Task:
    """Return the tagging task of two files."""
    return read_task(train, ReadSettings(kind="tagging", test=test, limit=limit))


def report(options: argparse.Namespace) -> Record:
    """Return the record of the finished runs; each measure uses the seeds that all policies have."""
    scores = measured(options)
    differences = difference_rows(scores)
    tables = {
        "differences": Table.of(differences, DIFFERENCES),
        "scores": Table.of(score_rows(scores), SCORES),
        "budgets": Table.of([budget(policy, options) for policy in options.policies], BUDGETS),
    }
    return Record(
        kind="masking_policies",
        settings={**deciding(options), "seeds": options.seeds},
        data={"store": dict(TokenStore.open(store_folder(options)).counts)},
        tables=tables,
        findings=[verdict(differences)],
        environment=environment(1),
    )


def measured(options: argparse.Namespace) -> dict[Key, dict[str, Scored]]:
    """Return each measure with policy -> its scores over seeds."""
    scores: dict[Key, dict[str, Scored]] = {}
    cloze = complete_seeds("cloze", options)
    completions = {policy: [Completions.read(path) for path in paths] for policy, paths in cloze.items() if paths}
    for measure, title in _CLOZE:
        for least, on in ((1, "all names"), (2, "names of several tokens")):
            if completions:
                scores[title, on] = {policy: scored(each, measure, least) for policy, each in completions.items()}
    tuned = {policy: paths for policy, paths in complete_seeds("tune", options).items() if paths}
    task = task_of(options.train, options.test, options.limit)
    if tuned:
        scores["entity F1", "test sentences"] = {
            policy: scored_of(tuning.runs_of([Result.read(path) for path in paths], task))
            for policy, paths in tuned.items()
        }
    return scores


def complete_seeds(stage: str, options: argparse.Namespace) -> dict[str, Sequence[Path]]:
    """Return each policy's files of the seeds that all policies have."""
    of = partial(made_by, stage, options=options)
    whole = [
        seed for seed in range(options.seeds) if all(of(policy, seed=seed).exists() for policy in options.policies)
    ]
    return {policy: [of(policy, seed=seed) for seed in whole] for policy in options.policies}


def budget(policy: str, options: argparse.Namespace) -> dict[str, Any]:
    """Return the share of tokens that a policy masks, how many of them together, and the size of its lexicon."""
    store, lexicon = TokenStore.open(store_folder(options)), lexicon_of(policy, options)
    whole = SingleTokens() if policy == "piece" else WholeWords()
    unit = whole if lexicon is None else read_phrases(lexicon, store.tokenizer, [store])
    drawn = PackedTexts(store=store, length=128).plan(0).take(slice(0, _SEQUENCES))
    read = gather(store, drawn.first, drawn.second, drawn.labels)
    objective = MaskedLanguageModel(vocabulary=store.vocabulary, masking_unit=unit)
    _, targets = objective.prepare(read, child(0, "budget"))
    text = Text.read(read.ids, read.starts, store.vocabulary.special, store.vocabulary.word_starts.find(read.ids))
    groups = unit.groups(text, child(0, "groups"))
    positions, _ = groups.take(groups.lengths > 1).tokens()
    together = np.isin(targets.positions, positions).mean()
    size = None if lexicon is None else len(read_lexicon(lexicon))
    return {"policy": policy, "masked": len(targets) / len(read.ids), "together": float(together), "phrases": size}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True, help="a file of text")
    parser.add_argument("--layout", default="auto", help="of a .txt, as in `wordworth pretrain`")
    parser.add_argument("--train", type=Path, required=True, help="tagged sentences to learn from, .conll or .iob2")
    parser.add_argument("--test", type=Path, required=True, help="tagged sentences to test on")
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--model", help="a folder or name of a model that goes on")
    start.add_argument("--tokenizer", type=Path, help="folder of the tokenizer of models that begin anew")
    parser.add_argument("--model-size", default="2x128", help="of models that begin anew")
    parser.add_argument("--out", type=writable_path, required=True, help="folder of the runs")
    parser.add_argument("--policies", nargs="*", choices=POLICIES, default=list(POLICIES))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=300, help="of pretraining")
    parser.add_argument("--override", dest="changes", nargs="*", default=[], help="ingredients of pretraining")
    parser.add_argument("--min-count", type=int, default=5, help="fewest occurrences of a phrase")
    parser.add_argument("--names", type=int, default=1000, help="most names of the cloze")
    parser.add_argument("--limit", type=int, help="most sentences to fine-tune on")
    parser.add_argument("--rate", type=float, default=5e-4, help="of fine-tuning")
    parser.add_argument("--batch-size", dest="batch", type=int, default=32)
    parser.add_argument("--epochs", type=float, default=4.0)
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument("--stage", choices=["learn", "cloze", "tune", "work", "report", "all"], default="all")
    parser.add_argument("--only", nargs="*", default=[], help="patterns of cells, such as 'tune/*/seed-1'")
    return parser.parse_args()


if __name__ == "__main__":
    run_script(main)
