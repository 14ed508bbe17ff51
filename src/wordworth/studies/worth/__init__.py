"""The study `worth`: when a contextual encoder beats cheap ways to classify a user's own text (Arora et al. 2020).

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not. The ladder is
the list of rungs, cheapest first.

settings ─► label grid ─► run the ladder ─► RungResult, Scores ─► StudyResult ─► verdict, tables, captions ─► Record
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.former_keywords import former_keywords
from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import settings_from
from wordworth.sources import require
from wordworth.studies.report_folder import ReportFolder
from wordworth.studies.worth.planning.settings import PlanSettings
from wordworth.studies.worth.settings import DEFAULT_MODELS, ReadSettings, WorthReadSettings, WorthSettings
from wordworth.text.file_formats.in_memory import TableSource
from wordworth.text.read_compressed_file import check_file, is_file

if TYPE_CHECKING:
    from wordworth.representations.rung import RunContext

__all__ = ["worth"]


@former_keywords(epsilon="margin")
@documented_by(WorthSettings, WorthReadSettings, PlanSettings)
def worth(  # noqa: PLR0913 - the settings of the study, each by its name
    data: TableSource,
    *,
    text: str | None = None,
    label: str | Sequence[str] | None = None,
    text_b: str | None = None,
    kind: str | None = None,
    group: str | None = None,
    time: str | None = None,
    second_label: str | None = None,
    categories: str | Sequence[str] = (),
    test: TableSource | float | None = None,
    test_weight: str | None = None,
    limit: int | None = None,
    skip_unusable: bool = False,
    format: str | None = None,  # noqa: A002 - as --format
    metric: str | None = None,
    test_share: float | None = None,
    models: str | Sequence[str] = ("minilm",),
    vectors: str | Sequence[str] = (),
    rungs: str | Sequence[str] = (),
    vector_price: float = 0.0,
    margin: float = 1.0,
    seeds: int = 5,
    seed: int = 0,
    hourly_price: float = 0.10,
    label_price: float = 0.04,
    currency: str = "$",
    costs: TableSource | None = None,
    threads: int = 2,
    device: str = "auto",
    budget: str = "15m",
    quick: bool = False,
    distil: bool = True,
    finetune: bool = True,
    draws: int = 1_000,
    plan: bool = False,
    labels_so_far: TableSource | None = None,
    to_label: int | None = None,
    freeze: bool = False,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Measure what a contextual encoder is worth on labelled text, and return a `Record`.

    A study compares rungs: text representations with their classifiers, from a constant answer to a fine-tuned encoder.
    With `plan` it forecasts instead which difference of two rungs each number of test labels would detect. With
    `freeze` it only writes a file of what decides the verdict, with which a later study of the same `out` is compared.

    Args:
        data: a CSV, TSV, JSON Lines, Parquet or CoNLL file, or one of them compressed; or a table in memory: of pandas,
            polars or pyarrow, a list of dicts, or (texts, labels).
        test: a file or table to test on (a later month, say), or a share of the rows such as 0.2.
        test_share: share of rows to hold out as the test part if `test` is not given; without either, each fold of the
            rows is predicted by models that learned from the other folds, so that every row is a test row.
        costs: for data with one class a row, a file or table of what each error costs. Its columns are `true`,
            `predicted` and `cost` (0 or more, in `currency`), and it has a row for each pair of different classes. The
            record then has a table `expected_costs`.
        distil: whether the encoder is distilled into a static table.
        finetune: whether the encoder is fine-tuned.
        plan: whether to return a plan, whose table `plan` has a row per number of test labels; `data` needs no labels.
        labels_so_far: for a plan, a file or table of 50 or more labelled rows to learn from; without it, the plan uses
            variances measured on published data sets.
        to_label: for a plan with `labels_so_far`, the number of texts of `data` to draw for labelling next, preferably
            texts on which rungs disagree. They are the table `to_label`, and `to_label.csv` in `out`. Once labelled,
            pass that file as `test`, with `test_weight="sampling_weight"`.
        freeze: whether to write `preregistration.json` into `out`, with a hash; no rung is fitted or scored.
        out: a folder for record.json, report.html and the rung that the verdict names, as a model for `predict` and
            `serve`. A fine-tuned rung is not written: `finetune` makes that model. None writes nothing.
        progress: receives progress reports.

    Returns:
        A record of kind `worth`; of kind `plan` with `plan`, and of kind `preregistration` with `freeze`.

    Raises:
        BadInput: the data, a column or a setting cannot be used; the message says what, where and how to mend it.

    >>> worth("reviews.csv", text="text", label="label").verdict  # doctest: +SKIP
    """
    return worth_and_show(dict(locals()), _show_nothing)


