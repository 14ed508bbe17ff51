"""The record of the cheap rungs beside a specialist: every pair of scores, what offsets bring, and the means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from statistics import fmean
from typing import Any

Cell = dict[str, Any]


def record(cells: Iterable[Cell]) -> dict[str, Any]:
    """Return the record of all cells: scores in points, differences and means.

    Returns:
        `beside`: a row for each set, number of labels and rung that both sides have answered, means over the draws;
        `offsets`: a row for each set and number of labels, means over the draws; `means`: of the differences of each
        rung, and of the gains.
    """
    every = list(cells)
    beside, gains = pairs(every), offsets(every)
    means = {
        f"{rung}, {labels} labels, {which}": summary([row[which] for row in of_rung])
        for rung in _rungs(beside)
        for labels in _sizes(beside)
        if (of_rung := [row for row in beside if (row["rung"], row["labels"]) == (rung, labels)])
        for which in ("difference", "to_plain")
    }
    return {"beside": beside, "offsets": gains, "means": {**means, "gains of offsets": _gains(gains)}}


def former_cells(former: Mapping[str, Any]) -> list[Cell]:
    """Return the specialist's side of an earlier record as cells, whose scores are the means over its draws.

    The specialist does not depend on the code of the rungs. `of_draws` is the number of draws of the mean: beside it
    stand the rung's scores on all of them, or none.
    """
    cells = list[Cell]()
    for row in former["beside"]:
        for draw, choice in enumerate(row["models"]):
            about = {name: row[name] for name in ("set", "metric", "labels", "rung")} | {"draw": draw}
            view, _, model = choice.partition(", ")
            scores = {"score": row["plain"], "with_offsets": row["specialist"], "of_draws": row["draws"]}
            cells.append(about | scores | {"side": "specialist", "view": view, "model": model})
    for row in former["offsets"]:
        about = {name: row[name] for name in ("set", "metric", "labels")} | {"rung": "tfidf", "side": "offsets"}
        scores = {"with_offsets": row["plain"] + row["gain"], "with_half": row["plain"] + row["half"]}
        cells += [about | scores | {"score": row["plain"], "draw": draw} for draw in range(row["draws"])]
    return cells


def pairs(cells: Iterable[Cell]) -> list[Cell]:
    """Return the rung's score less the specialist's, means over the draws that both have.

    The specialist sets offsets where the metric is an F1 that they move: `difference` is to him with them, and
    `to_plain` to him without.
    """
    sides: dict[str, dict[tuple[Any, ...], Cell]] = {"specialist": {}, "rungs": {}}
    for cell in cells:
        sides.get(cell["side"], {})[cell["set"], cell["labels"], cell["rung"], cell["draw"]] = cell
    both = sorted(key for key in sides["specialist"] if key in sides["rungs"])
    rows = []
    for key, group in groupby(both, key=lambda key: key[:3]):
        draws = [(sides["specialist"][cell_key], sides["rungs"][cell_key]) for cell_key in group]
        theirs, ours = zip(*draws, strict=True)
        if any(cell.get("of_draws", len(draws)) != len(draws) for cell in theirs):
            continue
        specialist = fmean(cell.get("with_offsets", cell["score"]) for cell in theirs)
        plain, score = fmean(cell["score"] for cell in theirs), fmean(cell["score"] for cell in ours)
        about = {"set": key[0], "metric": theirs[0]["metric"], "labels": key[1], "rung": key[2], "draws": len(draws)}
        numbers = {"specialist": specialist, "plain": plain, "score": score, "difference": score - specialist}
        numbers["to_plain"] = score - plain
        choices = {
            "models": [f"{cell['view']}, {cell['model']}" for cell in theirs],
            "chosen": [cell["chosen"] for cell in ours],
        }
        rows.append(about | {name: round(value, 2) for name, value in numbers.items()} | choices)
    return sorted(rows, key=lambda row: (row["rung"] != "tfidf", row["rung"], row["set"], row["labels"]))


def offsets(cells: Iterable[Cell]) -> list[Cell]:
    """Return the gain of the specialist's offsets on the test texts, means over the draws of the labels."""
    rows = []
    kept = sorted((cell for cell in cells if cell["side"] == "offsets"), key=_set_and_labels)
    for (name, labels), group in groupby(kept, key=_set_and_labels):
        draws = list(group)
        gains = [cell["with_offsets"] - cell["score"] for cell in draws]
        half = fmean(cell["with_half"] - cell["score"] for cell in draws)
        numbers = {"plain": fmean(cell["score"] for cell in draws), "gain": fmean(gains), "half": half}
        about = {"set": name, "metric": draws[0]["metric"], "labels": labels, "draws": len(draws)}
        rows.append(about | {name: round(value, 2) for name, value in numbers.items()})
    return rows


def summary(differences: list[float]) -> dict[str, float]:
    """Return count, mean, least and greatest, in points."""
    ends = {"least": min(differences), "greatest": max(differences)}
    return {"count": len(differences), "mean": round(fmean(differences), 2), **ends}


def table(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return lines of Markdown: set, metric, labels, the specialist's score, the rung's, the difference."""
    return [
        f"| {row['set']} | {row['metric']} | {row['labels']:,} | {row['specialist']:.1f} | {row['score']:.1f} "
        f"| {row['difference']:+.1f} |"
        for row in rows
    ]


def _gains(rows: list[Cell]) -> dict[str, Any]:
    return {str(labels): summary([row["gain"] for row in rows if row["labels"] == labels]) for labels in _sizes(rows)}


def _sizes(rows: list[Cell]) -> list[int]:
    return sorted({row["labels"] for row in rows})


def _rungs(rows: list[Cell]) -> list[str]:
    return list(dict.fromkeys(row["rung"] for row in rows))


def _set_and_labels(cell: Mapping[str, Any]) -> tuple[str, int]:
    return cell["set"], cell["labels"]
