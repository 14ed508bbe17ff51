"""Figures in the docs are those of the records behind them."""

import itertools
import json
import math
import re
from pathlib import Path
from statistics import fmean, stdev

import pytest

from wordworth.sentence_formatting import signed as signed_points

DOCS = Path(__file__).parents[1] / "docs"


def record(name):
    return json.loads((DOCS / "records" / f"{name}.json").read_text())


def rows(name, table):
    columns = record(name)["tables"][table]["columns"]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def row(name, table, **wanted):
    (found,) = (one for one in rows(name, table) if wanted.items() <= one.items())
    return found


def spread(found, digits=2):
    return f"{found['median']:.{digits}f} ({found['low']:.{digits}f} to {found['high']:.{digits}f})"


def points(middle, low, high, digits=1):
    return f"{100 * middle:.{digits}f} ({100 * low:.{digits}f} to {100 * high:.{digits}f})"


def pretraining(name, system, beside="float32"):
    return spread(record(name)[f"times_faster_than_{beside}"][f"wordworth {system}"])


def finetuning(task):
    """A line of the table: the Trainer's speed, ours, and what ours is beside the Trainer."""
    found = record("finetune_throughput_amd_mkl")["tasks"][task]
    times, alike = (found[f"times_{name}"]["wordworth"] for name in ("trainer", "like_lengths"))
    speeds = [f"{found['examples_per_second'][name]['median']:.0f}" for name in ("trainer", "wordworth")]
    return f"| {speeds[0]} | {speeds[1]} | {spread(times)} | {spread(alike)} |"


def quality(name, task):
    """Both scores with their deviation over seeds, and their difference with its interval."""
    found = record(name)["tasks"][task]
    both = [[100 * score for score in found["scores"][system]] for system in ("wordworth", "trainer")]
    scores = " | ".join(f"{fmean(some):.1f} ± {stdev(some):.1f}" for some in both)
    return f"{scores} | {points(found['difference'], found['low'], found['high'])}"


def beside(name, ours, peer, digits):
    """Processor seconds and peak memory of ours and of a peer."""
    found = record(name)
    seconds = [spread(found[f"{way}, processor"], digits) for way in (ours, peer)]
    times = [spread(found[f"{ours}, times less processor"], 1), spread(found[f"{ours}, times less peak_gb"])]
    return [*seconds, *times, *(spread(found[f"{way}, peak_gb"]) for way in (ours, peer))]


def pruned_graphs():
    found, ways = record("pruned_graph"), ("ours, as it computes here", "ours, float32", "graph")
    batches, single = (found[f"times as fast, {how}"] for how in ("in batches of 32", "one by one"))
    times = [spread(each[f"{way}, pruned beside {way}"]) for each in (batches, single) for way in ways]
    return [*times, *(spread(each[f"graph beside {way}"]) for each in (batches, single) for way in ways[:2])]


def kernels():
    found = record("dtypes_and_kernels")
    return [
        spread(each) for how in ("in batches of 32", "one by one") for each in found[f"times as fast, {how}"].values()
    ]


def means(name):
    return [f"{value:.2f}" for value in record(name)["geometric_mean"].values()]


def signed(measure, text, part, scale, digits):
    """What going on with biomedical text gains, with its sign; the ends change places where less is better."""
    found = row("domain_mini", "gains", model="biomedical", over="plain", on=text, measure=measure, part=part)
    low, high = sorted(scale * found[name] for name in ("low", "high"))
    return f"{scale * found['gain']:+.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def corpora():
    found = record("corpus_build")
    return f"{found['peak_megabytes'] / 1000:.2f} GB, {found['megabytes_per_core_second']:.1f} MB"


def blimp():
    found = record("blimp_mini")["findings"][0]["numbers"]
    return "{:.1f} % ({:.1f} to {:.1f})".format(*(100 * found[name] for name in ("accuracy", "low", "high")))


def numbers(name, *names):
    found = record(name)["findings"][0]["numbers"]
    return points(*(found[one] for one in names))


def trio(column, scale, digits):
    """The last look of each of the three, in the order of the docs."""
    last = [
        [one for one in rows("trio_again", "looks") if one["architecture"] == each][-1]
        for each in ("bert", "gpt", "bilm")
    ]
    found = [one["unigram"] - one["loss"] if column == "under" else one[column] for one in last]
    return [f"{scale * value:.{digits}f}" for value in found]


