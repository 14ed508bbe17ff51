"""The record of a `worth` study: all tables and findings of its result, in the order of the page.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.metrics import metric
from wordworth.records import Finding, Record, Table
from wordworth.reports.worth.record_view import TITLED_IN_WORDS
from wordworth.representations.distilled_vectors import MOST_CHARACTERS, DistilledRung
from wordworth.sentence_formatting import capitalised, count_of, join_words, points_phrase
from wordworth.studies.study import environment, merged_settings
from wordworth.studies.worth import tables
from wordworth.studies.worth.abstention import abstention_table
from wordworth.studies.worth.blocked_split_finding import blocked_split_finding
from wordworth.studies.worth.cheapest_rung_map import decision_map
from wordworth.studies.worth.detectable_difference import power_table
from wordworth.studies.worth.expected_costs import ExpectedCosts
from wordworth.studies.worth.expected_costs_finding import cost_finding
from wordworth.studies.worth.finetuned_encoder_warnings import finetuned_encoders
from wordworth.studies.worth.gain_on_slices import slices_table
from wordworth.studies.worth.incomplete_rung_warnings import incomplete_rungs, requested_rungs, single_runs
from wordworth.studies.worth.prediction_sets import prediction_sets_table
from wordworth.studies.worth.prior_from_published_data import with_other_data_sets
from wordworth.studies.worth.probability_scores import probabilities_table
from wordworth.studies.worth.reliability_diagrams import reliability_table
from wordworth.studies.worth.running_costs import break_even_texts
from wordworth.studies.worth.scores_by_category import Categories
from wordworth.studies.worth.sensitivity_analysis import conditions, more_labels
from wordworth.studies.worth.static_share_of_gain import static_share_findings
from wordworth.studies.worth.verdict_text import VerdictWriter
from wordworth.studies.worth.vocabulary_coverage_warnings import coverage_findings, coverage_table, cut_findings

if TYPE_CHECKING:
    from wordworth.studies.worth.label_grid import LabelGrid
    from wordworth.studies.worth.settings import ReadSettings, WorthSettings
    from wordworth.studies.worth.study_result import StudyResult
    from wordworth.tasks.task import Task


_CROSS_FITTED = (
    " On all labels, each fold is predicted by a run that learned from the others, and the predictions of all folds "
    "are scored together. These intervals also hold for other labels drawn like these: how much the labels matter is "
    "estimated from the runs on fewer of them (after Shao and Wu 1989)."
)


def make_record(study: StudyResult, reading: ReadSettings, settings: WorthSettings) -> Record:
    """Return the record of a `worth` study, with its tables, findings and timings.

    Args:
        study: the result of the study.
        reading: how the file was read.
        settings: the settings of the study.
    """
    costs = None if study.confusion_costs is None else ExpectedCosts(study, study.confusion_costs)
    categories = Categories.of(study)
    findings = [
        *_findings(study, requested_rungs(settings)),
        *categories.findings(),
        *finetuned_encoders(settings.models, study.task),
        *([] if costs is None else [cost_finding(costs, settings)]),
    ]
    return Record(
        kind="worth",
        settings=_settings(reading, settings),
        data=_data(study),
        tables=_tables(study) | categories.tables() | ({} if costs is None else costs.tables()),
        findings=[_with_capitals(finding, study) for finding in findings],
        timings=_timings(study, settings),
        environment=environment(settings.threads) | _gpu(study, settings),
    )


def _with_capitals(finding: Finding, study: StudyResult) -> Finding:
    """Return a finding whose sentences begin with a capital, unless they begin with the name of a model."""
    titles = [rung.title for rung in study.ladder if rung.family in TITLED_IN_WORDS]
    return replace(finding, text=capitalised(finding.text, titles))


def _gpu(study: StudyResult, settings: WorthSettings) -> dict[str, str]:
    """Return {"device": name of the GPU that encoders computed on}; {} without a GPU or without contextual rungs."""
    if not any(rung.contextual for rung in study.ladder):
        return {}
    from wordworth.models.devices import device_of, name_of

    device = device_of(settings.device)
    return {} if device.type == "cpu" else {"device": name_of(device)}


def _settings(reading: ReadSettings, settings: WorthSettings) -> dict[str, Any]:
    """Return the settings for the record; `rungs` and `categories` are left out where the user names none."""
    optional = ("rungs", "categories")
    return {name: value for name, value in merged_settings(reading, settings).items() if value or name not in optional}


def _data(study: StudyResult) -> dict[str, Any]:
    """Return the description of the data: files with their hashes, numbers of rows, lengths of texts."""
    task = study.task
    words = np.array([len(text.split()) for text in _joined_texts(task)])
    used = task.used
    return {
        **task.facts,
        "rows": len(task.examples),
        "train": study.labels if task.folds else len(task.train),
        **({"folds": len(task.folds)} if task.folds else {}),
        **({} if task.examples.groups is None else {"groups": len(set(task.examples.groups))}),
        "labels_distinct": len(task.classes),
        "words_median": float(np.median(words[used])),
        "words_p95": float(np.quantile(words[used], 0.95)),
        "words_max": int(words[used].max()),
        "windowed": int(study.windowed[used].sum()),
        **({"looks": study.looks.columns()} if study.looks.rows else {}),
        **({} if study.adherence is None else {"preregistration": study.adherence.columns()}),
    }


def _joined_texts(task: Task) -> list[str]:
    """Return each example as one text; the two texts of a pair are joined."""
    if task.examples.second is None:
        return list(task.examples.first)
    return [f"{first} {second}" for first, second in zip(task.examples.first, task.examples.second, strict=True)]


_TABLES: Mapping[str, Callable[[StudyResult], Table]] = {
    "ladder": tables.ladder_table,
    "curve": tables.curve_table,
    "runs": tables.runs_table,
    "gaps": tables.gaps_table,
    "multiples": lambda study: study.multiples,
    "metrics": tables.metrics_table,
    "probabilities": probabilities_table,
    "reliability": reliability_table,
    "abstention": abstention_table,
    "prediction_sets": prediction_sets_table,
    "slices": slices_table,
    "examples": tables.examples_table,
    "classes": lambda study: tables.classes_table(study.task),
    "vocabulary_coverage": lambda study: coverage_table(study.coverage),
    "static_share": lambda study: study.static_share,
    "power": power_table,
}
_OF_EVEN_ROWS = frozenset({"probabilities", "reliability", "abstention", "prediction_sets", "slices"})
"""The tables that weight all test rows alike; they are left out where test rows have sampling weights."""


def _tables(study: StudyResult) -> dict[str, Table]:
    left_out = frozenset() if study.task.examples.weights is None else _OF_EVEN_ROWS
    return {name: table(study) for name, table in _TABLES.items() if name not in left_out}


def _findings(study: StudyResult, requested: Collection[str]) -> Iterator[Finding]:
    """Yield all findings, the verdict first; `requested` names the rungs that the user asked for."""
    writer = VerdictWriter(study)
    yield writer.finding()
    yield more_labels(study)
    yield from conditions(study)
    yield from static_share_findings(study.static_share, study.rung_results)
    yield from writer.below_guessing()
    yield from single_runs(study)
    if study.adherence is not None:
        yield study.adherence.finding()
    yield from incomplete_rungs(study.rung_results, requested)
    yield from study.task.warnings
    yield from coverage_findings(study.rung_results, study.coverage)
    yield from cut_findings(study.rung_results, study.task)
    yield from _reasons(study)
    yield from method(study)
    yield from blocked_split_finding(study)
    yield from with_other_data_sets(study)


def _reasons(study: StudyResult) -> Iterator[Finding]:
    """Yield a finding for each rung that was dropped, failed or skipped, or had failed runs, with the reason."""
    for result in study.rung_results:
        if result.reason:
            name, text = f"{result.state}.{result.rung.name}", f"{result.rung.title}: {result.reason}."
            yield Finding(name, text, {"rung": result.rung.name})


def _timings(study: StudyResult, settings: WorthSettings) -> dict[str, Any]:
    """Return the results that depend on the clock; a record holds them apart from those that the seed decides."""
    multiple = study.multiple(study.cheap_compared_name) if study.compared_with else {}
    return {
        "break_even": break_even_texts(multiple, study.costs, study.labels, settings),
        "costs": study.costs,
        "decision": decision_map(study, settings),
        "forecast": study.forecast,
        "seconds": study.seconds,
    }


def _draws(grid: LabelGrid) -> str:
    """Return in words how many subsets of each size a rung that is neither constant nor fine-tuned learns from."""
    draws = Counter(labels for labels, _ in grid.runs())
    usual, others = draws[grid.sizes[0]], defaultdict(list)
    for labels in grid.sizes:
        if draws[labels] != usual:
            others[draws[labels]].append("all" if labels == grid.top else f"{labels:,}")
    apart = ", ".join(f"{number} of {join_words(sizes)} labels" for number, sizes in others.items())
    return f"{count_of(usual, 'draw')} of each" + (f" ({apart})" if apart else "")


def method(study: StudyResult) -> list[Finding]:
    """Return the findings that describe the method of a `worth` study, one for each step."""
    task, grid, scores = study.task, study.grid, study.scores
    sizes = ", ".join(f"{size:,}" for size in grid.sizes)
    title = metric(task.metric, task.classes).title
    others = "every other rung that was not dropped" if scores.dropped else "every other rung"
    tested = "the same test texts" if not task.folds else "the same texts, of which no run had learned"
    new = "texts" if task.examples.groups is None else "groups"
    chosen = "" if task.examples.groups is None else "; no group was both learned from and held out for it"
    whole = "" if task.examples.groups is None else ", each of whole groups but for its last"
    steps = {
        "curves": f"Each rung learned from nested random subsets of {sizes} labels{whole}, {_draws(grid)}; "
        f"all rungs saw the same subsets, where they ran at all, and were scored on {tested}.",
        "choices": "Everything that could be chosen (regularisation, layers, n-grams, epochs) was chosen inside the "
        f"labels of the subset, by the same protocol for every rung{chosen}.",
        "intervals": f"Intervals are 95 %, from {scores.bootstrap.draws:,} paired bootstrap resamples over draws and "
        f"test {new} together; they hold for new {new} like these and, below all labels, for other draws of them."
        + (_CROSS_FITTED if task.folds else ""),
        "rule": f"A cheap rung suffices when it is surely within {points_phrase(study.margin)} of every contextual "
        f"rung: the interval of its difference in {title} to each does not reach further below 0. The rung to keep "
        f"is the cheapest one that is surely this near to {others} too. Context is worth it when no cheap rung "
        "suffices and each is surely behind a contextual one by more than this margin; it is ahead when each is surely "
        "behind, perhaps by less. Everything between is “cannot tell yet”. Where context is worth it or ahead, the "
        "rung named is, of those surely ahead of every cheap rung, the cheapest that is surely within the margin of "
        "every other rung, or else the one with the best score. The decision map applies the same rule at every number "
        "of labels.",
        "errors": "A definite answer is false in at most 5 % of studies, over all rungs and over all verdicts of "
        "the same labels while more are added: the rule's levels are stricter than 95 % for it. The answers on fewer "
        "labels than all share such an error among them. Where rungs hardly disagree, 1.5 pairs of texts in each "
        "direction, on which one is right and the other wrong, are added to a resample on average (after Agresti and "
        "Min 2005). A definite answer is given where the measured difference is large, so the "
        "difference that it prints is corrected for this selection.",
    }
    if grid.quick and grid.tagging:
        steps["taggers"] = (
            "A tagger takes seconds to learn, so a quick study has few draws of it, and its intervals are wider."
        )
    if any(map(grid.has_few_subsets, grid.sizes)):
        steps["classes"] = (
            f"A fit on many labels of {grid.classes} classes takes seconds, so such subsets have few draws, and their "
            "intervals are wider."
        )
    if not study.measured_names(contextual=True):
        steps["rule"] = (
            "A rung is not surely behind the one that leads where the 95 % interval of their difference reaches 0. "
            "Whether context is worth it was not tested: no rung with context was measured."
        )
    steps |= _tables_step(study) | _finetuning_step(study)
    return [Finding(f"method.{name}", text) for name, text in steps.items()]


def _tables_step(study: StudyResult) -> dict[str, str]:
    """Return the step of the method on distilled tables: the texts that they are made from, or why there is none."""
    grid = study.grid
    distilled = [result.rung.title for result in study.measured if isinstance(result.rung, DistilledRung)]
    if distilled:
        text = (
            f"A table distilled from an encoder ({', '.join(distilled)}) is made of the texts of the whole training "
            f"part ({MOST_CHARACTERS:,} characters of them at most; never of the texts that it is tested on) and none "
            f"of its labels: where a rung learns from {grid.sizes[0]:,} labels, the table has read the other texts too."
        )
    elif grid.quick and study.measured_names(contextual=True) and not grid.tagging:
        text = (
            "Whether a static table made of the encoder would do was not tested: that takes longer than a quick "
            "study has."
        )
    else:
        return {}
    return {"tables": text}


def _finetuning_step(study: StudyResult) -> dict[str, str]:
    """Return the step of the method on fine-tuning: its sizes and numbers of runs, by rung where they differ."""
    scores = study.scores
    rungs = [result.rung for result in study.measured if result.rung.family == "finetuned"]
    if not rungs:
        return {}
    titles: dict[tuple[tuple[int, int], ...], list[str]] = {}
    for rung in rungs:
        runs = tuple((labels, scores.seeds_of(rung.name, labels)) for labels in scores.sizes(rung.name))
        titles.setdefault(runs, []).append(rung.title)
    listed = [", ".join(f"{labels:,} labels ({count_of(count, 'run')})" for labels, count in runs) for runs in titles]
    if len(titles) > 1:
        listed = [f"{text} for {join_words(named)}" for text, named in zip(listed, titles.values(), strict=True)]
    assumed = points_phrase(rungs[0].assumed_run_sd)
    single = f" One run does not show how much runs differ: {assumed}, as on other data sets, stands in for it."
    few = single if any(count == 1 for runs in titles for _, count in runs) else ""
    where = "; ".join(listed)
    return {"finetuning": f"Fine-tuning takes minutes a run, so it was run at fewer sizes and draws: {where}.{few}"}
