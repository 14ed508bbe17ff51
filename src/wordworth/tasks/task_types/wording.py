"""`Wording`: the words that reports use for a kind of task."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The words that reports use for a kind of task.

    Attributes:
        examples: the plural noun for examples.
        to_learn: the plural noun for examples in `worth`, which compares ways of turning text into predictions.
        classes: the plural noun for classes.
        constant: the title of the system that reads no text: it makes the same prediction for every text, chosen by the
            labels of the training rows.
        baseline: a phrase for what the baseline of a fine-tuned model predicts.
        baseline_name: the name of that baseline, in two or three words.
        wrong: the title of the list of wrong examples in the HTML report, if predictions have no probability.
        right: the title of the list of right examples, if predictions have no probability.
    """

    examples: str = "texts"
    to_learn: str = "texts to classify"
    classes: str = "classes"
    constant: str = "majority class"
    baseline: str = "Predicting the most frequent class for every example"
    baseline_name: str = "the same of all"
    wrong: str = "Most confident and wrong"
    right: str = "Most confident and right"
