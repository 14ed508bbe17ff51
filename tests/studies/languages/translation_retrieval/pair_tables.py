"""Tables of pairs: English sentences and their translations into two languages."""

from wordworth.seeds import child


def pairs(number=60, languages=("aa", "bb")):
    """Rows with a text, its English translation and its language; the number in a sentence is in its translation."""
    rng = child(0, "pairs")
    return [
        {"text": f"{language} kino {key} {row}", "english": f"the film {key} {row}", "lang": language}
        for language in languages
        for row, key in enumerate(rng.integers(100, 999, number))
    ]
