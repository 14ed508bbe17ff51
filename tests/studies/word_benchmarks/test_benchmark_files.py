"""Files of benchmarks that cannot be read are named with the line."""

import re

import pytest
from tests.cli.terminal import wordworth
from tests.studies.word_benchmarks.small_sets import table

from wordworth.errors import BadInput
from wordworth.studies.word_benchmarks import words


@pytest.mark.parametrize("rating", ["much", "nan", "inf"])
def test_a_rating_that_is_no_number_is_refused_by_its_line(tmp_path, data, rating):
    (data / "sim/EN-RG-65.txt").write_text(f"w1\tw2\t3\nw1\tw3\t{rating}\n")
    with pytest.raises(BadInput, match=f"EN-RG-65.txt, line 2: '{rating}' is no"):
        words(table(tmp_path / "t.txt"), data=data, sets=("rg65",))


@pytest.mark.parametrize("file", ["sim/EN-RG-65.txt", "analogy/questions-words.txt", "categories/essli-2008.tsv"])
def test_an_empty_file_is_refused_by_its_name(tmp_path, data, file):
    (data / file).write_text("category\tword\n" if file.startswith("cat") else "\n")
    done = wordworth("study", "words", "--model", table(tmp_path / "t.txt"), "--data", data, "--out", tmp_path / "run")
    assert done.code == 2
    assert f"{file}, line 1: this file is empty" in re.sub(r"\s+", " ", done.err)
