"""A record of an earlier version is read under the names of today; one of today is not changed."""

import pytest

from wordworth.former_record_names import FORMER_NAMES, renamed, with_todays_names


def record(kind, **parts):
    return {"kind": kind, "settings": {}, "data": {}, "tables": {}, "version": 1, **parts}


def test_settings_of_a_fine_tuning_get_their_names_of_today():
    old = record("finetune", settings={"rate": 1e-4, "batch": 16, "tokens": 128, "seed": 3})
    assert with_todays_names(old)["settings"] == {"learning_rate": 1e-4, "batch_size": 16, "max_length": 128, "seed": 3}


def test_tables_and_their_columns_get_their_names_of_today_and_keep_their_order():
    table = {"columns": {"gold": ["a"], "said": ["b"]}, "describe": {"said": "what was predicted"}}
    old = record("finetune", tables={"looks": {"columns": {"step": [1]}, "describe": {}}, "confusion": table})
    tables = with_todays_names(old)["tables"]
    assert list(tables) == ["evaluations", "confusion"]
    assert tables["confusion"] == {
        "columns": {"gold": ["a"], "predicted": ["b"]},
        "describe": {"predicted": "what was predicted"},
    }


def test_the_same_name_in_a_table_without_a_former_name_stays():
    table = {"columns": {"said": [1]}, "describe": {}}
    assert with_todays_names(record("finetune", tables={"history": table}))["tables"] == {"history": table}


def test_a_name_means_what_its_kind_of_record_means_by_it():
    settings = {"epsilon": 0.01, "rate": 1}
    assert with_todays_names(record("worth", settings=settings))["settings"] == {"margin": 0.01, "rate": 1}
    assert with_todays_names(record("senses", settings=settings))["settings"] == settings


@pytest.mark.parametrize("kind", [*FORMER_NAMES, "context"])
def test_a_record_of_today_is_not_changed(kind):
    today = record(kind, settings={"learning_rate": 1, "margin": 2}, data={"name": "x"})
    assert with_todays_names(today) == today


def test_no_former_name_is_also_a_name_of_today():
    for former in FORMER_NAMES.values():
        for names in (former.settings, former.data, former.tables, *former.columns.values()):
            assert not set(names) & set(names.values())
            assert renamed(renamed(dict.fromkeys(names, 0), names), names) == dict.fromkeys(names.values(), 0)
