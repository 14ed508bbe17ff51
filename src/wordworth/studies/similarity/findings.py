"""The findings of the study `similarity`: the words that make texts similar, warnings and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wordworth.models.pooling import SentenceHead
from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, decimal, join_words, passing_by_chance, quoted
from wordworth.studies.similarity.pair_similarity import MOST_DELETED
from wordworth.studies.similarity.tables import TOTAL
from wordworth.studies.similarity.text_pairs import TextPairs

_AGREES = 0.5
"""Rank correlation of contributions and drops below which there is a warning that they disagree."""
_MOST_NAMED = 3
_LEAST_NAMED = 0.005
"""Least contribution of a word that is named; a smaller one would be rounded to 0.00."""
_SURE = 0.05
"""Level of significance: words with a smaller corrected p-value are named."""
_FEW_PAIRS = 30
"""Number of pairs below which bootstrap intervals are too narrow to rely on."""
_SUM = "A text's vector is a sum of its tokens' states"
_MAXIMUM = " (of a maximum, a token has the components in which it is the largest)"
_CELLS = (
    ", so the cosine of two texts is a sum over pairs of tokens: the dot product of both parts over the product of "
    "both lengths. Tokens of a word are summed; special tokens have rows and columns of their own."
)
Row = Mapping[str, object]


def verdict(pairs: TextPairs, tables: Mapping[str, Table]) -> Finding:
    """Return the finding `verdict`: the kinds of word pairs, and the words, that contribute most to the cosines.

    Args:
        pairs: the pairs of texts.
        tables: the tables of the record.
    """
    rows = tables["pairs"].rows()
    if "kinds" in tables:
        return _over_pairs(tables)
    if pairs.mode == "query":
        return _over_query(pairs, rows, tables)
    row = rows[0]
    return Finding(
        "verdict",
        _parts(row) + _strongest(tables, ("first text", "second")),
        {"headline": f"The cosine is {decimal(row['cosine'], 2)}."},
    )


def _parts(row: Row) -> str:
    """Return the sentence that says what each kind of word pairs contributes to the cosine of a pair of texts."""
    if row["same_words"] is None:
        return f"The cosine of {decimal(_number(row, 'cosine'), 2)} is no sum over words under this pooling."
    kinds = [
        f"{decimal(_number(row, name), 2)} {words}"
        for name, words in (
            ("same_words", "is from pairs of the same word"),
            ("different_words", "from pairs of different words"),
            ("special_tokens", "from special tokens"),
        )
    ]
    return f"Of the cosine of {decimal(_number(row, 'cosine'), 2)}, {join_words(kinds)}."


def _strongest(tables: Mapping[str, Table], texts: tuple[str, str]) -> str:
    """Return the sentence that names, in each text of the first pair, the words that contribute most to the cosine.

    If the cosine is not a sum over words, the words are named without which it drops most.
    """
    words = [row for row in tables["words"].rows() if row["pair"] == 1 and not row["special"]]
    by = "contribution" if any(row["contribution"] is not None for row in words) else "pooled_drop"
    named = [_largest([row for row in words if row["text"] == text], by) for text in (1, 2)]
    if not all(named):
        return ""
    sentence = "The largest parts have" if by == "contribution" else "The cosine falls most without"
    return f"\n{sentence} {named[0]} in the {texts[0]}, and {named[1]} in the {texts[1]}."


def _largest(words: list[dict[str, object]], by: str) -> str:
    known = [(float(row[by]), str(row["word"])) for row in words if row[by] is not None]  # type: ignore[arg-type]
    best = sorted((each for each in known if each[0] >= _LEAST_NAMED), reverse=True, key=lambda each: each[0])
    return join_words([f"{quoted(word)} ({decimal(value, 2)})" for value, word in best[:_MOST_NAMED]])


def _over_pairs(tables: Mapping[str, Table]) -> Finding:
    by_kind = {row["kind"]: row for row in tables["kinds"].rows()}
    whole = by_kind[TOTAL]
    gaps = join_words([
        f"{decimal(row['gap'], 2)} ({decimal(row['gap_low'], 2)} to {decimal(row['gap_high'], 2)}) is from {kind}"
        for kind, row in by_kind.items() if kind != TOTAL
    ])  # fmt: skip
    difference = f"{decimal(whole['gap'], 2)} ({decimal(whole['gap_low'], 2)} to {decimal(whole['gap_high'], 2)})"
    text = (
        f"The pairs have a mean cosine of {decimal(whole['mean'], 2)}, random pairs of the same texts "
        f"{decimal(whole['random'], 2)}. "
    )
    text += f"Of the difference of {difference}, {gaps}." if gaps else f"The difference is {difference}."
    if "random_weights" in tables:
        control = next(row for row in tables["random_weights"].rows() if row["kind"] == TOTAL)
        ends = f"{decimal(control['gap_low'], 2)} to {decimal(control['gap_high'], 2)}"
        text += f" With random weights the difference is {decimal(control['gap'], 2)} ({ends})."
    shares = tables["word_shares"].rows() if "word_shares" in tables else []
    if above := [row for row in shares if row["above"]][:_MOST_NAMED]:
        words = join_words([f"{quoted(row['word'])} ({decimal(row['ratio'], 1)} times)" for row in above])
        text += (
            f"\nOf the {len(shares)} words with the largest shares, these give more than average tokens, at a level "
            f"corrected for their number: {words} (if none did, {passing_by_chance(len(shares), 0.025)})."
        )
    headline = f"Pairs are {decimal(whole['gap'], 2)} more similar than random pairs."
    return Finding("verdict", text, {"headline": headline})


def _over_query(pairs: TextPairs, rows: list[dict[str, object]], tables: Mapping[str, Table]) -> Finding:
    best, facts = rows[0], pairs.facts
    headline = (
        f"The nearest of {count_of(int(facts['texts']), 'text')} has a cosine of {decimal(_number(best, 'cosine'), 2)}."
    )
    median = f"The median cosine of the query with a text is {decimal(float(facts['median_cosine']), 2)}. "
    text = f"{median}{_over_nearest(tables, len(rows))}\nThe nearest: {_parts(best)}"
    return Finding("verdict", text + _strongest(tables, ("query", "text")), {"headline": headline})


def _over_nearest(tables: Mapping[str, Table], texts: int) -> str:
    """Return the sentences on the words of the query that contribute most to the cosines with its nearest texts."""
    rows = tables["query_words"].rows()
    words = [row for row in rows if not row["special"]]
    best = sorted(words, key=lambda row: -row["mean"])[:_MOST_NAMED]
    if not best:
        return ""
    named = [
        f"{quoted(row['word'])} ({decimal(row['mean'], 2)}, {decimal(row['low'], 2)} to {decimal(row['high'], 2)}; in "
        f"random texts {decimal(row['random'], 2)})"
        for row in best
    ]
    above = sorted((row for row in words if row["p"] < _SURE), key=lambda row: row["random"] - row["others"])
    sure = [quoted(row["word"]) for row in above][:_MOST_NAMED]
    luck = passing_by_chance(len(rows), _SURE)
    beyond = (
        f"Texts that the other words choose have more of {join_words(sure)} than random texts"
        if sure
        else "Texts that the other words choose have no word surely more than random texts"
    )
    return (
        f"In the {count_of(texts, 'nearest text')} the largest parts have {join_words(named)}. {beyond}, at a level "
        f"corrected for {count_of(len(rows), 'word')} (if none did, {luck})."
    )


def warnings(pairs: TextPairs, tables: Mapping[str, Table]) -> Iterator[Finding]:
    """Yield the warnings: few or repeated pairs of texts, contributions of words that disagree with their drops.

    The drop of a word is the cosine minus the cosine without the word.

    Args:
        pairs: the pairs of texts.
        tables: the tables of the record.
    """
    if len(pairs) == 1:
        text = (
            "One cosine says little: many encoders give unrelated texts a high one. A table of pairs shows what "
            "random pairs of your texts have."
        )
        yield Finding("warning.one_pair", text)
    rows = tables["pairs"].rows()
    if ("kinds" in tables or "query_words" in tables) and len(rows) < _FEW_PAIRS:
        yield Finding(
            "warning.few_pairs", f"Of only {count_of(len(rows), 'pair')}, intervals are narrower than they should be."
        )
    if low := [row for row in rows if row["agreement"] is not None and row["agreement"] < _AGREES]:
        compared = sum(row["agreement"] is not None for row in rows)
        text = (
            f"In {len(low)} of {count_of(compared, 'pair')} the words with large parts are not those without which "
            f"the cosine falls most (rank correlation below {_AGREES}): the parts say where the cosine is, not what "
            "would be lost."
        )
        yield Finding("warning.agreement", text, {"pairs": [row["pair"] for row in low]})
    if repeated := pairs.facts.get("repeated"):
        text = (
            f"{count_of(int(repeated), 'row')} repeat another pair, so that intervals are narrower than they should be."
        )
        yield Finding("warning.repeated", text)
    if blank := pairs.facts.get("blank"):
        yield Finding("warning.blank", f"{count_of(int(blank), 'row')} without two texts left out.")


def method(pairs: TextPairs, head: SentenceHead) -> Iterator[Finding]:
    """Yield the findings that say how cosines were decomposed under the model's pooling."""
    if not head.is_additive:
        yield Finding(
            "method.table",
            "A dense layer after the pooling has a bias or an activation, so that a text's vector is no sum of its "
            "tokens' states and the cosine has no parts; leaving words out tells what each is worth.",
        )
    else:
        yield Finding("method.table", f"{_SUM}{_MAXIMUM if 'max' in head.modes else ''}{_CELLS}")
    yield Finding(
        "method.deletion",
        "Beside it each word is left out in two ways. Its states are left out of the pooling, and all others stay as "
        "they were; or its text is read anew without it, so that the other words' states change too, and a drop of "
        f"the cosine need not be the word's part of it. Pairs of over {MOST_DELETED} words are not read anew.",
    )
    if pairs.mode == "pairs":
        yield Finding(
            "method.pairs",
            "Random pairs take the second text of another pair. Words are chosen on a random half of the pairs, and "
            "measured on the other half. Intervals are 95 % bootstrap intervals over pairs, word by word.",
        )

    if pairs.mode == "query":
        yield Finding(
            "method.query",
            "By construction the parts of the query's words in its nearest texts add up to more than in random texts: "
            "the texts were chosen by this sum, and a word whose part varies much from text to text has a larger part "
            "in them whatever it means. Beside them stand as many texts drawn at random, with the range of 95 % of "
            "such draws, and, for each word, the texts nearest to the rest of the query, which its own part did not "
            "choose: where it is above random texts there, the other words of the query confirm it. Intervals are 95 % "
            "bootstrap intervals over these texts.",
        )


def _number(row: Row, name: str) -> float:
    return float(row[name])  # type: ignore[arg-type]  # a column of numbers
