"""Tests mirror the tree: a test that fails leads to the module of its name."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "wordworth"
UNTESTED = TESTS / "modules_without_tests.txt"
"""Modules that are tested through others alone. The list only grows shorter: a module with a test is taken off it."""
OTHER_FOLDERS = {
    "benchmarks": "the scripts in benchmarks/",
    "compat": "what earlier versions wrote",
    "docs": "the pages in docs/",
    "faults": "bad input, kills and full disks, command by command",
    "integration": "what several rooms do together",
    "parity": "other libraries give the same numbers",
    "recipes": "the scripts in recipes/",
    "scripts": "the scripts in scripts/",
}
"""Folders of tests that mirror no room of the package: what they are about."""
ABOUT_SEVERAL = {
    "test_api.py": "the names that the package offers",
    "test_api_and_command_line.py": "functions and commands take the same settings",
    "test_examples.py": "the examples in all docstrings",
    "test_layout.py": "the tests themselves",
    "reports/test_accessibility_in_chromium.py": "pages of every kind and the rules of accessibility",
    "reports/test_attention_in_chromium.py": "the page in a browser",
    "studies/distill/test_bilstm_student.py": "the study with a student of another architecture",
    "reports/test_explorer_in_chromium.py": "the page in a browser",
    "reports/test_in_chromium.py": "the page in a browser",
    "reports/test_kept_records.py": "records that are kept in the docs",
    "reports/test_prices.py": "a currency from setting to page",
    "reports/test_worth_open.py": "the whole page of a study that settles nothing",
    "sklearn/test_estimator_checks.py": "scikit-learn's checks, on every estimator",
    "studies/test_pruned_models.py": "studies that look inside, of a pruned model",
    "studies/finetune/test_dev_file.py": "a dev file from its reading to the record",
    "studies/finetune/test_features.py": "frozen features from fine-tuning to prediction",
    "studies/finetune/test_refusals.py": "settings that are refused before anything takes long",
    "studies/worth/test_controls.py": "controls through the whole ladder",
    "studies/worth/test_group_intervals.py": "intervals over groups, where the truth is simulated",
    "studies/worth/test_tagging.py": "a tagging task through the whole study",
    "text/test_byte_pairs.py": "byte-level pieces of any tokenizer",
    "training/pretraining/test_anisotropy.py": "a run with the penalty and one without",
    "training/pretraining/test_architectures.py": "every architecture through a whole run",
    "training/pretraining/test_processes.py": "several processes make the run of one",
}
"""Files of tests about several modules: what they are about."""
TOGETHER = {
    "tasks/datasets/test_choice_sets.py": "swag hellaswag codah copa xcopa dpr wsc273 pdp60",
    "tasks/datasets/test_glue.py": "cola sst2 mrpc stsb qqp mnli mnli_mm qnli rte wnli",
    "tasks/datasets/test_question_sets.py": (
        "squad1 squad2 squadshifts_new_wiki squadshifts_nyt squadshifts_amazon squadshifts_reddit xquad"
    ),
    "tasks/datasets/test_tagging_sets.py": "conll2003 conll2002_es conll2002_nl ncbi_disease bc5cdr",
    "tasks/datasets/test_xnli.py": "xnli xnli_ko americasnli snli",
}
"""Files that test modules of one form together, here the short descriptions of published data sets."""


def modules() -> set[str]:
    """The modules of the package, such as `text/windows`."""
    return {str(path.relative_to(SOURCE).with_suffix("")) for path in SOURCE.rglob("*.py") if path.stem != "__init__"}


def modules_together() -> set[str]:
    return {str(Path(file).with_name(module)) for file, names in TOGETHER.items() for module in names.split()}


def mirrored() -> set[str]:
    """The test files of rooms, such as `text/test_windows.py`."""
    files = {path.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    return {str(path) for path in files if path.parts[0] not in OTHER_FOLDERS}


def subject(file: str) -> str:
    """The module that a test file is named for."""
    path = Path(file)
    return str(path.with_name(path.stem.removeprefix("test_")))


def without_tests() -> set[str]:
    return modules() - modules_together() - {subject(file) for file in mirrored()}


def listed() -> set[str]:
    return {line for line in UNTESTED.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")}


def test_every_test_file_of_a_room_has_the_name_of_a_module_or_says_what_it_is_about():
    known = modules() | {str(path.parent.relative_to(SOURCE)) for path in SOURCE.rglob("__init__.py")}
    strays = {file for file in mirrored() if subject(file) not in known} - ABOUT_SEVERAL.keys() - TOGETHER.keys()
    assert not strays, "name them as the module that they test, or move them to tests/integration"


def test_every_new_module_has_a_test_file_of_its_name():
    assert not without_tests() - listed(), "write tests/ROOM/test_MODULE.py"


def test_the_list_of_modules_without_tests_holds_no_other():
    assert not listed() - without_tests(), f"take them off {UNTESTED.name}"


@pytest.mark.parametrize("file", [*ABOUT_SEVERAL, *TOGETHER])
def test_every_file_about_several_modules_is_there(file):
    assert (TESTS / file).exists()


def test_modules_that_are_tested_together_are_there():
    assert modules_together() <= modules()


@pytest.mark.parametrize("folder", OTHER_FOLDERS)
def test_folders_that_mirror_no_room_are_none(folder):
    assert not (SOURCE / folder).exists()


def peers_required_by(path: Path) -> bool:
    return "importorskip(" in path.read_text(encoding="utf-8")


def test_no_test_file_takes_names_from_one_that_may_be_skipped():
    """Where the other library is missing, that file is only half read: the import of its names is an error."""
    skipped = [path for path in TESTS.rglob("test_*.py") if peers_required_by(path)]
    modules_skipped = {"tests." + ".".join(path.relative_to(TESTS).with_suffix("").parts) for path in skipped}
    takers = {
        str(path.relative_to(TESTS)): taken
        for path in TESTS.rglob("*.py")
        if (taken := modules_skipped & set(re.findall(r"(?m)^from (tests\.\S+) import", path.read_text("utf-8"))))
    }
    assert not takers
