"""What pages say in words of kept records holds for their numbers: signs, bounds, runs and what lies above what."""

from statistics import fmean

import pytest
from tests.docs.record_figures import page_text, record, rows


def gains(measure):
    """(model, the other model, text or task, part) -> the row of its gain: above 0 where the model is better."""
    of_measure = [row for row in rows("domain_mini", "gains") if row["measure"] == measure]
    return {(row["model"], row["over"], row["on"], row["part"]): row for row in of_measure}


def test_a_domains_text_surely_costs_fewer_bits_after_it_was_read():
    bits = gains("bits per character")
    assert bits["biomedical", "plain", "biomedical", "held-out"]["low"] > 0
    assert bits["biomedical", "patents", "biomedical", "held-out"]["low"] > 0


def test_general_text_gains_surely_less_than_the_domains():
    bits = gains("bits per character")
    general = bits["biomedical", "plain", "general", "held-out"]
    assert general["high"] < bits["biomedical", "plain", "biomedical", "held-out"]["low"]
    assert general["high"] < 0, "the page says that general text pays"


def test_the_control_is_surely_worse_on_the_domains_text_than_the_domain():
    bits = gains("bits per character")
    control = bits["patents", "plain", "biomedical", "held-out"]
    assert control["high"] < bits["biomedical", "plain", "biomedical", "held-out"]["low"]
    assert control["high"] < 0, "the page says that the control does not make it cheaper"


@pytest.mark.parametrize("part", ["dev", "test"])
@pytest.mark.parametrize("task", ["ncbi_disease", "bc5cdr"])
def test_entity_f1_has_intervals_over_three_seeds_or_more(task, part):
    f1 = gains("entity F1")
    for row in (f1["biomedical", "plain", task, part], f1["biomedical", "patents", task, part]):
        assert row["seeds"] >= 3
        assert -1 < row["low"] < row["gain"] < row["high"] < 1
    scored = [row for row in rows("domain_mini", "scores") if (row["on"], row["part"]) == (task, part)]
    assert {row["model"] for row in scored} == {"plain", "biomedical", "patents"}
    assert all(row["seeds"] >= 3 and 0 < row["low"] < row["mean"] < row["high"] < 1 for row in scored)


def test_labels_carry_over_only_above_the_majority_and_random_weights():
    languages = [row for row in rows("languages_minilm", "languages") if row["transfers"] == "yes"]
    assert len(languages) == 10, "the page says that labels carry over to ten"
    for row in languages:
        assert row["zero_shot_low"] > row["majority"]
        assert row["above_random_low"] > 0
        assert row["above_characters_low"] > 0


def test_every_layer_names_the_language_of_more_than_nine_texts_in_ten():
    layers = rows("languages_minilm", "layers")
    assert [row["layer"] for row in layers] == list(range(7))
    assert all(row["accuracy_low"] > 0.9 and row["random_low"] > 0.9 for row in layers)


def test_every_number_of_frozen_layers_has_three_runs_and_an_interval():
    frozen = rows("languages_frozen_layers", "frozen")
    assert {row["frozen"] for row in frozen if row["system"] == "model"} == {-1, 0, 2, 3, 4, 6}
    for row in frozen:
        assert row["runs"] >= 3
        assert 0 < row["accuracy_low"] < row["accuracy"] < row["accuracy_high"] < 1


def test_freezing_four_layers_surely_helps_the_other_languages():
    mean = {
        row["frozen"]: row
        for row in rows("languages_frozen_layers", "frozen")
        if row["system"] == "model" and row["language"] is None
    }
    assert mean[4]["accuracy_low"] > mean[-1]["accuracy_high"]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_scores_of_the_best_labels_lie_below_their_ceilings_which_the_page_gives(k):
    metrics = {(row["metric"], row["rung"]): row for row in rows("reuters_precision_at_3", "metrics")}
    page = page_text("adapting.md")
    for measure, title in (("precision", "precision"), ("recall", "recall"), ("f1", "F1")):
        of_rungs = [metrics[f"{measure}@{k}", rung] for rung in ("tfidf", "minilm", "glove", "majority")]
        assert all(row["low"] < row["score"] < row["high"] < row["ceiling"] for row in of_rungs)
        scores = [f"{100 * row[name]:.1f}" for row in of_rungs for name in ("score", "low", "high")]
        tfidf, minilm, glove = ("{} ({} to {})".format(*scores[place : place + 3]) for place in (0, 3, 6))
        ceiling = f"{100 * of_rungs[0]['ceiling']:.1f}"
        assert f"| {title} at {k} | {ceiling} | {tfidf} | {minilm} | {glove} | {scores[9]} |" in page


