"""Adversarial filtering: the discriminator has a harder time by rounds, and people's endings stay."""

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.progress import STILL
from wordworth.studies.commonsense.adversarial_filtering import EndingPool, filtered, filtered_sets
from wordworth.studies.commonsense.items import Choice, ChoiceSet

NOUNS = ("dog", "cat", "horse", "bird", "girl", "boy", "man", "woman")


def made_pools(size=200, seed=0):
    """Human endings with `gently`; of the machine's a fifth have it too, the others `zap`."""
    rng = np.random.default_rng(seed)

    def ending(word):
        return f"the {rng.choice(NOUNS)} {word} sees the {rng.choice(NOUNS)} {rng.integers(50)}"

    return [
        EndingPool(ending("gently"), tuple(ending("gently" if at % 5 == 4 else "zap") for at in range(15)))
        for _ in range(size)
    ]


def made_set(size=60, endings=3):
    rng = np.random.default_rng(1)
    items = [
        Choice(
            f"The {rng.choice(NOUNS)} ",
            tuple(f"ran {rng.choice(NOUNS)} {number} home" for number in range(endings)),
            "",
            1,
        )
        for _ in range(size)
    ]
    return ChoiceSet("made", "endings", items, "made.jsonl", "0", size, seed_name="made")


def test_the_accuracy_of_the_discriminator_falls_by_rounds_to_guessing():
    _, rounds = filtered(made_pools(), 3, 6, np.random.default_rng(0))
    shares = [each.right / each.items for each in rounds]
    assert shares[0] > 0.9
    assert shares[-1] < 0.5
    assert rounds[0].replaced > rounds[-2].replaced
    assert rounds[-1].replaced == 0


def test_an_ending_is_replaced_by_a_harder_one_alone_and_none_is_chosen_twice():
    pools = made_pools(40)
    seen = []

    def discriminator(human, machine):
        seen.append((list(human), list(machine)))
        return lambda endings: np.array([float("gently" in each) + len(each) / 1e3 for each in endings])

    chosen, _ = filtered(pools, 3, 20, np.random.default_rng(0), discriminator)
    assert all(len(set(numbers)) == 3 for numbers in chosen.tolist())
    for pool, numbers in zip(pools, chosen.tolist(), strict=True):
        assert all("gently" in pool.machine[at] for at in numbers)
    people = {pool.human for pool in pools}
    assert all(set(human) <= people and len(machine) == 3 * len(human) for human, machine in seen)


def test_people_s_endings_are_kept_in_every_version_as_the_right_ones():
    whole = made_set()
    people = {(item.before, item.options[item.answer]) for item in whole.items}
    versions, rounds = filtered_sets(whole, 3, 0, STILL)
    assert [each.name for each in versions] == ["made, machine's", "made, filtered"]
    assert [each.number for each in rounds] == [0, 1, 2, 3]
    for version in versions:
        assert len(version.items) == 30
        assert {(item.before, item.options[item.answer]) for item in version.items} <= people
        assert all(len(set(item.options)) == 3 for item in version.items)
    assert len({item.answer for item in versions[1].items}) == 3


def test_a_seed_gives_the_same_endings_and_another_seed_others():
    one, two, other = (filtered_sets(made_set(), 2, seed, STILL) for seed in (0, 0, 1))
    assert one == two
    assert one != other


def test_too_few_items_are_refused():
    with pytest.raises(BadInput, match="made: 5 items are too few for a discriminator; give 40 or more"):
        filtered_sets(made_set(5), 2, 0, STILL)
