"""The measures written out a pair at a time: their specification."""

from itertools import permutations

import numpy as np


def cosine(first, second):
    return float(first @ second / (np.linalg.norm(first) * np.linalg.norm(second)))


def mean_cosine(vectors):
    return float(np.mean([cosine(*pair) for pair in permutations(vectors, 2)]))


def intra_sentence(vectors):
    return float(np.mean([cosine(vectors.mean(0), vector) for vector in vectors]))


def literal(vectors):
    sizes = np.linalg.svd(vectors, compute_uv=False)
    return float(sizes[0] ** 2 / (sizes**2).sum())


def centred(vectors):
    return literal(vectors - vectors.mean(0))


def published(vectors):
    first = np.linalg.svd(vectors, full_matrices=False)[2][0]
    return float((vectors @ first).var() / vectors.var(0).sum())