def offsets():
    """A line of the table for each set and number of labels."""
    places = "| {set} | {metric} | {labels:,} | {draws} | {plain:.1f} | {gain:+.1f} |"
    return [places.format(**one) for one in record("specialists")["offsets"]]


def taggers():
    """A line of the table for each set and size, and what is said of them together."""
    found = record("taggers")["rows"]
    line = (
        "| `{set}` | {sentences:,} | {draws} | {ours:.1f} | {peer:.1f} | {ahead:+.1f} | {regret:.1f} "
        "| {our_seconds:.1f} | {peer_seconds:.1f} |"
    )
    others = fmean(one["ahead"] for one in found if one["set"] != "conll2003")
    regret = fmean(one["regret"] for one in found)
    return [
        *(line.format(**one) for one in found),
        f"{others:.1f} points ahead on average",
        f"of all rows is {regret:.1f}",
    ]


def regret():
    """The line of all sets and sizes."""
    found, other = record("choice_regret"), "regret_beside_the_best_of_other_draws"
    each = [f"{found[f'{kind}_{name}']:.2f}" for name in ("regret", other) for kind in ("mean", "largest")]
    return [f"| all | {found['cells_of_sets_and_sizes']} | {' | '.join(each)} |"]


def specialists():
    """A line of the tables for each set and number of labels that TF-IDF was compared on."""
    places = "| {set} | {metric} | {draws} | {plain:.1f} |"
    beside = [one for name in ("specialists_tfidf", "specialists_tfidf_500") for one in record(name)["beside"]]
    ends = [f"| {one['score']:.1f} | {one['to_plain']:+.1f} | {one['difference']:+.1f} |" for one in beside]
    return [*(places.format(**one) for one in beside), *ends]


def before_after():
    """The ratios of each command, in processor seconds and by the clock."""
    commands = record("before_after")["commands"].values()
    return [" | ".join(spread(each[unit]["times_faster"]) for unit in ("processor", "clock")) for each in commands]


def pretraining_on_a_gpu(length):
    """The speed of each system, its share of the peak and its ratio to transformers, as in a line of the table."""
    found = record(f"pretrain_gpu_{length}")
    ratios = {name: exact(ratio).removesuffix(" (1 to 1)") for name, ratio in found["times_faster"].items()}
    shares = {name: math.floor(1000 * share) / 10 for name, share in found["share_of_peak"].items()}
    return [
        f"| {int(speed):,} | {shares[name]} % | {ratios[name]}" for name, speed in found["tokens_per_second"].items()
    ]


def finetuning_on_a_gpu():
    found = record("finetune_gpu")
    each = [f"{found['examples_per_second'][name]['median']:g} | " for name in found["seconds"]]
    beside = [found[f"times_trainer_{dtype}"] for dtype in ("float32", "bfloat16")]
    return [*each, *(" | ".join(exact(one[name]) for one in beside) for name in found["seconds"] if "word" in name)]


def encoding_on_a_gpu():
    found = record("encode_gpu")
    ratios = [found[name] for name in found if name.startswith("times_faster")]
    ours = [" | ".join(exact(one[name]) for one in ratios) for name in found["seconds"] if "word" in name]
    return [*ours, *(f"| {int(speed):,} |" for speed in found["texts_per_second"].values())]


def exact(found):
    """A spread as the record has it, nothing rounded."""
    return f"{found['median']:g} ({found['low']:g} to {found['high']:g})"


