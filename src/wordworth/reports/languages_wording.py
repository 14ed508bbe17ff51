"""`Wording`: the nouns in the sentences of the study `languages`, in its verdict and on its page, and shared notes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """The nouns in the sentences of the study `languages`; the defaults are for labels of texts.

    Attributes:
        score: name of the score, such as `accuracy`.
        units: name of the test items, such as `texts`.
        baseline: name of the features that need no model, such as `n-grams of characters`.
        short: a shorter name of these features, such as `n-grams`.
        constant: name of the answer that needs no features, such as `the most frequent label`.
        labels: name of what is learned, such as `labels`.
    """

    score: str = "accuracy"
    units: str = "texts"
    baseline: str = "n-grams of characters"
    short: str = "n-grams"
    constant: str = "the most frequent label"
    labels: str = "labels"

    @classmethod
    def of_tags(cls, score: str) -> Wording:
        """Return the nouns for a study that tags words.

        Args:
            score: name of the score, such as `entity F1`.
        """
        return cls(score, "sentences", "spellings of words", "spellings", "each word's usual tag", "tags")

    @classmethod
    def of_trees(cls) -> Wording:
        """Return the nouns for a study that parses sentences."""
        baseline, constant = "spellings of words", "right-branching trees"
        return cls("labelled attachment", "sentences", baseline, "spellings", constant, "trees")

    @classmethod
    def of_answers(cls) -> Wording:
        """Return the nouns for a study that answers questions."""
        baseline, constant = "spellings with word matches", "the first words of the context"
        return cls("answer F1", "questions", baseline, "word matches", constant, "answers")


def nearest_text_notes(source: str, items: str) -> tuple[str, str]:
    """Return the notes of a chart of the share of texts whose translation is the nearest text.

    Args:
        source: name of the source language.
        items: noun for what the intervals are over, such as `texts`.
    """
    return (
        f"Share of the texts in {source} whose nearest text by cosine is their translation.",
        f"95 % intervals over {items}; the table has the other direction.",
    )
