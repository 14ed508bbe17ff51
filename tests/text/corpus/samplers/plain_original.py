"""The original's pairs as its description has them, sentence by sentence and token by token: slow and obvious."""

from __future__ import annotations

import random


def plain_pass(documents, length, short_share, draw: random.Random):
    """Pairs (first, second, label) of tokens; `documents` are lists of sentences, which are lists of tokens."""
    pairs = []
    for own, document in enumerate(documents):
        room = length - 3
        target = draw.randint(2, room) if draw.random() < short_share else room
        index, chunk = 0, []
        while index < len(document):
            chunk.append(document[index])
            if index == len(document) - 1 or sum(map(len, chunk)) >= target:
                pair, unused = one_pair(chunk, documents, own, target, draw)
                pairs.append(cut(*pair, room, draw))
                index -= unused
                chunk = []
            index += 1
    return pairs


def one_pair(chunk, documents, own, target, draw):
    """A pair of a chunk, and how many of its sentences it left unused."""
    split = 1 if len(chunk) == 1 else draw.randint(1, len(chunk) - 1)
    first = [token for sentence in chunk[:split] for token in sentence]
    if len(chunk) > 1 and draw.random() >= 0.5:
        return (first, [token for sentence in chunk[split:] for token in sentence], 0), 0
    for _ in range(10):
        other = draw.randrange(len(documents))
        if other != own:
            break
    second = []
    for sentence in documents[other][draw.randrange(len(documents[other])) :]:
        second += sentence
        if len(second) >= target - len(first):
            break
    return (first, second, 1), len(chunk) - split


def cut(first, second, label, room, draw):
    first, second = list(first), list(second)
    while len(first) + len(second) > room:
        longer = first if len(first) > len(second) else second
        longer.pop(0 if draw.random() < 0.5 else -1)
    return first, second, label
