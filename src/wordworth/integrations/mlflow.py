"""`log_record`: log a study's record to MLflow: settings as parameters, scores as metrics, files as artefacts.

MLflow is imported when a record is logged. Set where MLflow stores runs with `mlflow.set_tracking_uri`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path

from wordworth.errors import BadInput, MissingExtra
from wordworth.files import as_path
from wordworth.integrations.record_scores import scores_of
from wordworth.records import RECORD, Record, as_record

_MOST_CHARACTERS = 500
"""Most characters of a parameter; backends of MLflow differ in how many they accept."""
_NOT_ALLOWED = re.compile(r"[^\w\-./: ]")


def log_record(record: Record | Path | str, *, folder: Path | str | None = None, run_name: str | None = None) -> str:
    """Log a record to the active run of MLflow, or to a new run, and return the run's id.

    Parameters are the study's settings (`settings.seed`) and the facts about the data (`data.name`). Metrics are the
    scores (`accuracy`, with `accuracy.low` and `accuracy.high` as the ends of the interval) and the numbers of the
    verdict (`verdict.gap`). Tags are the kind of record and the verdict's first sentence. Artefacts are `record.json`,
    `verdict.txt` and the pages in `folder`.

    Args:
        record: the record of a study of any kind: a `Record`, the path of its record.json, or of that file's folder.
        folder: the folder to which the study wrote its page; None for no page.
        run_name: name of the new run; None for a name that MLflow makes up.

    Raises:
        MissingExtra: MLflow is not installed.
        BadInput: `folder` is not a folder, or there is no such record.
    """
    try:
        import mlflow
    except ModuleNotFoundError as error:
        raise MissingExtra("mlflow-skinny", "mlflow") from error
    record = as_record(record)
    pages = [] if folder is None else _pages(as_path(folder, "folder"))
    active = mlflow.active_run()
    with mlflow.start_run(run_name=run_name) if active is None else nullcontext(active) as run:
        mlflow.log_params(dict(_parameters(record)))
        mlflow.log_metrics(dict(_metrics(record)))
        mlflow.set_tags({"wordworth.kind": record.kind, "wordworth.verdict": record.verdict.partition("\n")[0]})
        mlflow.log_text(record.to_json(), RECORD)
        mlflow.log_text(record.verdict, "verdict.txt")
        for page in pages:
            mlflow.log_artifact(str(page))
        return str(run.info.run_id)


def _pages(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise BadInput("no such folder", where=str(folder), mend="give the folder that the study wrote")
    return sorted(folder.glob("*.html"))


def _parameters(record: Record) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of the settings and of the facts about the data; long values are cut."""
    for part, values in (("settings", record.settings), ("data", record.data)):
        for name, value in values.items():
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
            yield _key(f"{part}.{name}"), text[:_MOST_CHARACTERS]


def _metrics(record: Record) -> Iterator[tuple[str, float]]:
    """Yield (name, value) of the scores with their intervals, and of the finite numbers of the verdict."""
    yield from _scores(record)
    for name, value in record.finding("verdict").numbers.items():
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            yield _key(f"verdict.{name}"), float(value)


def _scores(record: Record) -> Iterator[tuple[str, float]]:
    try:
        scores = scores_of(record)
    except BadInput:  # a study of words or of vectors scores no model on a task; its verdict has numbers
        return
    several = len({score.dataset for score in scores}) > 1
    for score in scores:
        name = f"{score.dataset}.{score.metric}" if several else score.metric
        yield _key(name), score.value
        details: Mapping[str, float | int] = score.details
        yield from ((_key(f"{name}.{detail}"), float(value)) for detail, value in details.items())


def _key(name: str) -> str:
    """Return a name in which `_` replaces every character that MLflow does not allow."""
    return _NOT_ALLOWED.sub("_", name)
