"""What planning takes, and what of the study's settings it refuses before any file is read."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.worth.planning.settings import PlanSettings, require_plannable
from wordworth.studies.worth.settings import WorthSettings
from wordworth.tasks.reading.settings import ReadSettings

PLAN, WITH_LABELS = PlanSettings(plan=True), PlanSettings(plan=True, labels_so_far="some.csv")


def test_labels_so_far_are_for_planning_alone():
    with pytest.raises(BadInput, match="`labels_so_far`: labels so far are for planning; add `plan`"):
        PlanSettings(labels_so_far="some.csv")


def test_texts_to_label_need_labels_that_rungs_learn_from():
    with pytest.raises(
        BadInput, match=r"`to_label`: which texts .* they learn from labels; add `plan` and `labels_so_far`"
    ):
        PlanSettings(plan=True, to_label=20)
    with pytest.raises(BadInput, match="to_label"):
        PlanSettings(plan=True, labels_so_far="some.csv", to_label=0)


@pytest.mark.parametrize(
    ("reading", "says"),
    [
        ({"metric": "macro_f1"}, "`metric`: planning covers accuracy alone, not macro_f1"),
        ({"metric": "f1:refund"}, "`metric`: planning covers accuracy alone, not f1:refund"),
        (
            {"kind": "regression"},
            "`kind`: planning covers accuracy where each row has one class, not a task of kind regression",
        ),
        ({"kind": "multilabel"}, "`kind`: planning covers accuracy .* multilabel"),
        ({"kind": "tagging"}, "`kind`: planning covers accuracy .* tagging"),
        ({"test": "april.csv"}, "`test`: a plan is made before there is a test part"),
        ({"test": 0.2}, "`test`: a plan is made before there is a test part"),
        ({"second_label": "again"}, "`second_label`: a plan compares no second labels"),
        ({"time": "date"}, "`time`: a plan is made before there is a later test part"),
        ({"group": "author"}, "`group`: a plan counts rows one by one"),
        ({"categories": ("topic",)}, "a plan is one for all texts together"),
        ({"test_share": 0.2}, "a plan is made before there is a test part"),
    ],
)
@pytest.mark.parametrize("planning", [PLAN, WITH_LABELS])
def test_what_a_plan_cannot_take_is_refused(planning, reading, says):
    with pytest.raises(BadInput, match=says):
        require_plannable(planning, ReadSettings(**reading), WorthSettings())


@pytest.mark.parametrize("planning", [PLAN, WITH_LABELS])
def test_costs_are_for_the_study_itself(planning):
    with pytest.raises(BadInput, match="`costs`: a plan counts errors, whatever they cost; leave it out"):
        require_plannable(planning, ReadSettings(), WorthSettings(costs="costs.csv"))


def test_a_column_of_labels_wants_a_file_of_labels():
    with pytest.raises(BadInput, match="`label`: this names a column of the labels so far, and none are given"):
        require_plannable(PLAN, ReadSettings(label="label"), WorthSettings())
    require_plannable(WITH_LABELS, ReadSettings(label="label"), WorthSettings())


@pytest.mark.parametrize("kind", [None, "classification", "pair_classification"])
def test_classes_of_texts_and_of_pairs_are_covered(kind):
    require_plannable(PLAN, ReadSettings(kind=kind, metric="accuracy"), WorthSettings())