def _show_nothing(record: Record) -> None:
    """Do nothing with a record."""


def worth_and_show(arguments: Mapping[str, Any], show: Callable[[Record], None]) -> Record:
    """Return the record that the arguments of `worth` ask for, as `worth` does, and show it as soon as it is written.

    A study fits the model that its verdict names after its record is shown.

    Args:
        arguments: the arguments of `worth` by name; those that are missing have their defaults.
        show: called once with the record.
    """
    from wordworth.studies.worth.planning.texts_to_label_file import require_no_labels, write_texts
    from wordworth.text.file_formats.in_memory import as_file, as_files

    names = {"test": "the test table", "labels_so_far": "the table of labels so far", "costs": "the table of costs"}
    tables = [arguments.get(name) for name in names]
    with as_file(arguments["data"]) as path, as_files(*tables, names=[*names.values()]) as files:
        arguments = {**arguments, **dict(zip(names, files, strict=True))}
        chosen, planning = settings_from(arguments, WorthSettings), settings_from(arguments, PlanSettings)
        _require_sources(path, chosen)
        read_as = settings_from(arguments, WorthReadSettings)
        folder = ReportFolder.of(arguments.get("out"), "plan" if planning.plan else "worth")
        progress = arguments.get("progress", SILENT)
        if planning.to_label is not None:
            require_no_labels(folder.path)
        if not planning.plan and not planning.freeze:
            return _measured(path, read_as, chosen, folder, progress, show)
        if planning.freeze:
            record = _frozen(path, read_as, chosen, folder, progress)
        else:
            record = folder.write(_planned(path, read_as, chosen, planning, progress))
        if folder.path is not None and "to_label" in record.tables:
            write_texts(folder.path, record.tables["to_label"])
        show(record)
        return record


def _frozen(
    path: Path, read_as: ReadSettings, chosen: WorthSettings, folder: ReportFolder, progress: Progress
) -> Record:
    with progress.step("starting"):
        from wordworth.studies.worth.preregistration.write_preregistration import write_preregistration

    return write_preregistration(path, read_as, chosen, folder.path, progress)


def _planned(
    path: Path, read_as: ReadSettings, chosen: WorthSettings, planning: PlanSettings, progress: Progress
) -> Record:
    with progress.step("starting"):  # a second or more, the first time
        from wordworth.studies.worth.planning import study as planned

    return planned.study(path, read_as, chosen, planning, _run_context(chosen, progress))


def _run_context(chosen: WorthSettings, progress: Progress) -> RunContext:
    from wordworth.representations.rung import RunContext

    return RunContext(progress=progress, threads=chosen.threads, seed=chosen.seed, device=chosen.device)


def _measured(
    path: Path,
    read_as: ReadSettings,
    chosen: WorthSettings,
    folder: ReportFolder,
    progress: Progress,
    show: Callable[[Record], None],
) -> Record:
    """Return the record of the study; it is written and shown before the model that the verdict names is fitted."""
    model = folder.model_folder()
    with progress.step("starting"):  # a second or more, the first time
        from wordworth.studies.study import merged_settings
        from wordworth.studies.worth.preregistration.preregistration_file import Preregistration
        from wordworth.studies.worth.record import make_record
        from wordworth.studies.worth.sequential_looks import Looks
        from wordworth.studies.worth.study import measure
        from wordworth.studies.worth.write_verdict_model import write_verdict_model

    plan = Preregistration.read(folder.path)
    tested = [read_as.test] if isinstance(read_as.test, str | Path) else []
    files = [path, *filter(is_file, map(Path, tested))]
    folder.note_replaced({"metric": read_as.metric, **merged_settings(chosen)}, progress, files)
    run_context = _run_context(chosen, progress)
    result = measure(path, read_as, chosen, run_context, Looks.of(folder.path), plan)
    with progress.step("computing the verdict"):
        record = folder.write(make_record(result, read_as, chosen))
    show(record)
    if model is not None:
        write_verdict_model(result, model, run_context)
    return record


def _require_sources(path: Path, chosen: WorthSettings) -> None:
    """Check before any work that the file, the models that the user named and the vectors exist."""
    from wordworth.models.load import require_device
    from wordworth.representations.shared_encoder import require_encoder

    check_file(path)
    require_device(chosen.device)
    for model in () if chosen.models == DEFAULT_MODELS else chosen.models:
        require_encoder(model)  # without the default one, the verdict says that it is missing
    for name in chosen.vectors:
        require(name)
