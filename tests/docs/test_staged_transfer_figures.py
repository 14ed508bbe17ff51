"""Figures of the page on staged transfer are those of its record."""

import pytest
from tests.docs.record_figures import change_with_interval, page_text, points, rows

TITLES = {"copa": "COPA", "codah": "CODAH", "dream": "DREAM", "hellaswag": "HellaSwag"}


@pytest.mark.parametrize(
    ("target", "transfer"),
    [
        *((target, transfer) for target in ("copa", "story endings") for transfer in ("snli", "mc-nli")),
        *((target, "snli") for target in ("codah", "dream", "hellaswag")),
    ],
)
def test_gains_of_staged_transfer_are_those_of_the_record(target, transfer):
    gains = {
        gain["control"]: gain
        for gain in rows("staged_transfer", "gains")
        if (gain["target"], gain["transfer"]) == (target, transfer)
    }
    cells = [
        TITLES.get(target, target),
        {"snli": "SNLI", "mc-nli": "its choices"}[transfer],
        points(*(gains["target alone"][name] for name in ("staged", "low", "high"))),
        *(
            change_with_interval(*(gains[control][f"gain{end}"] for end in ("", "_low", "_high")))
            for control in ("target alone", "shuffled labels", "more updates")
        ),
        points(*(gains["options only"][f"control_{name}"] for name in ("mean", "low", "high"))),
    ]
    assert f"| {' | '.join(cells)} |" in page_text("staged-transfer.md")
