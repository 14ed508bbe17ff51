"""A setting out of its range, of the wrong type or with no such choice is one clear error."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.settings_validation import POSITIVE, at_least, flag_of, out_of_range, setting, settings_from, validate


@dataclass(frozen=True, kw_only=True)
class Settings:
    mode: Literal["fast", "exact"] = setting("fast", "How.")
    batch_size: int = setting(8, "Texts at once.", at_least(1, ": one text"))
    rate: float | None = setting(None, "Speed.", POSITIVE)
    files: tuple[str, ...] = setting((), "Files.")
    name: str | None = setting(None, "A name.")
    either: str | tuple[str, ...] = setting("", "One name or several.")
    quick: bool = setting(False, "Faster.")

    def __post_init__(self):
        validate(self)


def test_defaults_pass():
    assert Settings().batch_size == 8


@pytest.mark.parametrize(
    ("values", "what", "mend"),
    [
        ({"mode": "exakt"}, "no mode 'exakt'", "did you mean 'exact'"),
        ({"batch_size": 0}, "--batch-size 0 is out of range", "give 1 or more: one text"),
        ({"batch_size": 1.5}, "--batch-size is 1.5", "give a whole number"),
        ({"batch_size": "8"}, "--batch-size is '8'", "give a whole number"),
        ({"rate": 0}, "--rate 0 is out of range", "give more than 0"),
        ({"rate": float("nan")}, "--rate nan is out of range", "give more than 0"),
        ({"rate": float("inf")}, "--rate inf is out of range", "give more than 0"),
        ({"rate": "fast"}, "--rate is 'fast'", "give a number"),
    ],
)
def test_the_error_says_which_setting_and_how_to_mend_it(values, what, mend):
    with pytest.raises(BadInput) as error:
        Settings(**values)
    assert error.value.what == what
    assert mend in error.value.mend


def test_an_unknown_choice_is_met_with_the_flag_that_it_was_given_to():
    with pytest.raises(BadInput) as error:
        Settings(mode="exakt")
    assert error.value.in_flags.startswith("--mode: no mode 'exakt'")


def test_a_whole_number_is_a_number_too():
    assert Settings(rate=1).rate == 1


def test_settings_are_made_of_a_functions_arguments_and_others_are_left_out():
    made = settings_from({"batch_size": 2, "progress": SILENT, "out": "run/"}, Settings)
    assert (made.batch_size, made.mode) == (2, "fast")


@pytest.mark.parametrize("files", ["a.txt", ["a.txt"], ("a.txt",)])
def test_where_several_files_are_taken_one_will_do(files):
    assert settings_from({"files": files}, Settings).files == ("a.txt",)


def test_a_path_is_one_file_and_not_a_sequence_of_letters():
    assert settings_from({"files": Path("a.txt")}, Settings).files == (Path("a.txt"),)


def test_a_path_is_a_text_where_the_setting_is_one():
    assert settings_from({"name": Path("a") / "model"}, Settings).name == "a/model"


def test_a_text_stays_a_text_where_the_setting_takes_one():
    assert settings_from({"either": "both"}, Settings).either == "both"
    assert settings_from({"either": ["a", "b"]}, Settings).either == ("a", "b")


@pytest.mark.parametrize(
    ("values", "what", "mend"),
    [
        ({"either": None}, "--either is None, not a text", "give a name or a path, or leave it out"),
        ({"quick": "no"}, "--quick is 'no'", "give True or False"),
        ({"quick": 1}, "--quick is 1", "give True or False"),
        ({"out": 5}, "expected a path, not 5 (int)", "give a text or a pathlib.Path"),
        ({"name": 0}, "--name is 0 (int), not a text", "give a name as a text: '0'"),
        ({"either": 1}, "--either is 1 (int), not a text", "give a name as a text: '1'"),
        ({"either": ["a", 1]}, "--either is 1 (int), not a text", "give a name as a text: '1'"),
        ({"files": object()}, "--files is of type object, not a text", "give a name or a path"),
        ({"files": [object()]}, "--files is of type object, not a text", "give a name or a path"),
    ],
)
def test_what_is_no_text_where_a_setting_is_one_is_refused(values, what, mend):
    with pytest.raises(BadInput) as error:
        settings_from(values, Settings)
    assert (error.value.what, error.value.mend) == (what, mend)


def test_names_may_come_in_any_iterable():
    assert settings_from({"files": (name for name in "ab")}, Settings).files == ("a", "b")
    assert settings_from({"files": np.array(["a", "b"])}, Settings).files == ("a", "b")


def test_every_number_out_of_range_is_listed():
    @dataclass
    class Unchecked:
        a: int = setting(0, "", at_least(1))
        b: float = setting(-1.0, "", POSITIVE)
        c: float | None = setting(None, "", POSITIVE)

    assert list(out_of_range(Unchecked())) == [("a", 0, "1 or more"), ("b", -1.0, "more than 0")]


def test_the_flag_is_the_name_with_hyphens():
    assert flag_of("batch_size") == "--batch-size"


@pytest.mark.parametrize("truth", [True, np.bool_(True)])
def test_a_switch_takes_true_and_false_of_python_and_numpy(truth):
    assert settings_from({"quick": truth}, Settings).quick == True  # noqa: E712 - numpy's is another object
