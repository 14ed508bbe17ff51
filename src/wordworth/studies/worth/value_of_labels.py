"""What further labels are worth by the user's costs of errors: the fall of the expected cost along its learning curve.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.

The cost of the cheapest rung is extrapolated as scores are (`measures.learning_curves`): in each resample a power law
is fitted to the costs at the four largest numbers of labels, and its fall over the next labels is taken. Resamples of
the texts are the same at all numbers of labels, so that most of their chance cancels out in the fall. The interval is
that of the resamples, widened by the error with which the power law predicts the last cost from those before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wordworth.measures.bootstrap import Interval
from wordworth.measures.learning_curves import FURTHEST, extend
from wordworth.reports.number_format import money
from wordworth.sentence_formatting import count_of
from wordworth.studies.worth.expected_costs import TEXTS
from wordworth.studies.worth.learning_curves import LEAST_SIZES, curve_draws

if TYPE_CHECKING:
    from wordworth.studies.worth.expected_costs import ExpectedCosts

NEXT_LABELS = 100
"""Number of further labels whose worth is computed."""


@dataclass(frozen=True, slots=True)
class ValueOfLabels:
    """By how much the cheapest rung's cost of a thousand texts falls with 100 more labels.

    Attributes:
        saving: the fall of the cost of `TEXTS` (1,000) texts, each given the class of the least expected cost.
        interval: the 95 % interval of the fall.
        price: the price of the labels.
    """

    saving: float
    interval: Interval
    price: float

    @property
    def texts(self) -> float | None:
        """Number of texts after which the labels are paid for; None if they may save nothing."""
        return TEXTS * self.price / self.saving if self.interval.low > 0 else None

    def numbers(self) -> dict[str, Any]:
        """Return the numbers for the finding on expected costs."""
        row = {"next_labels": NEXT_LABELS, "saving": self.saving, **self.interval.columns("saving_")}
        return {**row, "labels_price": self.price, "labels_paid_after": self.texts}

    def sentence(self, title: str, currency: str) -> str:
        """Return the sentence on what the next labels are worth.

        Args:
            title: title of the cheapest rung.
            currency: the currency sign that is written before amounts.
        """
        low, high = (money(end, currency) for end in (self.interval.low, self.interval.high))
        start = (
            f"By a curve fitted to its costs with fewer labels, {NEXT_LABELS} more labels would save {title} about "
            f"{money(self.saving, currency)} for {TEXTS:,} texts"
        )
        price = f"they cost {money(self.price, currency)}"
        if self.texts is None:
            return f"{start}, perhaps nothing (95 %: {low} to {high}); {price}."
        after = count_of(round(self.texts), "text")
        return f"{start} (95 %: {low} to {high}); {price}, which is saved after some {after}."


def value_of_labels(costs: ExpectedCosts, label_price: float) -> ValueOfLabels | None:
    """Return what the next labels are worth; None if the cheapest rung was measured at too few numbers of labels.

    Args:
        costs: the costs of all rungs.
        label_price: price of one label.
    """
    sizes, draws = curve_draws(costs.decided, costs.by_cost[0])
    if len(sizes) < LEAST_SIZES or sizes[-1] + NEXT_LABELS > FURTHEST * sizes[-1]:
        return None
    most = float(costs.costs.max())
    extension = extend(sizes, draws, [int(sizes[-1]) + NEXT_LABELS], least=-most, most=0.0)
    saving, span = extension.gain(int(sizes[-1]), draws[:, -1])
    return ValueOfLabels(TEXTS * saving, Interval(TEXTS * span.low, TEXTS * span.high), NEXT_LABELS * label_price)
