from wordworth.reports.charts.axes import Drawing, HoverPoint
from wordworth.reports.charts.palette import SERIES
from wordworth.reports.figure import Figure, drawn, pointers


def test_a_chart_is_drawn_for_a_wide_page_and_for_a_phone_under_the_id_of_its_title():
    calls = []

    def draw(size, label):
        calls.append((size.name, size.height, size.narrow, label))
        return Drawing(f"<svg>{size.width}</svg>", ())

    drawings = drawn(draw, "curves", height=300)
    assert calls == [("wide", 300, False, "curves-title"), ("phone", 300, True, "curves-title")]
    assert len({drawing.svg for drawing in drawings}) == 2


def test_pointers_tell_what_each_point_says_and_where_it_is_in_either_drawing():
    lines = ((SERIES[0], "minilm 80.1"), (None, "the null"))
    wide, phone = (Drawing("", (HoverPoint(x, 7.26, "layer 1", lines),), across=True) for x in (10.26, 5.0))
    pointer_data = pointers([Figure("curves", "", "", (wide, phone)), Figure("absent", "", "", absent="No values.")])
    assert pointer_data == {
        "curves": {
            "across": True,
            "words": [["layer 1", [[SERIES[0].css, "minilm 80.1"], ["", "the null"]]]],
            "places": [[[10.3, 7.3]], [[5.0, 7.3]]],
        }
    }
