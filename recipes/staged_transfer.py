"""What does natural language inference teach a small model before choices of endings, causes and answers?

    WORDWORTH_DATA=DATA python recipes/staged_transfer.py --corpus corpus.jsonl --out runs/

After Li et al. 2019 (TransBERT, arXiv 1905.07504): a pretrained model learns a transfer task, then a target task. The
transfer tasks are SNLI's pairs in three classes, and choices between an entailed and a contradicted hypothesis of one
premise (MC-NLI) from the pairs of SNLI and MNLI. Beside each target stand its controls: the target alone, the transfer
with shuffled labels, as many updates on the target alone, and the options without their context. Story endings are cut
from a corpus that the model has not read (`recipes/story_endings.py`). After choices, the transfer is run again with
the multi-margin loss of the authors' scripts in place of the softmax.

Every run is stored in `runs/`, where targets share the runs of a transfer task: the same command goes on where it was
stopped. The end is `runs/staged_transfer.json` and `runs/staged_transfer.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from parts.cells import keep_to
from parts.small_tasks import cut
from parts.tables import markdown
from story_endings import write_endings
from wordworth.cli.progress_bars import Bars
from wordworth.cli.scripts import run_script, writable_path
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.models.devices import device_of, name_of
from wordworth.records import Finding, Record, Table
from wordworth.studies.finetune.results import paired_difference, scored
from wordworth.studies.finetune.staged_study import run_chain, staged_study
from wordworth.studies.finetune.staged_transfer_controls import OPTIONS, chains
from wordworth.studies.study import environment
from wordworth.tasks.datasets import find_dataset_spec, named_task
from wordworth.tasks.formats.dataset_part import joined
from wordworth.tasks.formats.dataset_spec import assemble
from wordworth.tasks.reading.question_files import read_own_questions
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.tasks.task import Task
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE
from wordworth.training.finetuning.run_inputs import initial_encoder
from wordworth.training.finetuning.run_result import Result
from wordworth.training.finetuning.settings import FinetuneSettings

STORIES = "story endings"
TARGETS = {"copa": 800, STORIES: 400, "codah": 300, "dream": 120, "hellaswag": 120, "xcopa": 800}
"""Target -> most examples to learn from."""
DEFAULT = [target for target in TARGETS if target != "xcopa"]
"""The targets of the record; XCOPA asks for a model that reads its languages."""
TRANSFERS = {"snli": 2_400, "mc-nli": 400}
"""Transfer task -> most examples to learn from."""
LONG = ("codah", "dream", "hellaswag")
"""Targets that are expensive, which have the first transfer task alone."""
MARGIN = 0.2
"""Margin of the multi-margin loss; the authors' scripts have 0.15 to 0.37."""
TESTED = 400
"""Most test examples of a target."""
GAINS = {
    "target": "the target task",
    "transfer": "the transfer task that was learned before it",
    "staged": "mean test accuracy after the transfer, over runs",
    "low": "lower end of its 95 % interval, over runs and test examples",
    "high": "upper end of it",
    "control": "the control: target alone, shuffled labels of the transfer task, more updates on the target alone (as "
    "many as both stages have), options only (the target alone, without contexts)",
    "control_mean": "mean test accuracy of the control",
    "control_low": "lower end of its 95 % interval",
    "control_high": "upper end of it",
    "gain": "staged transfer minus the control, paired by seed and test example",
    "gain_low": "lower end of its 95 % interval, over runs and test examples",
    "gain_high": "upper end of it",
    "chance": "accuracy of guessing",
    "seeds": "pairs of runs",
}
STAGES = {
    "target": "the target task",
    "transfer": "the transfer task",
    "arm": "staged, or the name of a control",
    "stage": "number of the stage",
    "task": "the task that is learned",
    "train": "training examples",
    "test": "test examples",
    "steps": "updates of a run",
    "output": "the output layer at the start: new, or kept from the stage before",
    "mean": "mean test accuracy of the stage's own task",
    "low": "lower end of its 95 % interval",
    "high": "upper end of it",
}
MARGINS = {
    "target": "the target task",
    "transfer": "the transfer task that was learned before it, by the same loss",
    "margin": "margin of the multi-margin loss",
    "mean": "mean test accuracy with the multi-margin loss",
    "low": "lower end of its 95 % interval, over runs and test examples",
    "high": "upper end of it",
    "gain": "multi-margin loss minus softmax, paired by seed and test example",
    "gain_low": "lower end of its 95 % interval, over runs and test examples",
    "gain_high": "upper end of it",
    "seeds": "pairs of runs",
}


