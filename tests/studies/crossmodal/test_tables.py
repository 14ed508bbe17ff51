"""The tables of the record."""

from wordworth.studies.crossmodal.evaluation import COMPLETION, MEASURES
from wordworth.studies.crossmodal.systems import SYSTEMS


def test_scores_have_a_row_for_each_measure_and_system_with_an_interval(crossmodal_study):
    scores = crossmodal_study[1].table("scores")
    assert scores["measure"].tolist() == [measure for measure in MEASURES for _ in SYSTEMS]
    assert ((scores["low"] <= scores["value"]) & (scores["value"] <= scores["high"])).all()
    chance = scores[(scores["measure"] == "alignment") & (scores["system"] == "without the other side")]
    assert chance["value"].tolist() == [0.5]
    assert chance["answers"].tolist() == [120]


def test_differences_are_those_of_the_scores(crossmodal_study):
    record = crossmodal_study[1]
    scores = record.table("scores").set_index(["measure", "system"])["value"]
    for row in record.tables["differences"].rows():
        expected = scores[row["measure"], row["first"]] - scores[row["measure"], row["second"]]
        assert abs(row["difference"] - expected) < 1e-12


def test_each_fold_says_who_was_tested_and_which_updates_were_kept(crossmodal_study):
    folds = crossmodal_study[1].table("folds")
    assert sorted(", ".join(folds["test"]).split(", ")) == [f"speaker{number}" for number in range(6)]
    assert folds["test_sequences"].sum() == 60
    assert all(0 < int(step) <= 4 for step in folds["steps"])


def test_examples_have_three_near_sequences_each_with_their_sounds(crossmodal_study):
    examples = crossmodal_study[1].table("examples")
    assert examples["rank"].tolist() == [1, 2, 3, 1, 2, 3]
    assert (examples["right"] == (examples["caption"] == examples["own_caption"])).all()
    assert examples["sound"].str.startswith("UklGR").all()


def test_groups_together_are_the_whole(crossmodal_study):
    record = crossmodal_study[1]
    groups, scores = record.table("groups"), record.table("scores")
    own = groups[(groups["measure"] == "alignment") & (groups["system"] == "trained on pairs")]
    whole = scores[(scores["measure"] == "alignment") & (scores["system"] == "trained on pairs")]
    assert own["group"].tolist() == [f"speaker{number}" for number in range(6)]
    assert abs((own["value"] * own["answers"]).sum() / own["answers"].sum() - whole["value"].iloc[0]) < 1e-12


def test_validation_sequences_have_scores_of_their_own_fold_by_fold(crossmodal_study):
    record = crossmodal_study[1]
    validation = record.table("validation")
    assert len(validation) == len(record.table("folds")) * len(COMPLETION) * len(SYSTEMS)
    assert validation["value"].between(0, 1).all()
    top = validation.pivot(index=["fold", "system"], columns="measure", values="value")
    assert (top["word from codes, top 5"] >= top["word from codes, top 1"]).all()
