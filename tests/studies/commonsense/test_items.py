"""Items and their draw."""

import numpy as np

from wordworth.studies.commonsense.items import Choice, ChoiceSet


def test_each_option_stands_in_its_place():
    assert Choice("I saw ", ("a", "the"), " dog.", 0).texts == ["I saw a dog.", "I saw the dog."]


def test_a_draw_has_so_many_of_each_paradigm_in_the_order_of_the_file():
    items = [Choice("", (str(n), "x"), "", 0, paradigm="ab"[n % 2]) for n in range(20)]
    drawn = ChoiceSet("s", "pairs", items, "", "", 20).sample(3, np.random.default_rng(0)).items
    assert [sum(item.paradigm == name for item in drawn) for name in "ab"] == [3, 3]
    places = [items.index(item) for item in drawn]
    assert places == sorted(places)
    assert len(ChoiceSet("s", "pairs", items, "", "", 20).sample(99, np.random.default_rng(0)).items) == 20
