"""The labelled data sets of the validity study: the file of each, and how it is read.

Of every kind that the ladder has: one text, pairs, values, several labels, tags; hard ones and easy ones, long texts,
many classes, and languages that the encoder was not trained on.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task

_TEXT = {"text": "text", "label": "label"}
_PAIR = {"text": "text_a", "text_b": "text_b", "label": "label"}
_SCORE = {"text": "text_a", "text_b": "text_b", "label": "score", "kind": "regression"}
_LABELS = {"text": "text", "label": "labels", "kind": "multilabel"}
_TAGS = {"format": "conll"}

SETS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "ag_news": ("ag_news/test.csv.xz", _TEXT),
    "cola": ("cola/train.csv.xz", _TEXT),
    "hate_offensive": ("hate_offensive/all.csv.xz", _TEXT),
    "mpqa": ("mpqa/all.csv.xz", _TEXT),
    "mr": ("mr/all.csv.xz", _TEXT),
    "subj": ("subj/all.csv.xz", _TEXT),
    "sms_spam": ("sms_spam/all.csv.xz", _TEXT),
    "trec": ("trec/train.csv.xz", _TEXT),
    "sst5": ("sst5/train.csv.xz", _TEXT),
    "tweet_emotion": ("tweet_emotion/train.csv.xz", _TEXT),
    "tweet_hate": ("tweet_hate/train.csv.xz", _TEXT),
    "mrpc": ("mrpc/train.csv.xz", _PAIR),
    "qqp": ("qqp/train.csv.xz", _PAIR),
    "stsb": ("stsb/train.csv.xz", _SCORE),
    "goemotions": ("goemotions/train.csv.xz", _LABELS),
    "conll2003": ("conll2003/eng.train.xz", _TAGS),
    "snips": ("snips/train.csv.xz", _TEXT),
    "atis": ("atis/train.csv.xz", _TEXT),
    "chnsenticorp": ("chnsenticorp/train.csv.xz", _TEXT),
    "cr": ("cr/all.csv.xz", _TEXT),
    "chemprot": ("chemprot/train.csv.xz", _TEXT),
    "acl_arc": ("acl_arc/train.csv.xz", _TEXT),
    "legal_roles": ("legal_roles/all.csv.xz", _TEXT),
    "tweet_sentiment": ("tweet_sentiment_multi/train.csv.xz", _TEXT),
    "rte": ("rte/train.csv.xz", _PAIR),
    "qnli": ("qnli/train.csv.xz", _PAIR),
    "snli": ("snli/train.csv.xz", _PAIR),
    "mnli": ("mnli/train.csv.xz", _PAIR),
    "xnli_ko": ("xnli_ko/test.csv.xz", _PAIR),
    "stsb_de": ("stsb_multi/de_train.csv.xz", _SCORE),
    "airline": ("blitzer/airline.csv.xz", _TEXT),
    "books": ("blitzer/books.csv.xz", _TEXT),
    "electronics": ("blitzer/electronics.csv.xz", _TEXT),
    "kitchen": ("blitzer/kitchen.csv.xz", _TEXT),
    "pan_paraphrase": ("pan_paraphrase/train.csv.xz", _PAIR),
    "movie_reviews": ("movie_reviews/all.csv.xz", _TEXT),
    "reuters": ("reuters/train.csv.xz", _LABELS),
    "ncbi_disease": ("ncbi_disease/train.tsv.xz", _TAGS),
    "conll2002_nl": ("conll2002_nl/ned.train.xz", _TAGS),
    "clinc150": ("clinc150/train.csv.xz", _TEXT),
}
"""Short name -> file in the folder of data sets, and the settings that it is read with; the quickest come first."""


def read_set(data: Path, name: str) -> Task:
    """Return all rows of a data set.

    Args:
        data: the folder of the data sets.
        name: a name of `SETS`.
    """
    file, settings = SETS[name]
    return read_task(data / file, ReadSettings(**settings))
