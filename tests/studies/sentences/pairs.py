"""Labelled pairs for tests, and the study of the tiny model on them."""

from types import SimpleNamespace

import wordworth as ww
from wordworth.studies.sentences.labelled_pairs import LabelledPairs


def made_pairs(labels):
    first = tuple(f"text {row // 2}" for row in range(len(labels)))
    origin = SimpleNamespace(path="pairs.csv")
    return LabelledPairs(first, first, labels, ("no", "yes"), origin, len(labels), "key", ())


def labelled(number, classes=("yes", "no")):
    return [
        {"text_a": f"film {row}", "text_b": f"book {row}", "label": classes[row % len(classes)]}
        for row in range(number)
    ]


def study(files, rows, **choices):
    usual = {"model": str(files / "tiny"), "data": files / "pairs.csv", "other_models": (), "draws": 100}
    return ww.study_sentences(**{**usual, "labelled_pairs": rows, **choices})
