"""Vectors whose truth is known: how far labels of one language carry to another, and which translations are nearest."""

import numpy as np

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.seeds import child
from wordworth.studies.languages.language_texts import Columns, LanguageTexts
from wordworth.studies.languages.text_features import EncoderFeatures
from wordworth.tasks.examples import Origin

SPACE = 16


def world(items=400, languages=3, *, shared=True, noise=1.0, seed=0):
    """Texts of two labels in several languages, and their vectors.

    The label moves a vector along one direction: the same in all languages, or one of each language's own.
    """
    rng = child(seed, "world")
    labels = rng.permutation(np.arange(items) % 2)
    meaning = rng.normal(size=(items, SPACE))
    directions = np.eye(SPACE)[: 1 if shared else languages]
    vectors = [
        noise * meaning + 3 * np.outer(2 * labels - 1, directions[0 if shared else number])
        for number in range(languages)
    ]
    test = (np.arange(items) // 2) % 2 == 1
    data = LanguageTexts(
        texts=tuple(f"{number} {item}" for number in range(languages) for item in range(items)),
        labels=np.tile(labels, languages),
        classes=("neg", "pos"),
        language=np.repeat(np.arange(languages), items),
        languages=tuple("abcdefgh"[:languages]),
        item=np.tile(np.arange(items), languages),
        test=np.tile(test, languages),
        columns=Columns("text", "label", "language", "item"),
        origin=Origin("world.csv", "0" * 64, items * languages),
        notes=(),
    )
    return data, EncoderFeatures(unit_or_zero(np.concatenate(vectors).astype(np.float32)))