BENCHMARKS = {
    "pretraining on a GPU": lambda: [*pretraining_on_a_gpu(128), *pretraining_on_a_gpu(512)],
    "fine-tuning on a GPU": finetuning_on_a_gpu,
    "encoding on a GPU": encoding_on_a_gpu,
    "probes over attention": lambda: beside("dependency_probe", "ours", "maps kept", 1),
    "trees in vectors": lambda: beside("syntax_speed", "ours", "as published", 1),
    "the search for nearest contexts": lambda: beside("nearest_contexts", "ours", "scikit-learn", 2),
    "pruned graphs": pruned_graphs,
    "number types and kernels": kernels,
    "before and after": before_after,
    "regret of choices": regret,
    "beside a specialist": specialists,
    "pretraining, float32": lambda: [pretraining("pretrain_throughput", "float32")],
    "pretraining, bfloat16": lambda: [pretraining("pretrain_throughput", "bfloat16")],
    "pretraining, both in bfloat16": lambda: [pretraining("pretrain_throughput", "bfloat16", "autocast")],
    "pretraining, an AMD": lambda: [pretraining("pretrain_throughput_amd", each) for each in ("float32", "bfloat16")],
    "pretraining, MKL at its best": lambda: [
        pretraining("pretrain_throughput_amd_mkl", each) for each in ("float32", "bfloat16")
    ],
    "fine-tuning, by task": lambda: [finetuning(task) for task in ("cola", "sst2", "mrpc", "rte", "stsb", "conll2003")],
    "fine-tuning, the Trainer at its best": lambda: means("finetune_throughput_amd_mkl"),
    "fine-tuning, as MKL comes": lambda: means("finetune_throughput_amd"),
    "fine-tuning, an Intel": lambda: means("finetune_throughput"),
    "scores beside the Trainer's": lambda: [
        quality("finetune_quality", task) for task in ("cola", "sst2", "stsb", "mrpc")
    ],
    "RTE beside the Trainer": lambda: [quality("finetune_quality_rte", "rte")],
    "BLiMP": lambda: [blimp()],
    "pretrained less fresh": lambda: [numbers("downstream_mini", "gain", "low", "high")],
    "SQuAD": lambda: [numbers("squad1_minilm", "mean", "low", "high")],
    "domain, bits": lambda: [signed("bits per character", "biomedical", "held-out", -1, 3)],
    "domain, entities": lambda: [signed("entity F1", each, "test", 100, 1) for each in ("ncbi_disease", "bc5cdr")],
    "corpora": lambda: [corpora()],
    "offsets of classes": offsets,
    "taggers": taggers,
    "trio, nats": lambda: [", ".join(trio("under", 1, 2))],
    "trio, right": lambda: [" %, ".join(trio("right", 100, 1)) + " %"],
}


def plans():
    """A line of the table for each set, and the ratios of what was planned to what was found."""
    compared_sets = record("plan")["rows"]
    lines = [
        f"| `{row['set']}` | `{row['cheap']}`, `{row['contextual']}` | {100 * row['disagreement']:.1f} % "
        + "".join(f"| {100 * row[name]:.2f} " for name in ("planned", "actual", "actual_of_compared"))
        + "|"
        for row in compared_sets
    ]
    same, compared = (
        [round(row["planned"] / row[name], 2) for row in compared_sets] for name in ("actual", "actual_of_compared")
    )
    two, several = sorted(same)[:3], sorted(same)[3:]
    return [
        *lines,
        f"{two[0]} to {two[-1]} times as wide",
        f"{several[0]} and {several[1]} times",
        f"{min(compared)} to {max(compared)} times as wide",
    ]


def test_what_was_planned_and_found_is_that_of_its_record():
    page = (DOCS / "validity.md").read_text(encoding="utf-8")
    assert [text for text in plans() if text not in page] == []


@pytest.mark.parametrize("figure", BENCHMARKS)
def test_a_figure_of_the_benchmarks_is_that_of_its_record(figure):
    files = [DOCS / "benchmarks.md", *(DOCS / "benchmarks").glob("*.md")]
    pages = " ".join(word for page in files for word in page.read_text("utf-8").split())
    missing = [text for text in BENCHMARKS[figure]() if text not in pages]
    assert not missing


def minus(value, digits=1):
    """A change of a score in points, with a true minus sign."""
    written = f"{100 * value:+.{digits}f}"
    return (written if written.strip("+-0.") else written.lstrip("+-")).replace("-", "−")


