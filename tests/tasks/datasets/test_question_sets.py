"""SQuAD's files: questions, answers at their offsets, and what happens where they are not."""

import pytest
from tests.tasks.datasets.data_folder import DATA, needs

from wordworth.errors import BadInput
from wordworth.tasks.datasets import find_dataset_spec


@pytest.mark.parametrize("former", ["new_wiki", "nyt", "reddit", "amazon_reviews"])
def test_sets_of_squadshifts_go_by_their_published_names_too(former) -> None:
    assert find_dataset_spec(former).name.startswith("squadshifts_")
    assert find_dataset_spec(former).layouts[0].names("test") == (f"{former}_v1.0.json",)


@pytest.mark.parametrize(
    ("name", "part", "questions", "answers", "unanswerable"),
    [
        ("squad1", "dev", 10_570, 34_726, 0),
        ("squad2", "dev", 11_873, None, 5945),
        ("squadshifts_new_wiki", "test", 7938, 22_794, 0),
        ("squadshifts_amazon", "test", 9885, 27_318, 0),
        ("squadshifts_reddit", "test", 9803, 27_692, 0),
        ("xquad", "test", 1190, 1190, 0),
        ("xquad:de", "test", 1190, 1190, 0),
        ("xquad:zh", "test", 1190, 1190, 0),
    ],
)
def test_the_real_sets_hold_what_was_published(name, part, questions, answers, unanswerable) -> None:
    needs(find_dataset_spec(name).folders[0])
    found = find_dataset_spec(name).parts((part,), DATA)[part]
    counts = [len(one) for one in found.labels]
    assert (len(found), counts.count(0)) == (questions, unanswerable)
    assert answers in {None, sum(counts)}
    assert not found.notes


def test_xquad_has_a_variant_for_each_of_its_languages() -> None:
    assert find_dataset_spec("xquad").layouts[0].names("test") == ("xquad.en.json",)
    assert find_dataset_spec("xquad:de").train_from == "squad1"
    with pytest.raises(BadInput, match="XQuAD has no language 'kl'"):
        find_dataset_spec("xquad:kl")
