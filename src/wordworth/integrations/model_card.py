"""Write a study's verdict into a model card of the Hugging Face hub: a section, and the metadata `model-index`.

Nothing is uploaded: `write_card` writes the `README.md` of a folder, which a user may upload to the hub.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from huggingface_hub import EvalResult, ModelCard, ModelCardData

from wordworth.errors import BadInput
from wordworth.files import as_path, write_text
from wordworth.integrations.record_scores import RecordScore, scores_of, verdict_row
from wordworth.records import Record, as_record
from wordworth.sentence_formatting import points, signed
from wordworth.tasks.task_types import of_record

CARD = "README.md"
_BEGIN, _END = "<!-- wordworth: begin -->", "<!-- wordworth: end -->"
_SECTION = re.compile(rf"{re.escape(_BEGIN)}.*?{re.escape(_END)}\n?", re.DOTALL)
_METRICS = {
    "macro_f1": "f1",
    "micro_f1": "f1",
    "entity_f1": "f1",
    "span_f1": "f1",
    "matthews": "matthews_correlation",
    "spearman": "spearmanr",
    "pearson": "pearsonr",
    "r2": "r_squared",
}
"""Metric -> the hub's name for it, if that is another name."""


def verdict_metadata(record: Record | Path | str, *, model_name: str | None = None) -> dict[str, Any]:
    """Return the metadata of a model card (`model-index`, metrics, tags) for a record of a study.

    The scores are, for `worth`, of the model that the verdict names; for `finetune`, of the saved run; for `evaluate`,
    of the predictions. Each metric has its interval in `args`.

    Args:
        record: the record of `worth`, `finetune` or `evaluate`: a `Record`, the path of its record.json, or of that
            file's folder.
        model_name: name of the model on the card; None for its title or name in the record.

    Raises:
        BadInput: there is no such record, a record of this kind has no scores of a model, or the record has no score.
    """
    record = as_record(record)
    name = model_name or _name(record)
    results = _results(record)
    card_data = ModelCardData(
        model_name=name,
        eval_results=results,
        metrics=list(dict.fromkeys(result.metric_type for result in results)),
        tags=["wordworth"],
    )
    metadata: dict[str, Any] = card_data.to_dict()  # type: ignore[no-untyped-call]
    return metadata


def write_card(record: Record | Path | str, folder: Path | str, *, model_name: str | None = None) -> Path:
    """Write the verdict of a study into the `README.md` of a model's folder, and return the path of that file.

    An existing card keeps its text, its metadata and the results of other data sets. The section and the results of an
    earlier verdict on the same data are replaced.

    Args:
        record: the record of `worth`, `finetune` or `evaluate`: a `Record`, the path of its record.json, or of that
            file's folder.
        folder: folder of the model; it is created if missing.
        model_name: name of the model on the card; None for its title or name in the record.

    Raises:
        BadInput: `verdict_metadata` raises it, the metadata of an existing card cannot be read, or the folder cannot be
            written.
    """
    record, path = as_record(record), as_path(folder, "folder") / CARD
    name = model_name or _name(record)
    fresh = ModelCardData(**verdict_metadata(record, model_name=name))
    card = _card(path) if path.is_file() else ModelCard(f"---\n{{}}\n---\n# {_plain(name)}\n")
    _merge(cast("ModelCardData", card.data), fresh, name)
    text = _SECTION.sub("", card.text).rstrip()
    card.text = f"{text}\n\n{_section(record)}".lstrip("\n")
    write_text(path, str(card))
    return path


def _merge(card_data: ModelCardData, fresh: ModelCardData, name: str) -> None:
    """Put the results of a verdict into a card's metadata, in place of earlier ones on the same data."""
    replaced = {result.unique_identifier for result in fresh.eval_results or ()}
    others = [result for result in card_data.eval_results or () if result.unique_identifier not in replaced]
    card_data.model_name = card_data.model_name or name
    card_data.eval_results = [*others, *(fresh.eval_results or ())]
    card_data.metrics = _union(card_data.metrics, fresh.metrics)
    card_data.tags = _union(card_data.tags, fresh.tags)


