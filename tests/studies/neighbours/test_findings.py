"""The sentences follow the tables."""

from wordworth.studies.neighbours.findings import method, verdict, warnings

CONTEXTS = [{"form": "Bank", "cosine": 0.9}, {"form": "shore", "cosine": 0.5}]
ROW = {"kind": "word after", "value": "of", "count": 2, "corpus_share": 0.01, "input_share": 0.5, "p": 0.001} | {
    "random_share": 0.25
}
FACTS = {"words": 5_000, "occurrences": 3, "too_long": 0}


def test_what_is_sure_is_named_beside_the_corpus_and_the_input_layer():
    finding = verdict("bank", [ROW, {**ROW, "p": 0.3}], CONTEXTS, (1, 0), (2_000, 0.001))
    assert finding.numbers["headline"] == "1 of the 2 nearest words are “bank”."
    assert (
        "word after “of” (2 of 2; 1.0 % of the corpus, 50 % of the nearest by the input layer, 25 % by random weights)"
        in finding.text
    )
    assert (
        "Of the 2,000 properties of the corpus these pass at a level corrected for their number: 1 "
        "(with words drawn at random, 2.0 would pass by luck without the correction)." in finding.text
    )
    assert finding.numbers["by_luck"] == 2.0
    assert (
        "finds 1 of the 2 too.\nRandom weights, which mix the words of a text but learned nothing, find 0."
        in finding.text
    )


def test_where_nothing_is_sure_that_is_said():
    assert "nothing is surely more common" in verdict("bank", [{**ROW, "p": 0.2}], CONTEXTS, (0, 0), (10, 0.0)).text


def test_small_corpora_absent_words_and_long_texts_are_warned_of():
    names = {each.name for each in warnings({"words": 10, "occurrences": 0, "too_long": 2}, "bank")}
    assert names == {"warning.words", "warning.absent", "warning.too_long", "warning.texts"}
    assert {each.name for each in warnings(FACTS, "bank")} == {"warning.texts"}


def test_the_method_is_told():
    assert len(list(method(None))) == 2
    assert "attends to" in list(method(3))[-1].text