@pytest.mark.parametrize("name", ["serving", "serving_bfloat16", "serving_one_thread"])
@pytest.mark.parametrize("kind", ["short", "mixed", "long"])
def test_thirty_two_clients_get_no_fewer_answers_a_second_than_one(name, kind):
    """At least 90 % of one client's, since requests that wait are computed together."""
    answers = {
        row["clients"]: row["texts_per_second"]["median"]
        for row in record(name)["figures"][kind]
        if (row["server"], row["texts_a_request"]) == ("wordworth serve", 1)
    }
    assert answers[32] >= 0.9 * answers[1]


@pytest.mark.parametrize("side", ["to_plain", "difference"])
@pytest.mark.parametrize(
    ("name", "sets"), [("specialists_tfidf", 20), ("specialists_tfidf_500", 20), ("specialists_tfidf_7000", 7)]
)
def test_tfidf_is_on_no_set_more_than_a_point_behind_a_specialist(name, sets, side):
    """As his library comes, and (`difference`) with offsets for the classes."""
    behind = [row[side] for row in record(name)["beside"]]
    assert len(behind) >= sets
    assert min(behind) >= -1
    assert sum(behind) / len(behind) >= -0.3


@pytest.mark.parametrize("side", ["to_plain", "difference"])
@pytest.mark.parametrize("rung", ["random", "glove", "wordllama"])
def test_static_vectors_are_on_no_set_more_than_a_point_behind_a_specialist(rung, side):
    behind = {row["set"]: row[side] for row in record("specialists_static")["beside"] if row["rung"] == rung}
    assert len(behind) == 8, "the page says eight sets"
    assert min(behind.values()) >= -1
    assert fmean(behind.values()) >= -0.3


def test_each_set_of_static_vectors_has_ten_draws_or_more():
    draws = {(row["rung"], row["set"]): row["draws"] for row in record("specialists_static")["beside"]}
    assert min(draws.values()) >= 10
    assert draws["random", "cola"] == 60, "the page says so"


@pytest.mark.parametrize("name", ["regret", "regret_beside_the_best_of_other_draws"])
def test_a_choice_costs_half_a_point_on_average_and_two_at_most(name):
    regret = record("choice_regret")
    each = [cell[name] for cell in regret["cells"]]
    assert len(each) == regret["cells_of_sets_and_sizes"] >= 78
    assert fmean(each) == pytest.approx(regret[f"mean_{name}"], abs=0.005)
    assert max(each) == regret[f"largest_{name}"]
    assert fmean(each) <= 0.5
    assert max(each) <= 2


def test_nothing_is_gained_beyond_the_ends_of_the_grid():
    """By no more than a fifth of a point, on any set and size: the grid's ends are wide enough."""
    beyond = [cell["gain_beyond_the_grid"] for cell in record("choice_regret")["cells"]]
    assert max(beyond) <= 0.2


@pytest.mark.parametrize("sentences", [250, 1_000, 14_041])
def test_the_tagger_is_within_a_point_of_crfsuite(sentences):
    (row,) = (row for row in record("taggers")["rows"] if (row["set"], row["sentences"]) == ("conll2003", sentences))
    assert row["ahead"] == pytest.approx(row["ours"] - row["peer"], abs=0.02)
    assert row["ahead"] >= -1


def test_the_tagger_is_ahead_of_crfsuite_everywhere():
    """As the page says, and on average by three points on the other sets."""
    ahead = {(row["set"], row["sentences"]): row["ahead"] for row in record("taggers")["rows"]}
    assert min(ahead.values()) > 0
    others = [points for (name, _), points in ahead.items() if name != "conll2003"]
    assert len(others) == 12
    assert fmean(others) >= 3
