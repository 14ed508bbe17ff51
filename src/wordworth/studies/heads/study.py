"""The study `heads`: which attention heads a fine-tuned model needs (Michel et al. 2019), as a `Record`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from wordworth.inference.finetuned_run import read_run
from wordworth.inference.labelled_inputs import read_halves
from wordworth.models.pruning import require_all_heads
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.studies.heads.findings import method, orders, verdict, warnings
from wordworth.studies.heads.results import compute
from wordworth.studies.heads.settings import HeadsSettings
from wordworth.studies.heads.tables import tables_of
from wordworth.studies.study import Study, file_name, make_record, timed


def study(settings: HeadsSettings, progress: Progress, *, run: Path | str, data: Path | str) -> Record:
    """Find out which attention heads a fine-tuned model needs.

    Args:
        settings: settings of the study.
        progress: receives progress and messages.
        run: the output folder of a fine-tuning.
        data: labelled rows that the model did not learn from.

    Raises:
        BadInput: there is no fine-tuned transformer in `run`, or `data` does not fit it.
    """
    tuned = read_run(run)
    model = require_all_heads(tuned.encoder.model, str(run))
    task = read_halves(tuned.predictor, data, settings.read)
    seconds: dict[str, float] = {}
    with timed(seconds, "heads"):
        results = compute(tuned.network, model, task, settings, progress)
    facts = {**task.facts, "choosing": len(task.train), "measuring": len(task.test), "run": Path(run).name}
    return make_record(
        STUDY.kind,
        asdict(settings) | {"second_run": file_name(settings.second_run)},
        facts,
        tables=tables_of(results),
        findings=[
            verdict(results, facts, settings.margin),
            orders(results),
            *warnings(results, task),
            *method(results, facts),
        ],
        seconds=seconds,
    )


STUDY = Study(
    "heads",
    "Find out which attention heads a fine-tuned model needs.",
    HeadsSettings,
    study,
    inputs={"run": "the folder of a fine-tuning", "data": "a file of labelled rows that it did not learn from"},
)
