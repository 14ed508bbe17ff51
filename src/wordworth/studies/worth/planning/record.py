"""The record of a plan: its tables, and the findings that say how many test labels are needed.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from wordworth.measures.metrics import metric
from wordworth.records import Finding, Record, Table
from wordworth.sentence_formatting import percent, points, points_phrase, significant
from wordworth.studies.study import environment, merged_settings
from wordworth.studies.worth.incomplete_rung_warnings import incomplete_rungs, requested_rungs
from wordworth.studies.worth.planning import variance_on_published_sets as usual
from wordworth.studies.worth.planning.rung_pair import SIZES, Pair
from wordworth.studies.worth.planning.settings import LEAST_LABELS, METRIC, PlanSettings
from wordworth.studies.worth.prior_from_published_data import PRIOR, before_labels

if TYPE_CHECKING:
    from wordworth.studies.worth.planning.choose_texts_to_label import ChosenTexts
    from wordworth.studies.worth.settings import ReadSettings, WorthSettings
    from wordworth.studies.worth.study_result import StudyResult
    from wordworth.tasks.examples import Origin
    from wordworth.tasks.task import Task

PLAN = {
    "labels": "number of test labels, each of them a test label in turn, as in a study without a test part of its own",
    "price": "what so many labels cost",
    "difference": "smallest true difference in accuracy that is told from 0 in 80 % of studies; inf where the rungs "
    "surely disagree on fewer texts than that",
    "half_width": "half the width of the 95 % interval of the difference",
    "least": "the difference of the pair of rungs, or of the data set, that is told apart most easily",
    "most": "the difference of the pair of rungs, or of the data set, that is told apart least easily",
}
PAIRS = {
    "cheap": "the cheap rung",
    "contextual": "the contextual rung",
    "disagreement": "share of the unlabelled texts for which the two predict different classes",
    "disagreement_low": "lower end of its exact 95 % interval (Clopper and Pearson 1934)",
    "disagreement_high": "upper end; the largest difference that the two can have",
    "labels_for_margin": "test labels that show a difference as large as the margin",
}


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """All settings of a plan of how many labels a study needs.

    Attributes:
        reading: how the files are read.
        settings: the settings of the study to come.
        planning: the settings of the plan itself.
    """

    reading: ReadSettings
    settings: WorthSettings
    planning: PlanSettings

    def table(self, first: Pair, pairs: Sequence[Pair]) -> Table:
        """Return the table `plan`: the difference between two rungs that each number of test labels would detect.

        Args:
            first: the pair of rungs that a study would compare: its detectable differences are the column `difference`,
                and half the widths of its intervals are the column `half_width`.
            pairs: all pairs of rungs; the smallest and the largest of their detectable differences are the columns
                `least` and `most`.
        """
        every = [pair.difference(SIZES).tolist() for pair in pairs]
        columns = {
            "labels": list(SIZES),
            "price": [self.settings.label_price * labels for labels in SIZES],
            "difference": first.difference(SIZES).tolist(),
            "half_width": first.half_width(SIZES).tolist(),
            "least": [min(row) for row in zip(*every, strict=True)],
            "most": [max(row) for row in zip(*every, strict=True)],
        }
        return Table(columns, PLAN)

    def record(
        self,
        data: Mapping[str, Any],
        tables: Mapping[str, Table],
        findings: Sequence[Finding],
        seconds: Mapping[str, float] = MappingProxyType({}),
    ) -> Record:
        """Return the record of kind `plan` with these tables and findings.

        Args:
            data: description of the texts and of the labels so far.
            tables: name of each table -> the table.
            findings: the verdict, warnings and method.
            seconds: each part of the work -> the seconds that it took.
        """
        settings = merged_settings(self.reading, self.settings, self.planning)
        timings, here = {"seconds": dict(seconds)}, environment(self.settings.threads)
        return Record("plan", settings, data, tables, findings, timings, here)


def usual_record(request: PlanRequest, origin: Origin, texts: int) -> Record:
    """Return the record of a plan for texts without any label, from variances measured on published data sets.

    Args:
        request: the settings.
        origin: the file of the texts.
        texts: the number of texts in the file.
    """
    least, first, most = map(usual.usual_pair, (usual.LEAST, usual.MEDIAN, usual.MOST))
    margin = request.settings.metric_margin
    fewest, needed, largest = (pair.labels_for(margin) for pair in (least, first, most))
    span = f"{significant(fewest)} to {significant(largest)}"
    headline = f"Before any label: {span} test labels show a lead of {points_phrase(margin)}."
    text = (
        "These are not figures of your texts, of which nothing is known without labels: they are those of "
        f"{usual.SETS} published sets on {usual.ROWS:,} labels each, the median of how uncertain a difference was and, "
        f"from least to most, its 10th and 90th percentile. {LEAST_LABELS} labels or more, in the option "
        f"labels_so_far, make a plan of your own texts. {before_labels()}"
    )
    of_others = {"lead": PRIOR.mean, **PRIOR.interval().columns("lead_")}
    numbers = {"headline": headline, "margin": margin, "labels_for_margin": needed, **of_others}
    data = {"name": origin.path, "metric": METRIC, "texts": texts, "sources": [asdict(origin)]}
    findings = [Finding("verdict", text, numbers), *_method()]
    return request.record(data, {"plan": request.table(first, (least, most))}, findings)


def plan_record(
    request: PlanRequest,
    usual_metric: str,
    result: StudyResult,
    pairs: Sequence[Pair],
    texts: tuple[Origin, int],
    chosen: ChosenTexts | None = None,
) -> Record:
    """Return the record of a plan for a study of which some labels exist.

    Args:
        request: the settings.
        usual_metric: the metric that a study of these labels would use; the plan itself is for accuracy.
        result: the rungs, fitted on the labels so far, and their scores.
        pairs: the pairs of a cheap and a contextual rung; the first is the one that a study would compare.
        texts: the file of the unlabelled texts, and the number of texts that were predicted.
        chosen: the texts that were drawn to be labelled next; None if the user asks for none.
    """
    rows = [
        {name: getattr(pair, name) for name in ("cheap", "contextual", "disagreement")}
        | pair.disagreement_interval.columns("disagreement_")
        | {"labels_for_margin": pair.labels_for(result.margin)}
        for pair in pairs
    ]
    task, (origin, count) = result.task, texts
    data = {**task.facts, "rows": len(task.used), "texts": count}
    data["sources"] = [*data["sources"], asdict(origin)]
    tables = {"plan": request.table(pairs[0], pairs), "pairs": Table.of(rows, PAIRS)}
    if chosen is not None:
        tables |= chosen.tables()
    findings = [
        _verdict(result, pairs[0], count),
        *([] if chosen is None else [chosen.finding(result)]),
        *_other_metric(usual_metric, task),
        *incomplete_rungs(result.rung_results, requested_rungs(request.settings)),
        *(finding for finding in task.warnings if finding.name != "method.metric"),
        Finding("method.variance", _VARIANCE),
        *_method(),
    ]
    return request.record(data, tables, findings, result.seconds)


def _verdict(result: StudyResult, pair: Pair, texts: int) -> Finding:
    """Return the finding `verdict`: how many test labels detect that one rung leads another by the margin."""
    needed, size = pair.labels_for(result.margin), points_phrase(result.margin)
    headline = f"About {significant(needed)} test labels show a lead of {size}."
    if math.isinf(needed):
        headline = f"No number of test labels is sure to show a lead of {size}."
    low, high = pair.disagreement_interval.low, pair.disagreement_interval.high
    text = (
        f"By the {pair.labels:,} labels so far a study would compare {result.title(pair.cheap)} and "
        f"{result.title(pair.contextual)}, which disagree on {percent(pair.disagreement, 1)} of {texts:,} unlabelled "
        f"texts (95 %: {points(low)} to {points(high)}): surely neither leads by more than "
        f"{points_phrase(high)}."
    )
    numbers = {
        "headline": headline,
        "margin": result.margin,
        "labels_for_margin": needed,
        "cheap": pair.cheap,
        "contextual": pair.contextual,
        "disagreement": pair.disagreement,
        **pair.disagreement_interval.columns("disagreement_"),
        "labels_so_far": pair.labels,
    }
    return Finding("verdict", text, numbers)


def _other_metric(usual_metric: str, task: Task) -> Iterator[Finding]:
    if usual_metric != METRIC:
        title = metric(usual_metric, task.classes).title
        text = (
            f"A study of these labels would be measured by {title}; this plan is for accuracy, and no bound for that."
        )
        yield Finding("warning.metric", text, {"metric": usual_metric})


_VARIANCE = (
    "In accuracy, the variance of a difference per test text is at most the share of texts on which two rungs "
    "disagree, with two classes exactly that less the square of the difference. What other labels to learn from would "
    "change is added, as a study without a test part of its own adds it. Rungs that learn from more labels mostly "
    "disagree less: then fewer labels are enough."
)


def _method() -> list[Finding]:
    steps = {
        "power": "A difference is shown where its 95 % interval leaves out 0, with a probability of 80 % where it is "
        "truly so large. The levels of a verdict over several rungs are a little stricter.",
        "rungs": "No rung was fine-tuned, and other metrics than accuracy are not covered.",
    }
    return [Finding(f"method.{name}", text) for name, text in steps.items()]
