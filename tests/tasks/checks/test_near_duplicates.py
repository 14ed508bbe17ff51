"""Near twins: the fast search finds exactly what comparing all with all finds."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.tasks.checks import near_duplicates as module
from wordworth.tasks.checks.near_duplicates import nearest_duplicates


def overlap(a: str, b: str) -> float:
    left, right = ({text[at : at + 5] for at in range(len(text) - 4)} for text in (a, b))
    return len(left & right) / len(left | right) if left and right else 0.0


def slow(texts: list[str], among: list[str], least: float) -> list[int]:
    """The specification: every text against every other."""
    found = []
    for text in texts:
        if text in among:
            found.append(among.index(text))
            continue
        scores = [overlap(text, other) for other in among]
        best = int(np.argmax(scores)) if scores else -1
        found.append(best if scores and scores[best] >= least - 1e-9 else -1)
    return found


words = st.lists(
    st.sampled_from(["refund", "late", "order", "a", "the", "parcel", "thanks!", "שלום", "🙂"]), max_size=12
)
texts = st.lists(words.map(" ".join), max_size=12)


@settings(max_examples=120, deadline=None)
@given(texts, texts, st.sampled_from([0.5, 0.8, 1.0]))
def test_the_fast_search_equals_the_slow_one(left: list[str], right: list[str], least: float) -> None:
    assert nearest_duplicates(left, right, least).tolist() == slow(left, right, least)


def test_a_text_with_a_word_changed_is_a_twin_and_another_text_is_not() -> None:
    base = "the quick brown fox jumps over the lazy dog while the sun shines on the old red barn"
    found = nearest_duplicates([base.replace("red", "big"), "something else entirely, about a parcel"], ["no", base])
    assert found.tolist() == [1, -1]


def test_lines_of_one_template_are_told_apart_by_what_is_rare(monkeypatch) -> None:
    monkeypatch.setattr(module, "_MOST_STEPS", 20_000)
    rng = np.random.default_rng(0)
    lines = [f"order number {rng.integers(10**9)} has been sent to customer {rng.integers(10**9)}" for _ in range(600)]
    left = [line + "!" for line in lines[:200]]
    found = nearest_duplicates(left, lines)
    assert found.tolist() == list(range(200))


def test_many_long_texts_are_compared_by_a_sample_of_their_shingles(monkeypatch) -> None:
    monkeypatch.setattr(module, "_MOST_CHARACTERS", 20_000)
    rng = np.random.default_rng(0)
    long = [
        " ".join(rng.choice(["alpha", "beta", "gamma", "delta", str(n)], 2_000)) + str(rng.random(50))
        for n in range(12)
    ]
    changed = [text[:300] + "!!!" + text[310:] for text in long]
    assert nearest_duplicates(changed, long).tolist() == list(range(12))
