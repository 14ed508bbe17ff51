"""Tables from answers whose right ones are known."""

import numpy as np
import pytest
from scipy.stats import binomtest

from wordworth.studies.commonsense.attention_scores import FROM
from wordworth.studies.commonsense.candidate_mentions import NEAREST
from wordworth.studies.commonsense.items import Choice, ChoiceSet
from wordworth.studies.commonsense.likelihood_scores import WHOLE
from wordworth.studies.commonsense.option_scores import Answers
from wordworth.studies.commonsense.tables import DIFFERENCES, EXAMPLES, PAIRS, SCORES, SETS, tables_of

RIGHT, WRONG = np.array([1.0, 0.0]), np.array([0.0, 1.0])


def scores(right, items):
    return [RIGHT if number < right else WRONG for number in range(items)]


def pronouns(items=40):
    chosen = [Choice("A saw b, so ", ("A", "b"), " left.", 0, "she") for _ in range(items)]
    own = {FROM: [*scores(20, items - 4), *[None] * 4], WHOLE: scores(36, items), NEAREST: scores(20, items)}
    random = {FROM: scores(18, items), WHOLE: scores(22, items)}
    return Answers(ChoiceSet("wsc", "pronouns", chosen, "w.tsv", "0", items), own, random, frozenset({NEAREST}))


def pairs():
    items = [
        Choice("", (f"good {n}", "bad"), "", 0, paradigm=f"p{n % 3}", phenomenon="one" if n % 3 else "two")
        for n in range(30)
    ]
    published = {
        "p0": {"human": 0.9, "gpt2": 0.8},
        "p1": {"human": 0.7},
        "overall": {"gpt2": 0.5},
        "two": {"gpt2": 0.6},
    }
    answers = {WHOLE: scores(15, 30)}
    return Answers(ChoiceSet("blimp", "pairs", items, "b", "0", 30, published), answers, answers, frozenset())


@pytest.fixture(scope="module")
def tables():
    return tables_of([pronouns(), pairs()], 0)


def test_every_column_is_described(tables):
    described = {"sets": SETS, "scores": SCORES, "differences": DIFFERENCES, "examples": EXAMPLES}
    for name, columns in {**described, "phenomena": PAIRS, "paradigms": PAIRS}.items():
        assert all(list(row) == list(columns) for row in tables[name].rows())


def test_shares_have_exact_intervals_and_tests_over_the_items_that_are_answered(tables):
    rows = {(row["set"], row["method"]): row for row in tables["scores"].rows()}
    attention, likelihood = rows["wsc", FROM], rows["wsc", WHOLE]
    assert (attention["items"], attention["right"], likelihood["items"]) == (36, 20, 40)
    test = binomtest(36, 40, 0.5, alternative="greater")
    assert likelihood["p_value"] == pytest.approx(test.pvalue)
    assert (
        likelihood["p_value"] <= likelihood["corrected"] <= 3 * likelihood["p_value"]
    )  # of three methods of the model
    ends = binomtest(36, 40).proportion_ci(method="exact")
    assert (likelihood["low"], likelihood["high"]) == pytest.approx((ends.low, ends.high))
    assert likelihood["random_accuracy"] == 22 / 40
    assert attention["random_accuracy"] == 18 / 36  # on the items that the model answers
    assert rows["wsc", NEAREST]["control"]
    assert rows["wsc", NEAREST]["corrected"] is None


def test_methods_are_compared_on_the_items_that_both_answer(tables):
    rows = {(row["method"], row["other"]): row for row in tables["differences"].rows() if row["set"] == "wsc"}
    assert set(rows) == {
        (FROM, "random weights"), (FROM, NEAREST), (FROM, WHOLE), (WHOLE, "random weights"), (WHOLE, NEAREST),
    }  # fmt: skip
    against = rows[FROM, WHOLE]
    assert (against["items"], against["only_first"], against["only_second"]) == (36, 0, 16)
    assert against["p_value"] == pytest.approx(binomtest(0, 16).pvalue)
    assert against["corrected"] >= against["p_value"]


def test_phenomena_stand_beside_what_is_published(tables):
    rows = {row["name"]: row for row in tables["phenomena"].rows()}
    assert set(rows) == {"one", "two", "all"}
    assert (rows["two"]["human"], rows["two"]["gpt2"]) == (0.9, 0.6)
    assert rows["one"]["human"] is None  # p2 has no figure, so that there is no mean
    assert (rows["all"]["gpt2"], rows["all"]["accuracy"]) == (0.5, 0.5)
    assert [row["items"] for row in tables["paradigms"].rows()] == [10, 10, 10]


def test_each_set_says_what_it_can_show(tables):
    wsc, blimp = tables["sets"].rows()
    assert wsc["half_width"] == pytest.approx(0.162, abs=0.001)
    assert wsc["chance"] < wsc["needed"] < wsc["detectable"] < 0.8
    assert blimp["needed"] > wsc["needed"]
    (tiny,) = tables_of([pronouns(5)], 0)["sets"].rows()
    assert tiny["needed"] == 1.0
    chosen = ChoiceSet("t", "pairs", [Choice("", ("a", "b"), "", 0)] * 2, "", "", 2)
    (none,) = tables_of([Answers(chosen, {WHOLE: scores(2, 2)}, {}, frozenset())], 0)["sets"].rows()
    assert none["needed"] is None
    assert none["detectable"] is None


def test_examples_show_what_is_chosen(tables):
    row = next(row for row in tables["examples"].rows() if row["set"] == "wsc")
    assert row["text"] == "A saw b, so [she] left."
    assert (row["answer"], row["others"]) == ("A", "b")
    assert row["likelihood"] in ("A", "b")
