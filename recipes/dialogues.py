"""What do dialogues, read turn by turn with roles, teach a model before questions about dialogues (ERNIE)?

    WORDWORTH_DATA=DATA python recipes/dialogues.py --train DATA/dream/train.json.xz --held-out DATA/dream/dev.json.xz

After Sun et al. 2019 (arXiv 1904.09223), section 3.4: a model reads turns with roles in place of segments, and judges
whether one of them is a turn of another dialogue. Before a model is fine-tuned on the questions of DREAM, it is
pretrained further, for equally many updates under each policy:

* `none`: not at all;
* `text`: on the same turns as plain text, by masked words alone;
* `roles`: on sequences of up to three turns with roles, by masked words alone;
* `judgement`: on the same sequences, also by the judgement whether the dialogue is real.

The stages are `learn`, `tune` and `report`. Every run is a cell: what is done is kept, `--only 'tune/*/seed-1'` does
some, and the same command started several times over shares them out. The end is `dialogues/dialogues.json` and
`dialogues/dialogues.md`: accuracy on test questions, differences with 95 % intervals over seeds and dialogues, and how
often held-out dialogues are judged rightly.
"""

from __future__ import annotations

import argparse
import json
from functools import cache, partial
from pathlib import Path
from typing import Any

import torch

from parts import tuning
from parts.cells import Cell, deciding_settings, keep_to
from parts.masking_report import difference_rows, score_rows, verdict
from parts.scored import Scored, scored_of
from parts.small_tasks import cut
from parts.stages import make_cells, write_report
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.records import Record, Table
from wordworth.studies.study import environment
from wordworth.tasks.datasets import named_task
from wordworth.tasks.task import Task
from wordworth.text.dialogue_files import read_dialogues
from wordworth.training.finetuning.run_result import Result
from wordworth.training.finetuning.settings import FinetuneSettings
from wordworth.training.pretraining import metrics_log
from wordworth.training.pretraining.pretrain_and_adapt import adapt

POLICIES = {
    "none": None,
    "text": ("sequences=packed",),
    "roles": ("sequences=dialogues", "pair_objective=no"),
    "judgement": ("sequences=dialogues",),
}
"""Policy -> changes of the recipe `adapt`; None without further pretraining."""
SCORES = {
    "policy": "what the model read before: none, text, roles, or roles with the judgement whether a dialogue is real",
    "mean": "accuracy on test questions of DREAM, mean over seeds",
    "low": "lower end of its 95 % interval, over seeds and dialogues",
    "high": "upper end of it",
    "seeds": "runs",
}
DIFFERENCES = {
    "policy": "as in the scores",
    "other": "the policy that it is compared with",
    "difference": "accuracy after the policy minus that after the other, paired by seed and dialogue",
    "low": "lower end of its 95 % interval",
    "high": "upper end of it",
    "seeds": "runs of each",
}
LEARNED = {
    "policy": "as in the scores",
    "seed": "number of the run",
    "tokens": "tokens that the run read",
    "mlm": "mean loss of masked words on held-out text of its kind, nats; on dialogues for roles and judgement",
    "dialogue_right": "share of held-out dialogues judged rightly as real or not; guessing has a half",
}
ACCURACY = ("accuracy", "test questions")


def main() -> None:
    options = arguments()
    torch.set_num_threads(1)
    keep_to(options.out, deciding(options))
    make_cells(options, lambda: cells_of(options))
    write_report(options, "dialogues", lambda: report(options), ("differences", "scores", "learned"))


