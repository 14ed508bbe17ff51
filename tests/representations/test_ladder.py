import subprocess
import sys
from importlib.metadata import EntryPoint
from re import escape

import numpy as np
import pandas as pd
import pytest

from wordworth.errors import BadInput
from wordworth.registry import Registry
from wordworth.representations import ladder
from wordworth.representations.constant_baseline import Majority
from wordworth.representations.ladder import default_ladder, requested_names, select_rungs
from wordworth.tasks import task_types
from wordworth.tasks.task_types import can_learn

COSTS = ["constant", "counts", "random", "static", "frozen", "hybrid", "finetuned"]


@pytest.mark.parametrize("kind", ["single", "pair", "regression", "multilabel", "tags"])
def test_rungs_stand_cheapest_first_and_can_do_the_task(kind):
    rungs = default_ladder(kind)
    order = [COSTS.index(rung.family) for rung in rungs]
    assert order == sorted(order)
    assert all(can_learn(rung.kinds(), task_types.get(kind)) for rung in rungs)
    assert {"majority", "tfidf", "random", "glove", "wordllama", "minilm"} <= {rung.name for rung in rungs}


def test_listing_the_ladder_reads_no_model():
    code = "from wordworth.representations.ladder import default_ladder\nimport sys\ndefault_ladder('single')\n"
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}print('torch' in sys.modules)"], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "False"


def test_fine_tuning_may_be_left_out():
    assert "finetuned" not in {rung.family for rung in default_ladder("single", finetune=None)}


def test_a_users_own_vectors_and_tables_join(tmp_path):
    np.save(tmp_path / "paid.npy", np.zeros((3, 2)))
    (tmp_path / "mine.txt").write_text("the 1 2\n")
    own = (str(tmp_path / "paid.npy"), str(tmp_path / "mine.txt"))
    rungs = {rung.name: rung for rung in default_ladder("single", models=(), vectors=own, vector_price=12.5)}
    assert rungs["paid"].price == 12.5
    assert rungs["mine"].family == "static"
    assert "paid" not in {rung.name for rung in default_ladder("tags", models=(), vectors=own[:1])}


def test_vectors_of_rows_stay_so_beside_a_parquet_file_of_the_same_vectors(tmp_path):
    """As `embed` leaves them, where it wrote the same texts in both forms."""
    np.save(tmp_path / "v.npy", np.zeros((3, 2), np.float32))
    pd.DataFrame({"id": ["a", "b", "c"], "vector": [[0.0, 0.0]] * 3}).to_parquet(tmp_path / "v.parquet")
    (own,) = [
        rung for rung in default_ladder("single", models=(), vectors=(str(tmp_path / "v.npy"),)) if rung.name == "v"
    ]
    assert own.title == "your vectors (v.npy)"


def test_vectors_that_are_not_there_are_refused_before_any_work():
    with pytest.raises(BadInput, match="no such file of vectors"):
        default_ladder("single", vectors=("no-such-vectors.txt",))
    with pytest.raises(BadInput, match="no model, folder or file"):
        default_ladder("single", vectors=("no-such-table",))


def test_an_encoder_named_as_vectors_is_refused(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(BadInput, match="give a contextual encoder with `models`"):
        default_ladder("single", vectors=(str(tmp_path),))


def test_one_name_for_two_rungs_is_refused(tmp_path):
    (tmp_path / "glove.txt").write_text("the 1 2\n")
    with pytest.raises(BadInput, match="two rungs are called 'glove'"):
        default_ladder("single", models=(), vectors=(str(tmp_path / "glove.txt"),))


def no_rungs():
    """The registry of rungs before any was loaded."""
    return Registry("rung", group=ladder.RUNGS.group, former_group=ladder.RUNGS.former_group, builtin={})


@pytest.mark.parametrize("group", ["wordworth.rungs", "wordworth.representations"])
def test_another_package_may_offer_a_rung(group, tmp_path, monkeypatch):
    info = tmp_path / "offering-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: offering\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\noffered = {__name__}:make_offered\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(EntryPoint, "load", lambda _: lambda: Majority(name="offered"))
    monkeypatch.setattr(ladder, "RUNGS", no_rungs())
    assert default_ladder("single")[-1].name == "offered"
    monkeypatch.setattr(EntryPoint, "load", lambda _: object)
    monkeypatch.setattr(ladder, "RUNGS", no_rungs())
    with pytest.raises(BadInput, match="'offered' of another package is no rung"):
        default_ladder("single")


def test_a_user_may_name_the_rungs_to_measure():
    assert [rung.name for rung in select_rungs(default_ladder("single"), ["minilm", "tfidf"])] == [
        "majority",
        "tfidf",
        "minilm",
    ]
    with pytest.raises(BadInput, match="no rung for this kind of task is called 'tfdif'"):
        select_rungs(default_ladder("single"), ["tfdif"])


def test_a_rung_may_be_named_by_the_folder_of_its_model():
    names = ["encoders/mine", "tfidf+./encoders/mine/", "encoders/mine-finetuned", "encoders/mine-int8"]
    chosen = select_rungs(default_ladder("single", models=["encoders/mine"]), names)
    assert [rung.name for rung in chosen] == ["majority", "mine-int8", "mine", "tfidf+mine", "mine-finetuned"]
    assert {"mine", "tfidf+mine"} <= requested_names((), (), names)


@pytest.mark.parametrize("kind", ["single", "pair", "regression", "tags"])
def test_an_encoder_in_int8_is_measured_only_where_it_is_named(kind):
    ladder = default_ladder(kind)
    assert "minilm-int8" not in {rung.name for rung in select_rungs(ladder, ())}
    assert {rung.name for rung in select_rungs(ladder, ["minilm-int8"])} == {"majority", "minilm-int8"}


@pytest.mark.parametrize("name", ["mini", "tfidf+mini", "mini-finetuned", "mini-int8"])
def test_the_rung_of_a_model_that_was_not_named_says_to_name_it(name):
    with pytest.raises(BadInput, match=f"is called {escape(repr(name))}; add its encoder, mini, with `models`"):
        select_rungs(default_ladder("single"), ["tfidf", name])
    with pytest.raises(BadInput, match=r"did you mean 'minilm'\?"):
        select_rungs(default_ladder("single"), ["minilmm"])


def test_a_table_of_each_encoder_stands_below_it_unless_it_is_left_out():
    names = [rung.name for rung in default_ladder("single", models=("minilm", "other"))]
    assert names.index("wordllama") < names.index("minilm-static") < names.index("other-static") < names.index("minilm")
    left = {rung.name for rung in default_ladder("single", models=("minilm",), distil=False)}
    assert left == set(names) - {
        "minilm-static",
        "other-static",
        "other",
        "tfidf+other",
        "other-fewshot",
        "other-int8",
        "other-finetuned",
    }
