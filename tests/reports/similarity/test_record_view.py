"""Which words and pairs of a `similarity` record have a chart."""

from wordworth.records import Record, Table
from wordworth.reports.record_view import RecordView
from wordworth.reports.similarity.record_view import largest_parts, pairs_with_words, with_random_weights


def view(**tables):
    made = {name: Table.of(rows, dict.fromkeys(rows[0], "")) for name, rows in tables.items()}
    return RecordView.of(Record("similarity", {}, {}, made, []))


def test_the_twenty_words_that_give_most_are_drawn():
    words = [{"word": f"w{number}", "mean": number / 100} for number in range(30)]
    largest = largest_parts(view(query_words=words))
    assert (len(largest), largest[0]["word"], largest[-1]["word"]) == (20, "w29", "w10")


def test_a_pair_that_was_kept_without_its_texts_has_no_chart():
    words = [{"pair": 2, "text": text, "word": word} for text, word in ((1, "a"), (2, "b"), (2, "c"))]
    (pair,) = pairs_with_words(view(pairs=[{"pair": 1}, {"pair": 2}], words=words))
    assert pair.chart == "pair-2"
    assert [[word["word"] for word in side] for side in pair.sides] == [["a"], ["b", "c"]]
    assert pair.cells == []


def test_kinds_of_word_pairs_are_matched_with_random_weights():
    kinds, untrained = [{"kind": "same words"}, {"kind": "cosine"}], [{"kind": "cosine"}]
    matched = with_random_weights(view(kinds=kinds, random_weights=untrained))
    assert [(row["kind"], random["kind"]) for row, random in matched] == [("cosine", "cosine")]
