"""Figures of the page on symbols are those of its records: words beside codes, and codebooks."""

import pytest
from tests.docs.record_figures import change_with_interval, page_text, points, record, rows


@pytest.mark.parametrize("name", ["crossmodal_digits", "crossmodal_single_digits", "crossmodal_strings"])
def test_the_tables_of_words_beside_codes_are_those_of_their_records(name):
    lines = page_text("symbols.md").splitlines()
    below = lines[next(number for number, line in enumerate(lines) if f"records/{name}.json" in line) :]
    for score in rows(name, "scores"):
        line = next(line for line in below if line.startswith(f"| {score['measure']} | "))
        whole = score["system"] == "trained on pairs"
        assert (
            points(score["value"], score["low"], score["high"]) if whole else f"| {100 * score['value']:.1f} |"
        ) in line


def difference(test):
    """The difference of a test with the ends of its interval."""
    return [test[f"difference{end}"] for end in ("", "_low", "_high")]


def test_the_table_of_codebooks_is_that_of_its_record():
    page, crossmodal = page_text("symbols.md"), record("crossmodal_codebooks")
    chosen = {"codebook": "chosen by fold", "codes": "", "tests": crossmodal["tests"]}
    for codebook in (*crossmodal["codebooks"], chosen):
        bits, *recalls = codebook["tests"]
        cells = [codebook["codebook"].replace("x", " × "), str(codebook["codes"])]
        cells.append("{:.2f} ({:.2f} to {:.2f})".format(*difference(bits)))
        for recall in recalls:
            cells += [f"{100 * recall['by_word']:.1f}", change_with_interval(*difference(recall))]
        assert f"| {' | '.join(cells)} |" in page
