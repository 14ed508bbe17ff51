import re

from tests.reports.finetune_record import pictured, pointed_at, record, table

from wordworth.reports import render


def test_the_learning_curve_is_drawn_with_a_line_a_run_and_its_numbers():
    page = render(record())
    drawings, cells = pictured(page, "learning")
    for drawing in drawings:
        curves = [one.attributes["class"] for one in drawing if one.attributes.get("class", "").startswith("curve")]
        assert len(curves) == 2
        assert sum("strong" in curve for curve in curves) == 1  # the run that is kept
        assert {"seed 0", "seed 1", "epochs"} <= {one.text for one in drawing if one.name == "text"}
    assert pointed_at(page, "learning") == {
        "epoch 1.5": ["seed 0 65.0", "seed 1 65.0"],
        "epoch 3": ["seed 0 80.0", "seed 1 80.0"],
    }
    assert cells == 2 * ["1.50", "45", "1.00", "65.0", "3.00", "90", "1.00", "80.0"]


def test_without_a_dev_part_the_training_loss_is_drawn():
    evaluations = [
        {**look, "dev": None, "loss": 2 - look["epoch"] / 2} for look in record().tables["evaluations"].rows()
    ]
    page = render(record(tables={"evaluations": table(*evaluations)}))
    assert "Training loss by epoch" in page
    assert pointed_at(page, "learning")["epoch 3"] == ["seed 0 0.500", "seed 1 0.500"]


def test_an_axis_of_scores_that_hardly_differ_shows_two_points_at_least():
    evaluations = [{**look, "dev": 0.7 + look["epoch"] / 3000} for look in record().tables["evaluations"].rows()]
    drawings, _ = pictured(render(record(tables={"evaluations": table(*evaluations)})), "learning")
    for drawing in drawings:
        ticks = [float(one.text) for one in drawing if one.name == "text" and re.fullmatch(r"[0-9.]+", one.text)]
        scores = [tick for tick in ticks if tick > 60]
        assert max(scores) - min(scores) >= 1
