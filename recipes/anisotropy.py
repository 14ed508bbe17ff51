"""What does a penalty on anisotropy do to a model's geometry, and to what the model is good for?

    python recipes/anisotropy.py train STORE --held-out STORE --out runs/ --tokens 60000000 [--device cuda]
    WORDWORTH_DATA=DATA python recipes/anisotropy.py study --out runs/ [--sentences sts] [--limit 5000]

BERTs with and without the ingredient `anisotropy` (`wordworth.training.objectives.anisotropy`) read the same sequences
in the same order, for each of several seeds. STORE is a folder that `wordworth pretrain` or `build_store` made. Runs
that are done are kept, and the same command started several times over shares them out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from parts.matched import Variant, arguments, done, train
from wordworth.cli.scripts import run_script

WEIGHTS = ("0", "0.1", "1")
ARMS = tuple(
    Variant(f"penalty-{weight}", "bert", ("init_neighbour_heads=yes", f"anisotropy={weight}")) for weight in WEIGHTS
)
"""The arms. All start with heads that attend to neighbours, as they would otherwise stay bags of words all the run."""


NONE = ARMS[0].name
TOLD = ("baseline", "self_similarity_adjusted", "self_similarity_centred", "between_words", "iso_score", "top_share")
GAPS = {
    "arm": "models with the penalty, its weight in the name",
    "measure": "see the table `measures`; or `held_out_loss`, nats a masked piece; or a probe",
    "layer": "of a measure of the geometry; null of the others",
    "without": "mean over trainings without the penalty",
    "with": "mean over trainings with it",
    "gap": "the difference, paired by seed",
    "low": "lower end of its 95 % interval, over trainings and words, sentences or test rows",
    "high": "upper end of it",
    "trainings": "pairs of them",
}


def main() -> None:
    chosen = arguments(__doc__, ARMS)
    if chosen.stage == "train":
        train(chosen, ARMS)
    else:
        study(chosen)


def study(chosen: argparse.Namespace) -> None:
    """Measure geometry, held-out loss and probes with and without the penalty, paired by seed; write the record."""
    from dataclasses import asdict

    from parts.context_matched import LAYERS, layers
    from parts.context_runs import MEANINGS, curves
    from parts.probes import PROBES, probed
    from wordworth.cli.progress_bars import Bars
    from wordworth.records import Finding, Record, Table
    from wordworth.studies.contextuality.read_sentences import read_sentences
    from wordworth.studies.contextuality.settings import ContextSettings
    from wordworth.studies.contextuality.study import describe_sentences, read_layers, reader
    from wordworth.studies.study import environment

    trained, bars = done(chosen.out, [each for each in ARMS if list(chosen.out.glob(f"{each.name}-[0-9]*"))]), Bars()
    settings = ContextSettings(limit=chosen.limit, units=chosen.units, first=chosen.first)
    read = read_sentences(chosen.sentences, settings.text, settings.limit, settings.seed)
    measured = {
        name: [curves(read_layers(reader(str(folder), settings), read, settings, bars)[0]) for folder, _ in runs]
        for name, runs in trained.items()
    }
    probes = {name: [probed(folder) for folder, _ in runs] for name, runs in trained.items()}
    facts = {name: [facts for _, facts in runs] for name, runs in trained.items()}
    gaps = [row for name in trained if name != NONE for row in differences(name, measured, probes, facts)]
    record = Record(
        kind="anisotropy",
        settings=asdict(settings) | {"probes": {name: meaning for name, (_, _, meaning) in PROBES.items()}},
        data=describe_sentences(read),
        tables={
            "gaps": Table.of(gaps, GAPS),
            "layers": Table.of(list(layers(measured, settings.seed)), LAYERS),
            "training": Table.of(
                [row for rows in facts.values() for row in rows],
                dict.fromkeys(facts[NONE][0], "as the training reported"),
            ),
            "measures": Table.of(
                [{"measure": name, "meaning": meaning} for name, meaning in MEANINGS.items()],
                {"measure": "its name", "meaning": "what it is"},
            ),
        },
        findings=[Finding("verdict", verdict(gaps), {"arms": list(trained)})],
        environment=environment(threads=1),
    )
    record.save(chosen.out / "anisotropy.json")
    print(record.verdict)


def differences(
    name: str,
    measured: Mapping[str, Sequence[Mapping[str, Any]]],
    probes: Mapping[str, Sequence[dict[str, Any]]],
    facts: Mapping[str, Sequence[Mapping[str, Any]]],
) -> Iterator[dict[str, Any]]:
    """Yield the changes that the penalty makes, a row for each measure and layer, over the seeds that both arms have.

    Args:
        name: the arm with the penalty.
        measured: arm -> for each training run, measure -> its curve over the layers.
        probes: arm -> for each training run, the outputs of the probes.
        facts: arm -> for each training run, its facts, such as tokens and held-out loss.
    """
    from parts.context_runs import at, minus, over_trainings
    from parts.probes import PROBES, scored
    from parts.scored import Scored

    numbers = {arm: {training["seed"]: number for number, training in enumerate(facts[arm])} for arm in (NONE, name)}
    pairs = [(number, numbers[name][seed]) for seed, number in numbers[NONE].items() if seed in numbers[name]]
    for measure, first in measured[NONE][0].items():
        each = [
            (measured[NONE][a][measure], measured[name][b][measure]) for a, b in pairs if measure in measured[name][b]
        ]
        for layer in range(len(first.value)):
            _, span = over_trainings([minus(new, old) for old, new in each], at(layer), 0)
            means = [float(np.mean([training.value[layer] for training in side])) for side in zip(*each, strict=True)]
            yield row(name, measure, layer, means, (span.low, span.high), len(each))
    losses = np.array(
        [[facts[arm][p]["held_out"]["mlm"] for arm, p in zip((NONE, name), pair, strict=True)] for pair in pairs]
    )
    yield row(
        name, "held_out_loss", None, losses.mean(axis=0).tolist(), student(losses[:, 1] - losses[:, 0]), len(pairs)
    )
    for probe in PROBES:
        old, new = (scored(probe, [probes[arm][p[side]] for p in pairs]) for side, arm in enumerate((NONE, name)))
        gap: Scored = new.minus(old)
        yield row(name, probe, None, [old.mean, new.mean], (gap.interval.low, gap.interval.high), len(pairs))


def row(
    arm: str, measure: str, layer: int | None, means: Sequence[float], span: tuple[float, float], pairs: int
) -> dict[str, Any]:
    values = (arm, measure, layer, *means, means[1] - means[0], *span, pairs)
    return dict(zip(GAPS, values, strict=True))


def student(gaps: np.ndarray) -> tuple[float, float]:
    """Return the 95 % interval of a mean by Student's t; infinite for one pair."""
    from scipy import stats

    if len(gaps) < 2:
        return -float("inf"), float("inf")
    reach = stats.t.ppf(0.975, len(gaps) - 1) * gaps.std(ddof=1) / len(gaps) ** 0.5
    return float(gaps.mean() - reach), float(gaps.mean() + reach)


def verdict(gaps: Sequence[Mapping[str, Any]]) -> str:
    """Return sentences on the last layer's geometry, the loss and the probes of each arm."""
    last = max(gap["layer"] for gap in gaps if gap["layer"] is not None)
    kept = [gap for gap in gaps if gap["layer"] is None or (gap["layer"] == last and gap["measure"] in TOLD)]
    arms: dict[str, list[str]] = {}
    for gap in kept:
        where = "" if gap["layer"] is None else f" at layer {last}"
        text = f"{gap['measure']}{where} from {gap['without']:.3f} to {gap['with']:.3f}"
        arms.setdefault(gap["arm"], []).append(f"{text} ({gap['low']:+.3f} to {gap['high']:+.3f})")
    return "\n".join(f"{arm}: {'; '.join(texts)}." for arm, texts in arms.items())


if __name__ == "__main__":
    run_script(main)
