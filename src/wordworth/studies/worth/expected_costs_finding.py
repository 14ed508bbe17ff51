"""The finding on expected costs: which rung costs least, by how much, and what a constant answer costs.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wordworth.records import Finding
from wordworth.reports.number_format import money
from wordworth.sentence_formatting import percent
from wordworth.studies.worth.expected_costs import TEXTS
from wordworth.studies.worth.value_of_labels import value_of_labels

if TYPE_CHECKING:
    from wordworth.studies.worth.expected_costs import ExpectedCosts
    from wordworth.studies.worth.settings import WorthSettings

Row = Mapping[str, Any]


def cost_finding(costs: ExpectedCosts, settings: WorthSettings) -> Finding:
    """Return the finding `expected_costs`: which rung's errors cost least, and by how much.

    The finding also states what a constant answer costs, and what the next labels are worth. If there are two classes,
    it states the probability of the positive class above which predicting this class costs less.

    Args:
        costs: the costs of all rungs.
        settings: the currency sign that is written before amounts, and the price of a label.
    """
    currency = settings.currency
    cheapest = costs.row(costs.by_cost[0])
    runner_up = costs.row(costs.by_cost[1]) if costs.by_cost[1:] else None
    rungs = [result.rung for result in costs.study.measured]
    baseline = costs.row(next(rung.name for rung in rungs if rung.is_baseline))
    constant, threshold = costs.constant_class(), costs.threshold()
    titles = {rung.name: rung.title for rung in rungs} | {baseline["rung"]: f"always answering “{constant}”"}
    numbers: dict[str, Any] = {name: value for name, value in cheapest.items() if name in _OF_CHEAPEST}
    numbers |= {"constant": constant, "constant_cost": baseline["decision_cost"], **threshold}
    sentences = [_cheapest(titles[cheapest["rung"]], cheapest, currency)]
    if runner_up is not None:
        numbers |= {"next": runner_up["rung"], **{name: runner_up[name] for name in _OF_NEXT}}
        sentences.append(_runner_up(titles[runner_up["rung"]], runner_up, currency))
    if cheapest["rung"] != baseline["rung"]:
        sentences.append(f"Always answering “{constant}” costs {_cost(baseline, 'decision_cost', currency)}.")
    if threshold:
        share = percent(threshold["threshold"], 1)
        sentences.append(
            f"If probabilities are right, answering “{threshold['positive']}” costs least from {share} on."
        )
    if cheapest["rung"] != baseline["rung"] and (value := value_of_labels(costs, settings.label_price)) is not None:
        numbers |= value.numbers()
        sentences.append(value.sentence(titles[cheapest["rung"]], currency))
    return Finding("expected_costs", " ".join(sentences), numbers)


_ENDS = ("", "_low", "_high")
_OF_CHEAPEST = ("rung", *(f"{name}{end}" for name in ("predicted_cost", "decision_cost") for end in _ENDS))
_OF_NEXT = tuple(f"difference{end}" for end in _ENDS)


def _cheapest(title: str, row: Row, currency: str) -> str:
    return (
        f"By these costs, {title} is cheapest: {_cost(row, 'decision_cost', currency)} for {TEXTS:,} texts, each given "
        f"the class of the least expected cost; {_cost(row, 'predicted_cost', currency)} as predicted."
    )


def _runner_up(title: str, row: Row, currency: str) -> str:
    """Return a sentence on how much more the second cheapest rung costs, and whether chance may explain it."""
    span = f"95 % for all rungs together: {_range(row, 'difference', currency)}"
    more = f"The next, {title}, costs {money(row['difference'], currency)} more"
    return f"{more} ({span})." if row["difference_low"] > 0 else f"{more}, which may be chance ({span})."


def _cost(row: Row, name: str, currency: str) -> str:
    return f"{money(row[name], currency)} (95 %: {_range(row, name, currency)})"


def _range(row: Row, name: str, currency: str) -> str:
    return f"{money(row[f'{name}_low'], currency)} to {money(row[f'{name}_high'], currency)}"