def test_what_pruning_costs_is_that_of_the_record():
    text = (DOCS / "heads.md").read_text()
    curves = rows("heads_minilm", "curves")
    for order, name in (
        ("importance", "least important first"),
        ("by position", "by position"),
        ("gates", "by learned gates"),
        ("reverse", "most important first"),
    ):
        changes = [minus(one["change"]) for one in curves if one["order"] == order]
        assert f"| {name} | {' | '.join(changes)} |" in text


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("29 heads removed", "29 heads removed (40 %)"),
        ("43 heads removed", "43 heads removed (60 %)"),
        *((f"first {layers} layers", f"first {layers} layers") for layers in (5, 4, 3)),
    ],
)
def test_smaller_models_are_those_of_the_record(model, name):
    found = row("heads_minilm", "frontier", model=model)
    change = f"{minus(found['change'])} ({minus(found['low'])} to {minus(found['high'])})"
    line = f"| {name} | {100 * found['score']:.1f} | {change} | {found['speedup_32']:.2f}"
    assert line in (DOCS / "heads.md").read_text()


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("MiniLM, layer 3 of 6", {"source": "model", "chosen": True}),
        ("another seed", {"source": "another seed"}),
        ("input layer", {"source": "model", "layer": 0}),
        ("last layer", {"source": "model", "layer": 6}),
        ("random weights, best layer", {"source": "random weights", "chosen": True}),
        ("linear chain", {"source": "linear chain"}),
        ("lengths not squared", {"source": "lengths not squared"}),
        ("control trees", {"source": "control trees"}),
        ("shuffled vectors", {"source": "shuffled vectors"}),
    ],
)
def test_trees_in_vectors_are_those_of_the_record(name, wanted):
    cells = []
    for probe in ("distance", "depth"):
        found = row("syntax_minilm", "probes", probe=probe, **wanted)
        ends = [100 * found[f"share_{end}"] for end in ("low", "high")]
        share = f"{100 * found['share']:.1f}"
        cells.append((share, f"{share} ({ends[0]:.1f} to {ends[1]:.1f})"))
        cells.append((f"{found['correlation']:.2f}",))
    lines = [f"| {name} | " + " | ".join(each) + " |" for each in itertools.product(*cells)]
    assert any(line in (DOCS / "syntax.md").read_text(encoding="utf-8") for line in lines), lines[-1]


@pytest.mark.parametrize(
    ("name", "compared"),
    [
        (
            "syntax_minilm",
            {
                "distance": (
                    "linear chain",
                    "random weights",
                    "input layer",
                    "last layer",
                    "lengths not squared",
                    "control trees",
                    "another seed",
                ),
                "depth": ("lengths not squared",),
            },
        ),
        ("syntax_mini", {"distance": ("linear chain", "random weights"), "depth": ("random weights",)}),
    ],
)
def test_leads_of_the_best_layer_are_those_of_the_record(name, compared):
    text = (DOCS / "syntax.md").read_text(encoding="utf-8") + (DOCS / "inside-findings.md").read_text(encoding="utf-8")
    text = " ".join(text.split())
    for probe, other in ((probe, other) for probe, others in compared.items() for other in others):
        found = row(name, "differences", probe=probe, measure="share", other=other)
        middle, low, high = (minus(found[column]) for column in ("gap", "low", "high"))
        assert re.search(
            rf"{re.escape(middle)}( points| of roots|)( of edges|) \({re.escape(low)} to {re.escape(high)}\)", text
        ), (probe, other)


def change_of(found):
    """A change with the interval that decides about it, as tables in the docs have it."""
    low, high = (signed_points(found[f"corrected_{end}"]) for end in ("low", "high"))
    return f"{signed_points(found['change'])} ({low} to {high})"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("bfloat16", "bfloat16"),
        ("int8", "int8"),
        *((f"first {layers} layers", f"first {layers} layers") for layers in (5, 4, 3)),
        ("14 heads removed", "14 heads removed"),
        ("29 heads removed", "29 heads removed"),
        ("student3", "student of 3 layers"),
        ("static table", "static table"),
    ],
)
def test_what_shrinking_costs_is_that_of_the_record(model, name):
    found = row("shrink_sst2", "models", model=model)
    size, enough = f"{found['bytes'] / 1e6:.0f}", ENOUGH[found["within"]]
    line = f"| {name} | {size} | {100 * found['score']:.1f} | {change_of(found)} | {enough}"
    assert line in (DOCS / "shrinking.md").read_text()


ENOUGH = {"yes": "enough", "no": "costs more", "cannot tell": "cannot tell"}


@pytest.mark.parametrize("form", ["first 192 numbers", "int8", "bits rescored", "bits"])
def test_what_smaller_vectors_cost_is_that_of_the_records(form):
    sts, trec = (row(name, "vectors", vectors=form) for name in ("shrink_sts", "shrink_trec"))
    line = f"| {form} | {sts['bytes']} | {change_of(sts)} | {change_of(trec)} |"
    assert line in (DOCS / "shrinking.md").read_text()