def _card(path: Path) -> ModelCard:
    try:
        return ModelCard(path.read_text(encoding="utf-8"))
    except Exception as error:  # YAML's errors, or those of the hub's checks of it
        reason = str(error).partition("\n")[0]
        what = f"the metadata of this card cannot be read: {reason}"
        raise BadInput(what, where=str(path), mend="mend or remove the block between the lines `---`") from error


def _results(record: Record) -> list[EvalResult]:
    results = [_result(record, score) for score in scores_of(record)]
    if not results:
        raise BadInput("this record has no score to state", mend="run the study again, and see its report for why")
    return results


def _result(record: Record, score: RecordScore) -> EvalResult:
    sources = [source["sha256"] for source in record.data.get("sources", ())]
    base = score.metric.partition(":")[0]
    return EvalResult(
        task_type=of_record(score.kind).hub_task or score.kind.replace("_", "-") or "other",
        task_name=score.kind.replace("_", " ") or None,
        dataset_type=re.sub(r"[^\w.-]+", "-", Path(score.dataset).name) or "data",
        dataset_name=Path(score.dataset).name,
        dataset_split=score.split,
        dataset_args={"sha256": sources} if sources else None,
        metric_type=_METRICS.get(base, base),
        metric_name=score.title,
        metric_value=score.value,
        metric_args=dict(score.details) or None,
    )


def _name(record: Record) -> str:
    """Return the name of the model that the scores are of."""
    row = verdict_row(record)
    if row is not None:
        return str(row["title"])
    return str(record.data.get("model", "predictions"))


def _section(record: Record) -> str:
    """Return the card's section with the verdict, between marks by which a later verdict finds and replaces it."""
    warnings = [f"* {_plain(finding.text)}" for finding in record.warnings]
    parts = [
        _BEGIN,
        "## What the text is worth",
        "",
        *(_plain(line) + "\n" for line in record.verdict.splitlines()),
        *_scores(record),
        *(_ladder(record) if record.kind == "worth" else ()),
        *(["**Warnings**", "", *warnings, ""] if warnings else []),
        f"Measured by `wordworth {record.kind}`; intervals are those of 95 %.",
        _END,
    ]
    return "\n".join(parts) + "\n"


def _scores(record: Record) -> Iterator[str]:
    """Yield the lines of the table of scores."""
    yield from ("| data | metric | score | 95 % interval |", "|---|---|---|---|")
    for score in scores_of(record):
        ends = [score.details.get(end) for end in ("low", "high")]
        interval = " to ".join(f"{end:.3f}" for end in ends if end is not None)
        yield f"| {_cell(Path(score.dataset).name)} | {_cell(score.title)} | {score.value:.3f} | {interval} |"
    yield ""


def _ladder(record: Record) -> Iterator[str]:
    """Yield the lines of the table of all rungs that were measured, in points of 100."""
    yield from ("| rung | score | behind the best | size |", "|---|---|---|---|")
    for row in record.tables["ladder"].rows():
        if row["state"] == "measured" and isinstance(row["score"], float):
            size = f"{row['disk_bytes'] / 1e6:,.1f} MB"
            yield f"| {_cell(row['title'])} | {points(row['score'])} | {signed(row['gap'])} | {size} |"
    yield ""


def _union(first: Any, second: Any) -> list[str]:  # noqa: ANN401 - one string, a list, or None
    """Return the values of both arguments as one list without repetitions."""
    both = [[values] if isinstance(values, str) else list(values or ()) for values in (first, second)]
    return list(dict.fromkeys([*both[0], *both[1]]))


def _plain(text: str) -> str:
    """Return a text in which the special characters of Markdown are escaped."""
    return re.sub(r"([\\`*_<>\[\]])", r"\\\1", text)


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")