def main() -> None:
    options = arguments()
    keep_to(options.out, deciding(options))
    if STORIES in options.targets:
        write_endings([options.corpus], options.out / "endings", most=150, share=0.4, seed=0)
    pairs = [
        (target, transfer)
        for target in options.targets
        for transfer in (options.transfers[:1] if target in LONG else options.transfers)
    ]
    records = {pair: study(*pair, options) for pair in pairs}
    margins = [margin_row(*pair, options) for pair in pairs if pair[1] == "mc-nli"]
    record = report(records, margins, options)
    record.save(options.out / "staged_transfer.json")
    tables = "\n\n".join(markdown(record.tables[name]) for name in ("gains", "stages", "margins"))
    write_text(options.out / "staged_transfer.md", f"{record.verdict}\n\n{tables}\n")
    print(record.verdict)


def deciding(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that decide every run, apart from its seed."""
    return {name: getattr(options, name) for name in ("model", "epochs", "max_length", "scale")}


def study(target: str, transfer: str, options: argparse.Namespace) -> Record:
    """Return the record of one target after one transfer task, with its controls; runs made before are read."""
    settings = replace(settings_of(options), controls=True)
    folder = options.out / f"{transfer}-{target}".replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    return staged_study(tasks_of(target, transfer, options), settings, folder, Bars(), runs=options.out / "runs")


def margin_row(target: str, transfer: str, options: argparse.Namespace) -> dict[str, Any]:
    """Return the accuracy of a staged transfer under the multi-margin loss, and its gain over the softmax."""
    tasks, settings, runs = tasks_of(target, transfer, options), settings_of(options), options.out / "runs"
    encoder = initial_encoder(settings)
    softmax, margin = (
        run_chain(chains(tasks, each, encoder, runs)[0], Bars()).target.results
        for each in (settings, replace(settings, margin=MARGIN))
    )
    score = scored(tasks[-1], margin, tasks[-1].metric, settings.seed)
    gain = paired_difference(tasks[-1], margin, softmax, settings.seed)
    if gain is None:
        raise BadInput(f"no run of {target} after {transfer} ended", where=str(runs), mend="see the messages above")
    return {
        "target": target,
        "transfer": transfer,
        "margin": MARGIN,
        "mean": float(score.values.mean()),
        "low": score.low,
        "high": score.high,
        "gain": gain.mean,
        "gain_low": gain.low,
        "gain_high": gain.high,
        "seeds": gain.runs,
    }


def settings_of(options: argparse.Namespace) -> FinetuneSettings:
    """Return the settings of all stages, without controls."""
    return FinetuneSettings(
        model=options.model,
        restarts=options.seeds,
        epochs=options.epochs,
        max_length=options.max_length,
        processes=options.processes,
    )


def tasks_of(target: str, transfer: str, options: argparse.Namespace) -> list[Task]:
    """Return the transfer task and the target task."""
    return [transfer_task(transfer, options.scale), target_task(target, options.out, options.scale)]


def transfer_task(name: str, scale: float) -> Task:
    """Return a transfer task, cut to the size of this study."""
    whole = mc_nli() if name == "mc-nli" else named_task(name)
    return cut(whole, int(scale * TRANSFERS[name]), TESTED)


def mc_nli() -> Task:
    """Return the choices of all files of SNLI and MNLI: in copies that are cuts, few premises have two hypotheses."""
    snli, mnli = (find_dataset_spec(f"{name}:choice") for name in ("snli", "mnli"))
    of_snli, of_mnli = snli.parts(("train", "dev", "test")), mnli.parts(("train", "dev"))
    train = joined([of_snli["train"], of_snli["dev"], of_mnli["train"]])
    test = joined([of_snli["test"], of_mnli["dev"]])
    return assemble(replace(snli, name="mc-nli"), train, test, "Choices from the pairs of SNLI and MNLI.")


def target_task(name: str, out: Path, scale: float) -> Task:
    """Return a target task, cut to the size of this study."""
    if name == STORIES:
        folder = out / "endings"
        reading = ReadSettings(test=str(folder / "test.jsonl"))
        whole = replace(read_own_questions(folder / "train.jsonl", MULTIPLE_CHOICE.name, reading), name=name)
    else:
        whole = named_task(name)
    return cut(whole, int(scale * TARGETS[name]), TESTED)


def report(
    records: dict[tuple[str, str], Record], margins: Sequence[dict[str, Any]], options: argparse.Namespace
) -> Record:
    """Return the record of all targets and transfer tasks."""
    gains = [row for key, record in records.items() for row in gain_rows(*key, record)]
    stages = [row for key, record in records.items() for row in stage_rows(*key, record)]
    sources = {source["sha256"]: source for record in records.values() for source in record.data["sources"]}
    return Record(
        kind="staged-transfer",
        settings={**deciding(options), "seeds": options.seeds},
        data={"sources": list(sources.values())},
        tables={
            "gains": Table.of(gains, GAINS),
            "stages": Table.of(stages, STAGES),
            "margins": Table.of(margins, MARGINS),
        },
        findings=[verdict(gains)],
        timings={"seconds of runs": seconds(options.out)},
        environment={**environment(1), "device": name_of(device_of("cpu"))},
    )


def gain_rows(target: str, transfer: str, record: Record) -> Iterator[dict[str, Any]]:
    """Yield the gain of a transfer over each of its controls."""
    staged = next(row for row in record.tables["scores"].rows() if row["metric"] == record.data["metric"])
    for row in record.tables["controls"].rows():
        yield {
            "target": target,
            "transfer": transfer,
            "staged": staged["mean"],
            **{name: staged[name] for name in ("low", "high")},
            "control": row["arm"],
            **{f"control_{name}": row[name] for name in ("mean", "low", "high")},
            **{name: row[name] for name in ("gain", "gain_low", "gain_high")},
            "chance": record.finding("verdict").numbers["baseline"],
            "seeds": row["runs"],
        }


def stage_rows(target: str, transfer: str, record: Record) -> Iterator[dict[str, Any]]:
    """Yield the stages of all chains."""
    for row in record.tables["stages"].rows():
        yield {"target": target, "transfer": transfer, **{name: row[name] for name in STAGES if name in row}}


def seconds(out: Path) -> float:
    """Return the seconds of all runs, each of which is stored once."""
    return sum(Result.read(file).seconds for file in sorted((out / "runs").glob("*/*/result.npz")))


def verdict(gains: Sequence[dict[str, Any]]) -> Finding:
    """Return how many transfers gain surely over all three controls that read contexts, and which."""
    by: dict[tuple[str, str], list[bool]] = {}
    for row in gains:
        if row["control"] != OPTIONS:
            by.setdefault((row["transfer"], row["target"]), []).append(row["gain_low"] > 0)
    sure = [f"{transfer} before {target}" for (transfer, target), above in by.items() if all(above)]
    listed = f": {', '.join(sure)}" if sure else ""
    text = f"{len(sure)} of {len(by)} transfers gain surely over all three controls that read contexts{listed}."
    return Finding("verdict", text, {"sure": len(sure), "of": len(by)})


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=writable_path, required=True)
    parser.add_argument("--corpus", type=Path, help="texts that the model has not read, for story endings")
    parser.add_argument("--model", default="mini")
    parser.add_argument("--targets", nargs="+", choices=list(TARGETS), default=DEFAULT)
    parser.add_argument("--transfers", nargs="+", choices=list(TRANSFERS), default=list(TRANSFERS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=float, default=2.0)
    parser.add_argument("--max-length", type=int, default=64)
    parser.add_argument("--scale", type=float, default=1.0, help="times the numbers of training examples")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    if STORIES in options.targets and options.corpus is None:
        parser.error(f"{STORIES} are cut from a corpus: give --corpus, or other --targets")
    return options


if __name__ == "__main__":
    run_script(main)