def share_of(found):
    """A share in percent with its interval."""
    return f"{100 * found[0]:.1f} % ({100 * found[1]:.1f} to {100 * found[2]:.1f})"


def test_all_of_codah_is_that_of_the_record():
    text = " ".join((DOCS / "commonsense.md").read_text(encoding="utf-8").split())
    scores = {each["method"]: each for each in rows("commonsense_mini_codah", "scores")}
    whole, piece, alone = (scores[name] for name in ("likelihood", "likelihood a piece", "ending alone, a piece"))
    ends = [f"{100 * each['low']:.1f} to {100 * each['high']:.1f}" for each in (whole, piece)]
    begins = (
        f"Of all its {whole['items']:,} items, of four endings each, `mini` has {100 * whole['accuracy']:.1f} % right"
    )
    assert f"{begins} ({ends[0]}; a piece {100 * piece['accuracy']:.1f} %, {ends[1]}; guessing 25 %)" in text
    assert f"have {share_of([alone[name] for name in ('accuracy', 'low', 'high')])} a piece" in text
    gap = row("commonsense_mini_codah", "differences", method="likelihood", other="random weights")
    low, high = (f"{100 * gap[name]:.1f}" for name in ("low", "high"))
    assert f"{signed_points(gap['difference'])} points, {low} to {high}" in text


@pytest.mark.parametrize(
    ("title", "name"),
    [("DPR, test", "dpr_test"), ("WSC-273", "wsc273"), ("PDP-60", "pdp60"), ("Winogender", "winogender")],
)
def test_what_fine_tuning_on_dpr_gives_is_that_of_the_record(title, name):
    found = record("pronouns")["sets"][name]
    shares = [
        f"{100 * each['share']:.1f} ({100 * each['low']:.1f} to {100 * each['high']:.1f})"
        for each in (found["before"], *found["after"])
    ]
    changes = ", ".join(signed_points(each["change"]) for each in found["changes"])
    least = min(each["p"] for each in found["changes"])
    cells = [title, f"{found['before']['items']}", f"{100 * found['chance']:.0f}", *shares, changes, f"{least:.2f}"]
    assert f"| {' | '.join(cells)} |" in (DOCS / "commonsense.md").read_text(encoding="utf-8")


def test_what_cosines_are_made_of_is_that_of_the_record_of_pairs():
    text = " ".join((DOCS / "similarity.md").read_text("utf-8").split())
    by_kind = {each["kind"]: each for each in rows("similarity_minilm", "kinds")}
    whole = by_kind["cosine"]
    assert f"the mean cosine is {whole['mean']:.2f}; random pairs have {whole['random']:.2f}" in text
    for kind in ("cosine", "same words", "different words", "special tokens"):
        gap, low, high = (by_kind[kind][name] for name in ("gap", "gap_low", "gap_high"))
        assert f"{gap:.2f} ({low:.2f} to {high:.2f})" in text
    untrained = row("similarity_minilm", "random_weights", kind="cosine")
    assert f"with random weights the difference is {untrained['gap']:.2f}" in text
    assert not record("similarity_minilm")["tables"].keys() & {"pairs", "words", "cells"}  # the sentences are not ours


def test_what_adversarial_filtering_does_is_that_of_the_record():
    seeds = record("filtering")["seeds"]
    assert all(seed["human endings kept"] for seed in seeds)
    for page in ("commonsense", "inside-findings"):
        text = " ".join((DOCS / f"{page}.md").read_text(encoding="utf-8").split())
        for which in (0, -1):
            ends = [share_of([seed["rounds"][which][name] for name in ("accuracy", "low", "high")]) for seed in seeds]
            assert f"{ends[0]}, {ends[1]} and {ends[2]}" in text


