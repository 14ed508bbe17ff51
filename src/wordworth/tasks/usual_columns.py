"""The usual names of columns by role, used where the user names no column; the likeliest names come first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

TEXTS = (
    *("text", "sentence", "words", "tokens", "review", "content", "comment", "message", "tweet", "question", "query"),
    *("utterance", "body", "document", "post", "abstract", "description", "title", "texts", "sentences"),
)
PAIRS = (
    *(("text_a", "text_b"), ("sentence1", "sentence2"), ("sentence_a", "sentence_b"), ("premise", "hypothesis")),
    *(("question1", "question2"), ("question", "sentence"), ("text1", "text2"), ("query", "passage")),
)
FIRST_TEXTS = (*TEXTS, *(first for first, _ in PAIRS if first not in TEXTS), "first")
"""Columns of the only text, or of a pair's first text."""
SECOND_TEXTS = (*(second for _, second in PAIRS if second not in TEXTS), "second")
"""Columns of a pair's second text, without names that are equally usual for a first text."""
COMPARED = (
    *PAIRS,
    ("anchor", "positive"),
    *((first, "answer") for first in ("question", "query")),
    ("query", "document"),
)
"""Columns of two texts whose vectors are compared."""
THIRD_TEXTS = ("negative", "hard_negative", "text_c", "sentence3")
"""Columns of a text that is unlike the first text of a pair (a hard negative)."""
WORDS = ("words", "tokens", "text", "sentence")
"""Columns of sentences whose words are to be tagged."""
CONTEXTS = ("context", "prompt", "text", "passage")
OPTIONS = ("options", "choices", "endings")
RIGHT_OPTIONS = ("label", "answer", "gold", "target")
_CLASSES = ("label", "labels", "class", "category", "target", "tags", "ner_tags", "slots", "intent", "sentiment")
LABELS = (
    *(*_CLASSES, "emotion", "topic", "gold_label", "gold"),
    *("score", "rating", "stars", "similarity", "y"),
)
NOTHING_BUT_LABELS = ("label", "labels", "gold_label", "gold")
"""Those that hold labels alone, where a topic or a score may be something else."""
GOLD = ("gold", "gold_label", *_CLASSES, "answers", "y")
"""Columns of labels in a file that may hold predictions and their scores as well."""
PREDICTIONS = ("prediction", "predictions", "predicted", "answer", "choice", "value", "label", "labels", "tags")
IDS = ("index", "id", "pairID", "guid")
"""Columns of the id of the example that a prediction is for."""


def usual_column(columns: Iterable[str], names: Sequence[str]) -> str | None:
    """Return the column with a usual name, ignoring case and surrounding white space; None if no column has one.

    >>> usual_column(["Id", "Sentence ", "Label"], TEXTS)
    'Sentence '

    Args:
        columns: the columns of a table.
        names: usual names, the likeliest first; the first one that a column has wins.
    """
    by_name = {name.strip().lower(): name for name in columns}
    return next((by_name[name.lower()] for name in names if name.lower() in by_name), None)