def deciding(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that decide every run, apart from its seed."""
    names = ("steps", "changes", "limit", "tested", "rate", "batch", "epochs", "max_length")
    return deciding_settings(options, names, ("train", "held_out"))


def cells_of(options: argparse.Namespace) -> list[Cell]:
    """Return all cells, seed by seed, so that those finished when time is up can be compared."""
    texts = {part: options.out / "text" / f"{part}.jsonl" for part in ("train", "held_out")}
    cells = [
        Cell(f"learn/text/{part}", made, partial(write_turns, getattr(options, part), made))
        for part, made in texts.items()
    ]
    for seed in range(options.seeds):
        for policy, changes in POLICIES.items():
            name, needs = f"{policy}/seed-{seed}", tuple(texts.values())
            if changes is not None:
                weights = model_folder(policy, seed, options) / "model.safetensors"
                cells.append(Cell(f"learn/{name}", weights, partial(learn, policy, seed, options), needs))
                needs = (weights,)
            made = tuned_file(policy, seed, options)
            cells.append(Cell(f"tune/{name}", made, partial(tune, policy, seed, options), needs))
    return cells


def model_folder(policy: str, seed: int, options: argparse.Namespace) -> Path:
    out: Path = options.out
    return out / "learn" / policy / f"seed-{seed}"


def tuned_file(policy: str, seed: int, options: argparse.Namespace) -> Path:
    out: Path = options.out
    return out / "tune" / policy / f"seed-{seed}.npz"


def write_turns(dialogues: Path, made: Path) -> None:
    """Write the turns of each dialogue as one plain text, without its speakers."""
    made.parent.mkdir(parents=True, exist_ok=True)
    rows = [{"text": " ".join(dialogue.texts)} for dialogue in read_dialogues([dialogues])]
    write_text(made, "".join(json.dumps(row) + "\n" for row in rows))


def learn(policy: str, seed: int, options: argparse.Namespace) -> None:
    """Pretrain the model further by a policy, or resume that."""
    text = policy == "text"
    corpus, held_out = (
        options.out / "text" / f"{part}.jsonl" if text else getattr(options, part) for part in ("train", "held_out")
    )
    adapt(
        options.model,
        [corpus],
        recipe=("adapt", [*(POLICIES[policy] or ()), *options.changes]),
        out=model_folder(policy, seed, options),
        held_out=held_out,
        steps=options.steps,
        evals=2,
        seed=seed,
        device=options.device,
        compiled=False,  # compiling takes longer than so short a run
    )


def tune(policy: str, seed: int, options: argparse.Namespace) -> None:
    """Fine-tune the model of a policy on the questions of DREAM, or resume it."""
    model = options.model if POLICIES[policy] is None else str(model_folder(policy, seed, options))
    settings = FinetuneSettings(
        model=model,
        learning_rate=options.rate,
        batch_size=options.batch,
        epochs=options.epochs,
        max_length=options.max_length,
        device=options.device,
    )
    tuning.tune(settings, questions(options.limit, options.tested), seed, tuned_file(policy, seed, options))


@cache
def questions(limit: int, tested: int) -> Task:
    """Return DREAM, cut to so many training and test questions."""
    return cut(named_task("dream"), limit, tested)


def report(options: argparse.Namespace) -> Record:
    """Return the record of the seeds that all policies have."""
    seeds = [s for s in range(options.seeds) if all(tuned_file(policy, s, options).exists() for policy in POLICIES)]
    task = questions(options.limit, options.tested)
    scores: dict[str, Scored] = {
        policy: scored_of(
            tuning.runs_of([Result.read(tuned_file(policy, seed, options)) for seed in seeds], task),
        )
        for policy in POLICIES
    }
    differences = difference_rows({ACCURACY: scores})
    learned = [learned_row(policy, seed, options) for policy in POLICIES if POLICIES[policy] for seed in seeds]
    return Record(
        kind="dialogues",
        settings={**deciding(options), "seeds": len(seeds)},
        data={"chance": tuning.floor(task)},
        tables={
            "differences": Table.of(differences, DIFFERENCES),
            "scores": Table.of(score_rows({ACCURACY: scores}), SCORES),
            "learned": Table.of(learned, LEARNED),
        },
        findings=[verdict(differences, "ways of reading dialogues")],
        environment=environment(1),
    )


def learned_row(policy: str, seed: int, options: argparse.Namespace) -> dict[str, Any]:
    """Return what a model had read and learned when its training ended."""
    rows = metrics_log.read(model_folder(policy, seed, options) / "training")
    (*_, held_out) = (row for row in rows if row["kind"] == "evaluation")
    tokens = sum(row["tokens"] for row in rows if row["kind"] == "step")
    return {"policy": policy, "seed": seed, "tokens": tokens} | {
        name: held_out.get(name) for name in ("mlm", "dialogue_right")
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, required=True, help="dialogues to pretrain on: DREAM's training part")
    parser.add_argument("--held-out", type=Path, required=True, help="dialogues to evaluate on: its dev part")
    parser.add_argument("--model", default="mini", help="a folder or name of the model that is pretrained further")
    parser.add_argument("--out", type=writable_path, default=Path("dialogues"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=300, help="of pretraining")
    parser.add_argument("--override", dest="changes", nargs="*", default=[], help="ingredients of pretraining")
    parser.add_argument("--limit", type=int, default=1000, help="most questions to fine-tune on")
    parser.add_argument("--tested", type=int, default=1000, help="most test questions")
    parser.add_argument("--rate", type=float, default=5e-4, help="of fine-tuning")
    parser.add_argument("--batch-size", dest="batch", type=int, default=16)
    parser.add_argument("--epochs", type=float, default=3.0)
    parser.add_argument("--max-length", type=int, default=128)
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument("--stage", choices=["learn", "tune", "report", "all"], default="all")
    parser.add_argument("--only", nargs="*", default=[], help="patterns of cells, such as 'tune/*/seed-1'")
    return parser.parse_args()


if __name__ == "__main__":
    run_script(main)
