from wordworth.representations.tag_features import features, shape


def test_a_words_shape_keeps_marks_and_makes_runs_one():
    assert [shape(word) for word in ("McDonald's-42", "USA", "e.g.", "２０")] == ["XxXx'x-9", "X", "x.x.", "9"]


def test_a_word_sees_its_neighbours():
    first, second = features(["New", "York"])
    assert "1:york" in first
    assert "-1:new" in second
    assert "1:york" not in second


def test_no_words_give_no_features():
    assert list(features([])) == []
