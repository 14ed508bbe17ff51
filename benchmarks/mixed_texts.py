"""Texts of mixed length for timing: half sentences (STS 2012 to 2016), half paragraphs (movie reviews)."""

from __future__ import annotations

import csv
import lzma
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from measure import data_folder
from wordworth.text.tokenizer_protocol import TokenizerProtocol

SHORTEST, LONGEST = 5, 250


def mixed_texts(number: int, tokenizer: TokenizerProtocol, seed: int = 0) -> list[str]:
    """Return `number` texts of 5 to 250 tokens in random order; paragraphs are consecutive lines of a review."""
    draw = random.Random(seed)
    pool = sorted(set(sentences()))
    draw.shuffle(pool)
    short = [text for text in pool[:number] if SHORTEST <= _length(text, tokenizer) <= LONGEST][: number // 2]
    reviews = [review["text"].split("\n") for review in _read("movie_reviews/all.csv.xz", ",", csv.QUOTE_MINIMAL)]
    paragraphs: list[str] = []
    while len(short) + len(paragraphs) < number:
        text = _paragraph(draw, reviews, tokenizer)
        if SHORTEST <= _length(text, tokenizer) <= LONGEST:
            paragraphs.append(text)
    texts = short + paragraphs
    draw.shuffle(texts)
    return texts


def _paragraph(draw: random.Random, reviews: list[list[str]], tokenizer: TokenizerProtocol) -> str:
    """Return lines of one review from a random one on, until a random number of tokens is reached."""
    lines, goal = draw.choice(reviews), draw.randint(SHORTEST, LONGEST)
    start, text = draw.randrange(len(lines)), ""
    for line in lines[start:]:
        longer = f"{text} {line}".strip()
        if _length(longer, tokenizer) > LONGEST or _length(text, tokenizer) >= goal:
            break
        text = longer
    return text


def sentences() -> Iterator[str]:
    """Yield every sentence of the STS pairs, repeats included."""
    for row in _read("sts/sts_2012_2016.tsv.xz", "\t", csv.QUOTE_NONE):
        yield from (row["sentence1"], row["sentence2"])


def write_sentences(path: Path, number: int) -> None:
    """Write `number` different sentences: those of the STS pairs again and again, numbered from the second pass on."""
    known = sorted(set(sentences()))
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{known[n % len(known)]} {n // len(known) or ''}\n" for n in range(number))


def words_of_texts() -> list[str]:
    """Return the words of all these sentences and reviews, in the order of running text, repeats included."""
    reviews = (review["text"] for review in _read("movie_reviews/all.csv.xz", ",", csv.QUOTE_MINIMAL))
    return [word for text in (*sentences(), *reviews) for word in text.split()]


def _read(name: str, delimiter: str, quoting: Literal[0, 3]) -> list[dict[str, str]]:
    csv.field_size_limit(1 << 30)
    with lzma.open(data_folder() / name, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter, quoting=quoting))


def _length(text: str, tokenizer: TokenizerProtocol) -> int:
    return len(tokenizer.ids([text])[0])