@pytest.mark.parametrize(
    ("model", "ends", "said"),
    [
        ("minilm", "−12.4 to −6.5", "single ablations {} points beside importance ({})"),
        ("mini", "−4.4 to +1.7", "{} ({})"),
    ],
)
def test_the_order_of_single_ablations_is_that_of_its_record(model, ends, said):
    name = f"heads_{model}_by_ablation"
    (found,) = (each for each in record(name)["findings"] if each["name"] == "orders")
    alone = signed_points(found["numbers"]["by ablation"])
    assert f"by what each head alone costs {alone} (95 %: {ends})" in found["text"]
    score = f"{100 * row(name, 'frontier', model='whole')['score']:.1f} %"
    assert score in (DOCS / "heads.md").read_text("utf-8")
    for page in ("heads", "inside-findings"):
        assert said.format(alone, ends) in (DOCS / f"{page}.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["mr", "subj", "ag_news"])
def test_the_table_of_cascades_is_that_of_its_record(name):
    found = record("cascade")["sets"][name]
    page = (DOCS / "benchmarks" / "serving-and-search.md").read_text("utf-8")
    (line,) = (line for line in page.splitlines() if line.startswith(f"| `{name}` | "))
    low, high = (signed_points(found[end]) for end in ("low", "high"))
    assert f"{signed_points(found['change'])} ({low} to {high})" in line
    assert f"| {100 * (1 - found['measured_share']):.0f} % |" in line
    for way in ("in batches", "one by one"):
        assert spread(found[f"times as fast, {way}"]) in line


@pytest.mark.parametrize(
    ("target", "transfer"),
    [
        *((target, transfer) for target in ("copa", "story endings") for transfer in ("snli", "mc-nli")),
        *((target, "snli") for target in ("codah", "dream", "hellaswag")),
    ],
)
def test_gains_of_staged_transfer_are_those_of_the_record(target, transfer):
    by = {
        each["control"]: each
        for each in rows("staged_transfer", "gains")
        if (each["target"], each["transfer"]) == (target, transfer)
    }
    alone, gains = by["target alone"], [by[name] for name in ("target alone", "shuffled labels", "more updates")]
    cells = [
        {"copa": "COPA", "codah": "CODAH", "dream": "DREAM", "hellaswag": "HellaSwag"}.get(target, target),
        {"snli": "SNLI", "mc-nli": "its choices"}[transfer],
        points(*(alone[name] for name in ("staged", "low", "high"))),
        *(
            f"{signed_points(each['gain'])} ({signed_points(each['gain_low'])} to {signed_points(each['gain_high'])})"
            for each in gains
        ),
        points(*(by["options only"][f"control_{name}"] for name in ("mean", "low", "high"))),
    ]
    assert f"| {' | '.join(cells)} |" in (DOCS / "staged-transfer.md").read_text(encoding="utf-8")


def test_languages_of_tags_and_of_translations():
    """The lines of both tables, from their records."""
    page = (DOCS / "languages-findings.md").read_text()

    def changed(found, name):
        value, low, high = (f"{signed_points(found[each])}" for each in (name, f"{name}_low", f"{name}_high"))
        return f"{value} ({low} to {high})"

    for found in rows("languages_translations_minilm", "languages"):
        name = {"fra": "French", "deu": "German", "fin": "Finnish", "jpn": "Japanese"}.get(found["language"])
        each = (
            row("languages_translations_minilm", "retrieval", language=found["language"], system=system)
            for system in ("sentence vectors", "chosen layer", "input layer", "random weights", "character n-grams")
        )
        cells = " | ".join(f"{100 * one['forward']:.1f}, {100 * one['backward']:.1f}" for one in each)
        if name is not None:
            assert f"| {name} | {cells} | {changed(found, 'above_characters')} |" in page
    for language, name in {
        "en_pud": "English",
        "pt_pud": "Portuguese",
        "sv_pud": "Swedish",
        "zh_pud": "Chinese",
    }.items():
        scores = row("languages_tags_minilm", "languages", language=language)
        own, spellings, german = (f"{100 * scores[each]:.1f}" for each in ("own", "characters", "zero_shot"))
        cells = f"{own} | {spellings} | {changed(scores, 'ahead')} | {german} | {changed(scores, 'gap')}"
        assert f"| {name} | {cells} |" in page


def test_what_the_shipped_parser_tells_of_arc_lengths():
    page = (DOCS / "syntax.md").read_text("utf-8")
    for name, figures in record("arc_lengths")["treebanks"].items():
        cells = [
            "{value:.2f} ({low:.2f} to {high:.2f})".format(**figures[measure][kind]).replace("-", "−")
            for kind in ("correlation", "beyond_length")
            for measure in ("parser", "clauses")
        ]
        assert f"| {name} | {figures['measured']:,} | {' | '.join(cells)} |" in page


def test_the_example_of_pruning_is_that_of_its_record():
    page = " ".join((DOCS / "heads.md").read_text("utf-8").split())
    whole, smaller = rows("prune_mini", "models")
    assert f"accuracy is {100 * smaller['score']:.1f} % in place of {100 * whole['score']:.1f}" in page
    ends = (signed_points(smaller[end]) for end in ("change", "low", "high"))
    assert "{} points ({} to {})".format(*ends) in page
    of_29 = {each["order"]: each["change"] for each in rows("heads_minilm", "curves") if each["pruned"] == 29}
    drawn = sorted(-100 * change for order, change in of_29.items() if order.startswith("random"))
    assert f"29 of 72 heads cost {-100 * of_29['importance']:.1f} points" in page
    assert f"of as many cost {drawn[0]:.1f} to {drawn[-1]:.1f}" in page


@pytest.mark.parametrize("record", ["crossmodal_digits", "crossmodal_single_digits", "crossmodal_strings"])
def test_the_tables_of_words_beside_codes_are_those_of_their_records(record):
    lines = (DOCS / "symbols.md").read_text("utf-8").splitlines()
    own = lines[next(number for number, line in enumerate(lines) if f"records/{record}.json" in line) :]
    for score in rows(record, "scores"):
        line = next(line for line in own if line.startswith(f"| {score['measure']} | "))
        whole = score["system"] == "trained on pairs"
        assert (
            points(score["value"], score["low"], score["high"]) if whole else f"| {100 * score['value']:.1f} |"
        ) in line


def test_the_table_of_codebooks_is_that_of_its_record():
    page = (DOCS / "symbols.md").read_text("utf-8")
    record = json.loads((DOCS / "records" / "crossmodal_codebooks.json").read_text("utf-8"))
    for found in (*record["codebooks"], {"codebook": "chosen by fold", "codes": "", "tests": record["tests"]}):
        bits, first, five = found["tests"]
        told = f"{bits['difference']:.2f} ({bits['difference_low']:.2f} to {bits['difference_high']:.2f})"
        cells = [found["codebook"].replace("x", " × "), str(found["codes"]), told]
        for each in (first, five):
            ends = (signed_points(each[f"difference{end}"]) for end in ("", "_low", "_high"))
            cells += [f"{100 * each['by_word']:.1f}", "{} ({} to {})".format(*ends)]
        assert f"| {' | '.join(cells)} |" in page


def best_of(rungs, *, contextual):
    """The rung with the highest score, as a cell of a table."""
    best = max((one for one in rungs if one["contextual"] == contextual), key=lambda one: one["score"] or 0)
    return f"`{best['rung']}` {points(best['score'], best['low'], best['high'])}"


@pytest.mark.parametrize("kind", ["ladder", "quick"])
def test_the_tables_of_worth_in_other_languages_are_those_of_the_record(kind):
    page = (DOCS / "languages-findings.md").read_text("utf-8")
    for found in record("worth_languages")[kind]:
        seconds = f"{found['seconds']}"
        if kind == "ladder":
            (ours,) = (one for one in found["rungs"] if one["rung"] == "tfidf")
            cells = [f"{found['rows']:,}", points(ours["score"], ours["low"], ours["high"]), seconds]
        else:
            best = (best_of(found["rungs"], contextual=contextual) for contextual in (False, True))
            unknown = f"{100 * found['unknown']['minilm']:.1f}"
            cells = [f"{found['rows']:,}", found["answer"], *best, unknown, seconds]
        assert f"| {found['set']} | {' | '.join(cells)} |" in page


def test_the_pieces_of_questions_are_those_of_the_record():
    page = (DOCS / "languages-findings.md").read_text("utf-8")
    names = {"en": "English", "de": "German", "es": "Spanish", "ru": "Russian", "ar": "Arabic", "zh": "Chinese"}
    for found in rows("languages_questions_minilm", "languages"):
        pieces = row("languages_questions_minilm", "pieces", language=found["language"])
        name, own = names[found["language"]], points(*(found[f"own{end}"] for end in ("", "_low", "_high")))
        beginning = f"| {name} | {found['served']} | {own} | "
        (line,) = (line for line in page.splitlines() if line.startswith(beginning))
        assert f" | {points(*(found[f'characters{end}'] for end in ('', '_low', '_high')))} | " in line
        assert line.endswith(f" | {pieces['per_word']:.2f} | {100 * pieces['unknown']:.1f} |")
