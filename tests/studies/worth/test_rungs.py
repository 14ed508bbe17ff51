"""Which rungs a study measures: those that its settings name, or fewer where its time is short."""

from tests.studies.worth.made_up import task

from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.representations.finetuning_settings import QUICK
from wordworth.studies.worth.rungs import rungs_of
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.time_plan.scope import Scope


def names(settings: WorthSettings, scope: Scope | None = None) -> list[str]:
    return [rung.name for rung in rungs_of(task(), settings, scope)]


def test_the_ladder_has_every_rung_of_an_encoder_unless_the_scope_leaves_some_out():
    settings = WorthSettings(models=("mini",))
    assert {"mini", "tfidf+mini", "mini-static", "mini-finetuned"} <= set(names(settings))
    fewer = names(settings, Scope(100, distil=False, finetune=None))
    assert {"mini", "tfidf+mini"} <= set(fewer)
    assert not {"mini-static", "mini-finetuned"} & set(fewer)


def test_fine_tuning_is_that_of_the_scope():
    rungs = rungs_of(task(), WorthSettings(models=("mini",)), Scope(100, finetune=QUICK))
    assert [rung.settings for rung in rungs if isinstance(rung, FineTuned)] == [QUICK]


def test_of_named_rungs_only_these_and_the_constant_one_are_measured():
    assert names(WorthSettings(models=("mini",), rungs=("glove",)))[1:] == ["glove"]
