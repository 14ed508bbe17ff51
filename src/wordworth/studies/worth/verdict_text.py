"""The verdict in plain sentences: `VerdictWriter` alone turns a `StudyResult` into words.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not. The ladder is
the list of rungs, cheapest first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wordworth.measures.metrics import metric
from wordworth.records import Finding
from wordworth.reports.number_format import unit
from wordworth.representations.constant_baseline import best_constant
from wordworth.sentence_formatting import join_words, points, points_phrase, signed, signed_range
from wordworth.sources import short_name
from wordworth.studies.worth.decision_rule import guessing_level, unbeaten_baseline
from wordworth.studies.worth.label_multiple_text import multiple_text
from wordworth.studies.worth.named_rung_text import why_named
from wordworth.studies.worth.rows_to_decide import POWER, RowsToDecide, rows_of, rows_to_decide
from wordworth.studies.worth.rows_to_decide_text import rows_to_decide_text
from wordworth.studies.worth.selection_corrected_difference import corrected_difference
from wordworth.studies.worth.vocabulary_coverage_warnings import limitation

if TYPE_CHECKING:
    from wordworth.measures.selective_inference import CorrectedEstimate
    from wordworth.studies.worth.decision_rule import RungComparison, Verdict
    from wordworth.studies.worth.scores import Scores
    from wordworth.studies.worth.study_result import StudyResult
    from wordworth.tasks.task import Task

_HEADLINE_LENGTH = 28
"""Most characters that fit on one line of a phone."""
_OPEN, _NOTHING, _UNTESTED = "Cannot tell yet.", "Nothing beats guessing yet.", "Context was not measured."
_AHEAD, _CHEAP = "Context is ahead.", "A cheap rung suffices"


@dataclass(frozen=True, slots=True)
class VerdictWriter:
    """The writer of a study's verdict, which puts the answer of the decision rule into sentences, with the numbers.

    Every sentence compares two rungs that learned from all labelled examples, by their paired difference and its 95 %
    interval.
    """

    study: StudyResult

    @property
    def verdict(self) -> Verdict:
        """The verdict of the decision rule on the scores of runs that learned from all labelled examples."""
        return self.study.verdict

    @property
    def scores(self) -> Scores:
        """The scores of all the study's runs."""
        return self.study.scores

    @property
    def labels(self) -> int:
        """The number of labelled examples on which the verdict is drawn: all that a run can learn from."""
        return self.study.labels

    def finding(self) -> Finding:
        """Return the finding `verdict`: a headline of a few words, two sentences, and the numbers behind them.

        If no rung is significantly better than the constant rung, a sentence that says so comes first, whatever the
        answer is.
        """
        baseline = unbeaten_baseline(self.verdict, self.scores, self.labels)
        first, second = self.verdict.compared_pair
        text = f"{self.nothing_learned(baseline) if baseline else ''}{self.answer_text(first, second)}{self._looks()}"
        text += limitation(self.study.unreadable, self.study.spelled)
        return Finding("verdict", text, self._numbers(baseline, first, second))

    def _numbers(self, baseline: str, first: str, second: str) -> dict[str, Any]:
        """Return the numbers behind the sentences, for the record."""
        verdict = self.verdict
        numbers: dict[str, Any] = {"answer": verdict.answer, "rung": verdict.rung, "best": verdict.best}
        numbers |= {"epsilon": verdict.margin, "headline": self.headline(baseline), "look": verdict.look}
        if verdict.is_open and verdict.contextual:
            rows = self.rows_to_decide
            numbers |= {"labels_to_tell": rows.likely, "power": POWER, "power_at_most": rows.most}
            numbers |= {"more_labels": list(rows.rows), "chances": list(rows.chances)}
        if verdict.answer == "cheap suffices":
            numbers["settled"] = verdict.settled
        if baseline:
            numbers["no_better_than"] = baseline
        if first != second:
            numbers |= {"gap": self.scores.gap(first, second, self.labels), "compared": first, "against": second}
            numbers |= self.scores.gap_interval(first, second, self.labels).columns()
        if not verdict.is_open:
            numbers |= {"corrected": self.corrected.value, **self.corrected.interval.columns("corrected_")}
        if self.study.unreadable:
            numbers["blind"] = self.study.unreadable
        if self.study.spelled:
            numbers["spelled"] = self.study.spelled
        return numbers

    @property
    def corrected(self) -> CorrectedEstimate:
        """The difference of two rungs that a definite answer states, with its interval, corrected for selection.

        Only large measured differences make an answer definite, so that such differences are too large on average.
        """
        return corrected_difference(self.verdict, self.scores, self.labels)

    def headline(self, baseline: str) -> str:
        """Return the answer of the verdict in a few words.

        Args:
            baseline: the name of the constant rung if no other rung is significantly better; else "".
        """
        if not self.verdict.contextual:
            return _NOTHING if baseline else _UNTESTED
        if self.verdict.is_open:
            return _OPEN
        if self.verdict.answer == "contextual is ahead":
            return _AHEAD
        if self.verdict.answer == "contextual is worth it":
            return self._short(f"Use {self._title(self.verdict.rung)}", "Context is worth it")
        if baseline:
            return _NOTHING
        return self._short(f"Keep {self._title(self.verdict.rung)}", _CHEAP) if self.verdict.settled else f"{_CHEAP}."

    def answer_text(self, first: str, second: str) -> str:
        """Return the two sentences that state the verdict's answer.

        Args:
            first: name of the first rung of `Verdict.compared_pair`.
            second: name of the second rung.
        """
        if not self.verdict.contextual:
            return self._leader(first, second) + self._how_to_test_context()
        if self.verdict.settled:
            return self._suffices() + self._when_context_pays()
        if self.verdict.answer == "cheap suffices":
            return self._some_cheap_suffices(first, second)
        if self.verdict.context_leads:
            multiple = self.study.multiple(second)
            needs = multiple_text(multiple, self._title(second), self._title(first))
            why = why_named(self.verdict, self.scores, self.labels, self._title)
            return self._advantage(first, second) + needs + why
        return self._open(first, second) + rows_to_decide_text(self.study, self.rows_to_decide)

    def below_guessing(self) -> Iterator[Finding]:
        """Yield a warning that names the rungs that score below guessing.

        Scores are means over the runs that learned from all labelled examples. Guessing is the baseline rung, which
        gives every text the same answer, or in tagging gives each word its most frequent tag. Nothing is yielded if no
        rung scores below it.
        """
        for baseline in (comparison for comparison in self.verdict.comparisons if comparison.is_baseline):
            below = [comparison for comparison in self._learned() if comparison.mean < baseline.mean]
            if below:
                names = [f"{self._title(comparison.name)} ({100 * comparison.mean:.1f})" for comparison in below]
                verb = "scores" if len(below) == 1 else "score"
                guess = constant_answer(self.study.task)
                text = f"{join_words(names)} {verb} less than {guess} ({100 * baseline.mean:.1f})."
                numbers = {"rungs": [comparison.name for comparison in below], "guess": baseline.mean}
                yield Finding("warning.below_guessing", text, numbers)

    def nothing_learned(self, baseline: str) -> str:
        """Return the sentence that no rung is significantly better than the constant rung, named `baseline`."""
        best = max(self._learned(), key=lambda comparison: comparison.mean).name
        level, number = guessing_level(self.verdict), len(list(self._learned()))
        gap, interval = (
            self.scores.gap(best, baseline, self.labels),
            self.scores.gap_interval(best, baseline, self.labels, level),
        )
        shared = f", the level for {number} rungs" if number > 2 else ""  # noqa: PLR2004 - of two, it is the usual 95 %
        return (
            f"No rung is surely better than {constant_answer(self.study.task)}: the best, {self._title(best)}, is "
            f"{ahead_or_behind(gap)} it ({signed_range(interval.low, interval.high, level)}{shared}). "
        )

    @property
    def rows_to_decide(self) -> RowsToDecide:
        """The numbers of labelled rows that may make the answer definite, with the probability of a definite answer."""
        return rows_to_decide(self.verdict, self.scores, self.labels, rows_of(self.study.task))

    @property
    def _with_labels(self) -> str:
        """The words with which a sentence on scores begins; they name the metric unless it is accuracy."""
        task = self.study.task
        measure = unit(task.metric, metric(task.metric, task.classes).title).title
        by = "" if task.metric == "accuracy" else f", by {measure}"
        return f"With {self.labels:,} labels{by}"

    def _suffices(self) -> str:
        name, title = self.verdict.rung, self._title(self.verdict.rung)
        rival = self.verdict.of(name).rival
        if rival == name:
            return f"{self._with_labels}, {title} is the only rung to compare. "
        return (
            f"{self._with_labels}, {title} is {self._corrected_distance(name, rival)}, and surely no rung is better "
            f"by more than {self._margin}. "
        )

    def _when_context_pays(self) -> str:
        """Return a sentence on the largest number of labels, fewer than all, with which context was worth it."""
        sizes = [size for size in self.scores.sizes(self.verdict.rung) if size < self.labels]
        verdicts = {size: self.study.judged(self.scores, size) for size in sizes}
        worth = [size for size, earlier in verdicts.items() if earlier.answer == "contextual is worth it"]
        if not worth:
            smallest = min([*sizes, self.labels])
            return f"Nowhere between {smallest:,} and {self.labels:,} labels was context clearly worth it."
        size = worth[-1]
        fewer = " or fewer" if len(worth) == len([smaller for smaller in sizes if smaller <= size]) else ""
        return f"With {size:,} labels{fewer}, {self._title(verdicts[size].rung)} would be worth it."

    def _some_cheap_suffices(self, first: str, second: str) -> str:
        """Return the sentences for the answer that a cheap rung suffices, if it is open which cheap rung to keep."""
        keep = self.verdict.rung
        others = [
            self._title(comparison.name)
            for comparison in self.verdict.cheap
            if comparison.name != keep and self._may_equal(comparison.name, self.verdict.cheap[0].name)
        ]
        return (
            f"{self._with_labels}, {self._title(first)} is {self._corrected_distance(first, second)}, and surely no "
            f"contextual rung is better by more than {self._margin}. Which cheap rung to keep is open: "
            f"{self._title(keep)} is the cheapest that may be the best"
            f"{f', and {join_words(others)} may be' if others else ''}."
        )

    def _advantage(self, contextual: str, cheap: str) -> str:
        """Return the sentence on how far a contextual rung is ahead of the best cheap one."""
        worth = self.verdict.answer == "contextual is worth it"
        more = f"more than {self._margin} " if worth else ""
        less = "" if more else f", perhaps by less than {self._margin}"
        corrected, least = self.corrected, self.verdict.margin if more else 0.0
        span = f"{points(corrected.interval.low)} to {points_phrase(corrected.interval.high)}"
        measured = f"{points(self.scores.gap(contextual, cheap, self.labels))} measured"
        by = f"about {points_phrase(corrected.value)} (95 %: {span}; {measured})"
        if corrected.value <= least:
            by = f"{span} (95 %; {measured})"
        sentence = f"{self._with_labels}, {self._title(contextual)} is surely {more}ahead of "
        rungs_ahead = [comparison.short if worth else comparison.behind for comparison in self.verdict.cheap]
        if not all(contextual in names for names in rungs_ahead):
            return f"{sentence}the best cheap rung, {self._title(cheap)}{less}: by {by}. "
        return f"{sentence}every cheap rung{less}. The best of these, {self._title(cheap)}, is {by} behind. "

    def _open(self, first: str, second: str) -> str:
        """Return the sentence on the difference of the two compared rungs, which leaves the answer open."""
        return (
            f"{self._with_labels}, {self._title(first)} is {self._distance(first, second)} "
            f"{self._title(second)} ({self._paired(first, second)}): {self._why_open(first, second)}."
            f"{self._why_these(first, second)} "
        )

    def _why_open(self, first: str, second: str) -> str:
        """Return in words why the difference of two rungs leaves the answer open."""
        levels, margin = self.verdict.levels, self.verdict.margin
        usual, strict, strictest = (
            self.scores.gap_interval(first, second, self.labels, level)
            for level in (0.95, levels.behind, levels.suffices)
        )
        if 0 in usual and -margin in usual:
            return f"the interval holds both no difference and one of more than {self._margin}"
        surer = "a verdict has to be surer, and by its interval"
        if usual.high < 0 <= strict.high:
            return f"{surer} ({signed_range(strict.low, strict.high, levels.behind)}) the two may be level"
        if strictest.low < -margin <= usual.low:
            span = signed_range(strictest.low, strictest.high, levels.suffices)
            return f"{surer} ({span}) {self._title(second)} may be ahead by more than {self._margin}"
        return (
            f"tested against all of them, no cheap rung is surely within {self._margin} of the contextual rungs, "
            "and not every one is surely behind them"
        )

    def _why_these(self, first: str, second: str) -> str:
        """Return a sentence on why the two rungs compared do not include the best one; "" where they do."""
        best = self.verdict.best
        if best in {first, second}:
            return ""
        distance = f"{self._distance(best, first)} {self._title(first)} ({self._paired(best, first)})"
        return (
            f" The best score is that of {self._title(best)}, {distance}, but {self._title(second)} decides: "
            "it may be further ahead."
        )

    def _looks(self) -> str:
        """Return the sentence that counts the looks at these labels; "" for the first."""
        if self.verdict.look == 1:
            return ""
        look = self.verdict.look
        return f" This is verdict {look} on these labels in this folder, and each further one has to be surer."

    def _leader(self, best: str, other: str) -> str:
        """Return the sentence on the best rung of a study without contextual rungs, and on its closest competitors."""
        interval = self.scores.score_interval(best, self.labels)
        score = points(self.scores.mean(best, self.labels))
        sentence = f"{self._with_labels}, {self._title(best)} leads with {score}"
        sentence += f" (95 %: {points(interval.low)} to {points(interval.high)})"
        if best == other:
            return f"{sentence} and is the only rung to compare. "
        distance = f"{self._distance(best, other)} {self._title(other)} ({self._paired(best, other)})"
        others = [comparison.name for comparison in self.verdict.comparisons if comparison.name != best]
        level = [name for name in others if self._may_equal(name, best)]
        if not level:
            return f"{sentence}, {distance} and surely ahead of every other rung. "
        if level == [other]:
            return f"{sentence}, {distance}: neither is surely ahead. "
        names, verb = join_words([self._title(name) for name in level]), "are" if len(level) > 1 else "is"
        return f"{sentence}, {distance}; {names} {verb} not surely behind it. "

    def _how_to_test_context(self) -> str:
        """Return a sentence on why the contextual rungs were not measured, or else on how to request one."""
        results = (result for result in self.study.rung_results if result.rung.contextual)
        reasons = [result.reason for result in results if result.reason]
        if reasons:
            return f"No contextual encoder could be measured ({reasons[0]}), so this says nothing about context."
        if self.study.unused_encoders:
            names = [short_name(model) for model in self.study.unused_encoders]
            return (
                f"The chosen rungs (the option rungs) leave out {join_words(names)}: add {names[0]} to them to learn "
                "what context would add."
            )
        return "No contextual encoder was asked for: name one (the option models) to learn what context would add."

    def _learned(self) -> Iterator[RungComparison]:
        return (comparison for comparison in self.verdict.comparisons if not comparison.is_baseline)

    def _may_equal(self, name: str, other: str) -> bool:
        """Return True if the rung `name` is not surely behind the rung `other`."""
        return self.scores.gap_interval(name, other, self.labels).high >= 0

    def _title(self, name: str) -> str:
        return self.study.title(name)

    @property
    def _margin(self) -> str:
        return points_phrase(self.verdict.margin)

    def _distance(self, first: str, second: str) -> str:
        return ahead_or_behind(self.scores.gap(first, second, self.labels))

    def _paired(self, first: str, second: str) -> str:
        """Return the 95 % interval of the first rung's score minus the second's, in words."""
        interval = self.scores.gap_interval(first, second, self.labels)
        return signed_range(interval.low, interval.high)

    def _corrected_distance(self, first: str, second: str) -> str:
        """Return in words how far the first rung is from the second, corrected for selection, with the interval.

        The measured difference is added if it differs. If only the corrected difference is at its bound, the margin
        behind, the text has the interval and the measured difference alone.
        """
        corrected, measured = self.corrected, self.scores.gap(first, second, self.labels)
        interval, title = corrected.interval, self._title(second)
        extra = f"; {signed(measured)} measured"
        if corrected.value > -self.verdict.margin or measured <= -self.verdict.margin:
            same = points(measured) == points(corrected.value)
            span = signed_range(interval.low, interval.high)
            return f"{ahead_or_behind(corrected.value)} {title} ({span}{'' if same else extra})"
        if interval.high > 0:
            ends = f"{points_phrase(interval.low)} behind {title} and {points_phrase(interval.high)} ahead of it"
            return f"between {ends} (95 %{extra})"
        ends = f"between {points(-interval.high)} and {points_phrase(interval.low)}"
        return f"{ends} behind {title} (95 %{extra})"

    @staticmethod
    def _short(headline: str, instead: str) -> str:
        return f"{headline if len(headline) <= _HEADLINE_LENGTH else instead}."


def ahead_or_behind(gap: float) -> str:
    """Return in words how far one rung is ahead of a second rung, or behind it.

    Args:
        gap: the score of the first rung minus the score of the second rung, on the metric's scale (0.01 is a point).

    >>> ahead_or_behind(-0.012), ahead_or_behind(0.0004)
    ('1.2 points behind', 'level with')
    """
    if round(abs(100 * gap), 1) == 0:
        return "level with"
    return f"{points_phrase(gap)} {'ahead of' if gap > 0 else 'behind'}"


def constant_answer(task: Task) -> str:
    """Return in words what the constant rung, which never reads the text, predicts on a task."""
    scores = None if task.type.labels_words else best_constant(task, task.train)
    return task.type.constant_text(scores, task.classes)
