"""bfloat16 is taken where there are instructions for it."""

import pytest

from wordworth.errors import BadInput
from wordworth.training.pretraining import pretrain_and_adapt
from wordworth.training.pretraining.recipe import recipe


@pytest.mark.parametrize(
    ("dtype", "has", "refused"), [("bfloat16", False, True), ("bfloat16", True, False), ("auto", False, False)]
)
def test_bfloat16_is_refused_where_there_are_no_instructions_for_it(tmp_path, monkeypatch, dtype, has, refused):
    monkeypatch.setattr(pretrain_and_adapt, "supports_bf16", lambda _: has)
    chosen = {"steps": 1, "dtype": dtype, "device": "cpu"}
    if refused:
        with pytest.raises(BadInput, match="no instructions for bfloat16"):
            pretrain_and_adapt.make_config(tmp_path, recipe("modern"), (), chosen)
    else:
        assert pretrain_and_adapt.make_config(tmp_path, recipe("modern"), (), chosen).dtype == dtype
