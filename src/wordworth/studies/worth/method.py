"""The data in numbers and the method in sentences, for the record."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.metrics import metric
from wordworth.records import Finding
from wordworth.representations.distilled import MOST_CHARACTERS, DistilledRung
from wordworth.studies.worth.distances import points_phrase
from wordworth.studies.worth.scores import ASSUMED_SEED_SD
from wordworth.tasks.facts import facts
from wordworth.text_format import count_of

if TYPE_CHECKING:
    from wordworth.studies.worth.label_grid import LabelGrid
    from wordworth.studies.worth.record import Evidence
    from wordworth.tasks.task import Task


def data_of(task: Task, windowed: NDArray[np.bool_]) -> dict[str, Any]:
    """The data in numbers, with each file's hash."""
    words = np.array([len(text.split()) for text in _joined_texts(task)])
    used = np.concatenate([task.train, task.test])
    return {
        **facts(task),
        "rows": len(task.examples),
        "train": len(task.train),
        "labels_distinct": len(task.classes),
        "words_median": float(np.median(words[used])),
        "words_p95": float(np.quantile(words[used], 0.95)),
        "words_max": int(words[used].max()),
        "windowed": int(windowed[used].sum()),
    }


def _joined_texts(task: Task) -> list[str]:
    """Each example as one text, the two texts of a pair joined."""
    if task.examples.second is None:
        return list(task.examples.first)
    return [f"{first} {second}" for first, second in zip(task.examples.first, task.examples.second, strict=True)]


def _draws(plan: LabelGrid) -> str:
    """The number of draws of each subset for a rung that is neither constant nor fine-tuned, in words."""
    runs_at = Counter(labels for labels, _ in plan.runs("counts"))
    draws, top = runs_at[plan.sizes[0]], runs_at[plan.top]
    return f"{count_of(draws, 'draw')} of each" + (f" ({top} of all labels)" if top != draws else "")


def method(evidence: Evidence) -> list[Finding]:
    """The method, one finding per step."""
    task, plan, scores = evidence.case.task, evidence.plan, evidence.scores
    sizes = ", ".join(f"{size:,}" for size in plan.sizes)
    title = metric(task.metric, task.classes).title
    others = "every other rung that was not dropped" if scores.dropped else "every other rung"
    steps = {
        "curves": f"Each rung learned from nested random subsets of {sizes} labels, {_draws(plan)}; "
        "all rungs saw the same subsets, where they ran at all, and were scored on the same test texts.",
        "choices": "Everything that could be chosen (regularisation, layers, n-grams, epochs) was chosen inside the "
        "labels of the subset, by the same protocol for every rung.",
        "intervals": f"Intervals are 95 %, from {scores.draws:,} paired bootstrap resamples over draws and test texts "
        "together; they hold for new texts like these and for other draws from these labels.",
        "rule": f"A rung is good enough when it is surely within {points_phrase(evidence.case.epsilon)} of {others}: "
        f"the lower end of its difference in {title} to each lies at or above that margin. Keep: a cheap rung is good "
        "enough, and the cheapest such is named. Use: no cheap rung is, and each is surely behind a contextual one, "
        "the whole interval below no difference at a level that leaves 5 % to all contextual rungs together. Cannot "
        "tell yet: everything between. The decision map applies the same rule at every number of labels.",
    }
    if plan.quick and plan.tagging:
        steps["taggers"] = (
            "A tagger takes seconds to learn, so a quick study has few draws of it, and its intervals are wider."
        )
    if not evidence.named(contextual=True):
        steps["rule"] = (
            "A rung is level with the one that leads where the 95 % interval of their difference reaches 0. Whether "
            "context is worth it was not tested: no rung with context was measured."
        )
    distilled = [entry.rung.title for entry in evidence.measured if isinstance(entry.rung, DistilledRung)]
    if distilled:
        steps["tables"] = (
            f"A table distilled from an encoder ({', '.join(distilled)}) is made once, of the texts of the whole "
            f"training part ({MOST_CHARACTERS:,} characters of them at most) and none of its labels: where a rung "
            f"learns from {plan.sizes[0]:,} labels, the table has read the other texts too."
        )
    elif plan.quick and evidence.named(contextual=True) and not plan.tagging:
        steps["tables"] = (
            "Whether a static table made of the encoder would do was not tested: that takes longer than a quick "
            "study has."
        )
    finetuned = [entry for entry in evidence.measured if entry.rung.family == "finetuned"]
    if finetuned:
        counts = {
            (labels, scores.seeds_of(entry.rung.name, labels))
            for entry in finetuned
            for labels in scores.sizes(entry.rung.name)
        }
        sizes_and_runs = ", ".join(f"{labels:,} labels ({count_of(seeds, 'run')})" for labels, seeds in sorted(counts))
        single_run = any(seeds == 1 for _, seeds in counts)
        assumption = (
            f" One run does not show how much runs differ: {points_phrase(ASSUMED_SEED_SD['finetuned'])} is assumed."
            if single_run
            else ""
        )
        steps["finetuning"] = (
            f"Fine-tuning takes minutes a run, so it was run at fewer sizes and draws: {sizes_and_runs}.{assumption}"
        )
    return [Finding(f"method.{name}", text) for name, text in steps.items()]
