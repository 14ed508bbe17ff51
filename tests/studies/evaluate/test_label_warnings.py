"""Warnings about labels and predictions whose scores may mislead."""

from tests.tasks.reading.test_question_files import lines

from wordworth.studies.evaluate import evaluate


def warnings_of(tmp_path, gold, said, **options):
    data = lines(tmp_path / "both.jsonl", [{"gold": g, "prediction": s} for g, s in zip(gold, said, strict=True)])
    return {each.name: each for each in evaluate(data, draws=100, **options).warnings}


def test_predictions_of_classes_that_no_label_has_are_told_once(tmp_path):
    found = warnings_of(tmp_path, ["a", "b", "c"] * 10, ["a", "B", "C"] * 10)
    assert list(found) == ["warning.unknown_classes"]
    assert "2 of the 3 classes among the predictions never occur among the labels" in found.popitem()[1].text
    assert not warnings_of(tmp_path, ["a", "b", "c"] * 10, ["a", "b", "a"] * 10)


def test_it_holds_for_several_labels_and_for_tags_but_not_for_amounts(tmp_path):
    found = warnings_of(tmp_path, [["a"], ["a", "b"], []] * 10, [["x"], ["a"], []] * 10)
    assert found["warning.unknown_classes"].numbers["example"] == "x"
    found = warnings_of(tmp_path, [["B-X", "O"], ["O", "O"]] * 10, [["B-Y", "O"], ["O", "O"]] * 10)
    assert found["warning.unknown_classes"].numbers["example"] == "B-Y"
    assert not warnings_of(tmp_path, [at / 7 for at in range(30)], [at / 6 for at in range(30)])


def test_a_macro_f1_of_classes_with_one_or_two_rows_is_not_to_be_relied_on(tmp_path):
    gold = ["a", "b"] * 20 + ["c"] * 2
    assert warnings_of(tmp_path, gold, gold)["warning.rare_classes"].numbers == {"rare": 1, "classes": 3}
    predicted = ["b", *gold[1:]]
    assert not warnings_of(tmp_path, gold, predicted, metric="accuracy")
    assert not warnings_of(tmp_path, [*gold, "c"], [*predicted, "c"])
