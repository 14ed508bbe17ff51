"""Adversarial filtering of HellaSwag's contexts and human endings: the discriminator's accuracy round by round.

    python benchmarks/filtering.py --rounds 10 --seeds 3 --out figures.json

As in `wordworth study commonsense --data hellaswag --filter-rounds 10`: 2,000 items, three endings of a trigram sampler
beside the human one, a new discriminator a round. Accuracy is on the half of the items that it did not learn from, with
exact intervals; guessing is 25 %.
"""

from __future__ import annotations

from measure import arguments, report
from wordworth.cli.scripts import run_script
from wordworth.measures.binomial import exact_interval
from wordworth.progress import STILL
from wordworth.studies.commonsense.adversarial_filtering import Round, filtered_sets
from wordworth.studies.commonsense.read_data_sets import read_sets


def figures(done: Round) -> dict[str, float]:
    """Return the figures of a round."""
    interval = exact_interval(done.right, done.items)
    shares = {"accuracy": done.right / done.items, "low": interval.low, "high": interval.high}
    return {"items": done.items, "right": done.right, **shares, "replaced": done.replaced}


def main() -> None:
    """Filter with each seed."""
    options = arguments(__doc__, rounds=10, seeds=3)
    (items,) = read_sets(["hellaswag"])
    seeds, human = [], {item.options[item.answer] for item in items.items}
    for seed in range(options.seeds):
        versions, rounds = filtered_sets(items, options.rounds, seed, STILL)
        is_kept = all(item.options[item.answer] in human for each in versions for item in each.items)
        seeds.append({"rounds": [figures(each) for each in rounds], "human endings kept": is_kept})
    report({"seeds": seeds, "rounds": options.rounds}, options.out)


if __name__ == "__main__":
    run_script(main)
