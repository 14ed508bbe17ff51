"""The rules that tag pairs of texts, and the file that the study then reads."""

import csv
import sys

import pytest

import nli_categories
from nli_categories import categories_of
from wordworth.errors import BadInput
from wordworth.tasks.reading.read_task import ReadSettings, read_task


@pytest.mark.parametrize(
    ("first", "second", "categories"),
    [
        ("A man sleeps.", "A man isn't awake", ["negation"]),
        ("A man is n't awake .", "Someone sleeps", ["negation", "quantifier", "low overlap"]),
        ("All dogs bark.", "A dog barked loudly", ["quantifier", "low overlap"]),
        ("There were 12 of them.", "A dozen were there", ["number"]),
        ("The boy met Ann in town.", "The boy saw somebody", ["quantifier", "name"]),
        ("He left. She stayed, and I did.", "They stayed and left", ["high overlap"]),
        ("The dog bit the cat", "The cat bit the dog", ["high overlap"]),
        ("Rain fell.", "", []),
    ],
)
def test_a_pair_has_the_categories_of_its_words(first, second, categories):
    assert categories_of(first, second) == categories


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["nli_categories.py", *map(str, arguments)])
    nli_categories.main()


def test_the_file_that_is_written_is_read_with_its_categories(monkeypatch, tmp_path, capsys):
    path, out = tmp_path / "pairs.csv", tmp_path / "out.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text_a", "text_b", "label"])
        for number in range(80):
            second = "not a dog" if number % 2 else 'a "dog", outside'
            writer.writerow([f"a dog runs {chr(97 + number % 26)} {chr(97 + number // 26)}", second, number // 2 % 2])
    run(monkeypatch, path, "--out", out)
    assert "80 pairs, 40 without a category" in capsys.readouterr().out
    task = read_task(out, ReadSettings(categories=("category",)))
    assert task.columns == ("text_a", "text_b")
    assert task.examples.second[0] == 'a "dog", outside'
    assert {each.name for of_row in task.examples.categories for each in of_row} == {"negation"}
    with pytest.raises(BadInput, match="there is a column 'category' already"):
        run(monkeypatch, out, "--out", tmp_path / "again.csv")
