"""Made-up instances and a vocabulary for tests of objectives."""

import numpy as np
from hypothesis import strategies as st

from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.text.corpus.token_store import Vocabulary
from wordworth.text.word_starts import WordStarts

PIECES = 200
SPECIAL = {"pad": 0, "unk": 1, "cls": 2, "sep": 3, "mask": 4}
CONTINUATIONS = np.arange(PIECES) >= 120
SPECIALS = np.arange(PIECES) < 5
VOCABULARY = Vocabulary(PIECES, SPECIAL, WordStarts.of_continuations(CONTINUATIONS), SPECIALS, "made up")
MARKS = (2, 3)


def instances(texts, labels=None):
    """`[CLS] … [SEP]` around each text's ids; a pair of texts is `[CLS] a [SEP] b [SEP]`."""
    sequences, segments = [], []
    for text in texts:
        first, second = text if isinstance(text, tuple) else (text, None)
        front = [2, *first, 3]
        back = [] if second is None else [*second, 3]
        sequences.append([*front, *back])
        segments.append([0] * len(front) + [1] * len(back))
    starts = np.cumsum([0, *map(len, sequences)], dtype=np.int32)
    flat = np.array([id_ for sequence in sequences for id_ in sequence], dtype=np.int64)
    kinds = np.array([kind for segment in segments for kind in segment], dtype=np.int64)
    return Instances(flat, kinds, starts, np.array([-1] * len(texts) if labels is None else labels, dtype=np.int64))


def texts(most=60):
    """Lists of texts, some empty, as ids that stand for pieces and [UNK]."""
    piece = st.integers(5, PIECES - 1) | st.just(1)
    return st.lists(st.lists(piece, max_size=most), min_size=1, max_size=8)


def many(sequences, length, seed=0):
    """Sequences of one length, marks included, of random pieces."""
    rng = np.random.default_rng(seed)
    return instances([rng.integers(5, PIECES, length - 2).tolist() for _ in range(sequences)])
