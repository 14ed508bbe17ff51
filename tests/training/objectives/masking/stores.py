"""Made-up token stores for tests of masking units; nothing is on disk."""

from pathlib import Path

import numpy as np
from tests.training.objectives.instances import VOCABULARY

from wordworth.text.corpus.token_store import TokenStore


def store_of(sentences):
    """A store of one document with these sentences, each a list of ids."""
    ids = np.array([id_ for sentence in sentences for id_ in sentence], dtype=np.uint16)
    ends = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    return TokenStore(ids, ends, np.array([0, len(sentences)]), VOCABULARY, "made up", {}, Path("made-up"))
