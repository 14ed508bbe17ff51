"""The views of attention maps in a real browser: the right weights, keys that turn heads, filters, hostile tokens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from chromium import Tab, complaints, installed, requests
from tests.measures.test_attention_maps import softmax_maps, some_maps

from attention_page import a_model, opened, settle
from wordworth.measures.attention_maps import AttentionMaps
from wordworth.studies.attention.study import record_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(installed() is None, reason="Chromium is not installed"),
]
SAID = "document.getElementById('said').innerText"
TEXT = "</script><img src=x onerror=\"document.title='caught'\">"


def choose(tab: Tab, name: str, value: str) -> None:
    control = f"document.getElementById('show-{name}')"
    tab.value(f"{control}.value = '{value}'")
    tab.value(f"{control}.dispatchEvent(new Event('change'))")
    settle(tab)


def view(tab: Tab, name: str) -> None:
    tab.value(f"document.querySelector('input[value={name}]').click()")
    settle(tab)


def dark_pixels(tab: Tab) -> int:
    """How many pixels of the first canvas are drawn."""
    return int(
        tab.value(
            "(() => { const c = document.querySelector('canvas'); const d = c.getContext('2d')"
            ".getImageData(0, 0, c.width, c.height).data; let n = 0;"
            " for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n })()"
        )
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_view_opens_without_a_complaint_a_request_or_a_scroll_bar_across(
    tab: Tab, tmp_path: Path, width: int, theme: str
) -> None:
    page = opened(tab, tmp_path, a_model(), a_model(1, "after"), width=width, theme=theme)
    for name in ("lines", "grid", "vectors"):
        view(tab, name)
        assert tab.value("document.documentElement.scrollWidth") <= width
    assert complaints(tab) == []
    assert requests(tab) in ([page.as_uri()], [page.as_uri(), "data:,"])


@pytest.mark.parametrize("units", ["words", "pieces"])
def test_the_page_draws_the_weights_that_python_has(tab: Tab, tmp_path: Path, units: str) -> None:
    maps = a_model()
    opened(tab, tmp_path, maps)
    options = f"{{byWords: {'true' if units == 'words' else 'false'}, hide: false, from: '', to: ''}}"
    drawn = tab.value(
        "(async () => { const m = attentionMaps.opened(JSON.parse(document.getElementById('attention-data')"
        f".textContent).models[0]); await m.load(1, () => 0); window.read = [...m.map(2, 3, {options}).weights] }})()"
        " && 0"
    )
    assert drawn == 0
    settle(tab, "window.read !== undefined")
    expected = (maps.by_words() if units == "words" else maps).weights[1, 2].ravel()
    assert np.abs(np.array(tab.value("window.read")) - expected).max() <= 0.004 * 2**0.5


@pytest.mark.parametrize("name", ["lines", "grid", "vectors"])
def test_every_view_is_drawn(tab: Tab, tmp_path: Path, name: str) -> None:
    opened(tab, tmp_path, a_model())
    view(tab, name)
    assert dark_pixels(tab) > 100


def test_two_models_open_at_the_head_in_which_they_differ_most(tab: Tab, tmp_path: Path) -> None:
    models = a_model(0), a_model(1, "after")
    rows = record_of(models, {"name": "two texts"}, {"units": "words"}, {}).tables["heads"].rows()
    top = max(rows, key=lambda row: row["difference"])
    opened(tab, tmp_path, *models)
    assert tab.value(SAID).startswith(f"Layer {top['layer']}, head {top['head']}:")


def test_arrow_keys_turn_heads(tab: Tab, tmp_path: Path) -> None:
    opened(tab, tmp_path, a_model())
    assert tab.value(SAID).startswith("Layer 1, head 1: most goes to")
    tab.value("document.querySelector('.stage').focus()")
    tab.press("ArrowRight")
    settle(tab)
    assert tab.value(SAID).startswith("Layer 1, head 2: most goes to")
    assert tab.value("document.getElementById('show-head').value") == "2"


def test_a_chosen_token_has_its_lines_alone_and_its_weights_in_words(tab: Tab, tmp_path: Path) -> None:
    opened(tab, tmp_path, a_model())
    every = dark_pixels(tab)
    choose(tab, "from", "1")
    assert "from “undo”: “" in tab.value(SAID)
    assert dark_pixels(tab) < every


def test_hidden_special_tokens_are_counted_and_texts_are_filtered(tab: Tab, tmp_path: Path) -> None:
    maps = a_model()
    opened(tab, tmp_path, maps)
    tab.value("document.getElementById('show-hide').click()")
    settle(tab)
    words = maps.by_words()
    held = words.weights[0, 0][np.ix_(~words.special, words.special)].sum() / (~words.special).sum()
    assert f"Hidden special tokens hold {100 * held:.0f} %" in tab.value(
        "document.querySelector('.panel-note').innerText"
    )
    choose(tab, "texts", "AB")
    assert "“it”" in tab.value(SAID)


def test_query_and_key_of_two_tokens_have_their_score(tab: Tab, tmp_path: Path) -> None:
    maps = a_model()
    opened(tab, tmp_path, maps)
    view(tab, "vectors")
    choose(tab, "from", "1")
    choose(tab, "to", "3")
    score = float(maps.vectors.query[0, 0, 1] @ maps.vectors.key[0, 0, 3]) / 2
    said = tab.value(SAID)
    shown = float(said.partition("q·k/√d ")[2].partition(",")[0].replace("−", "-"))
    assert shown == pytest.approx(score, abs=0.1)


def test_a_map_in_the_grid_opens_its_lines(tab: Tab, tmp_path: Path) -> None:
    opened(tab, tmp_path, a_model())
    view(tab, "grid")
    box = tab.value(
        "(() => { const r = document.querySelector('canvas').getBoundingClientRect(); return [r.x, r.y, r.width] })()"
    )
    x, y = box[0] + 26 + 110 * 2.5, box[1] + 20 + 110 * 1.5
    tab.value(
        f"document.querySelector('canvas').dispatchEvent(new MouseEvent('click', {{clientX: {x}, clientY: {y}}}))"
    )
    settle(tab)
    assert tab.value("document.querySelector('input[value=lines]').checked")
    assert tab.value(SAID).startswith("Layer 2, head 3")


def test_hostile_tokens_are_text(tab: Tab, tmp_path: Path) -> None:
    tokens = (TEXT, "\u202eשלום", "x" * 5_000, "\u2028", "\ud800")
    opened(tab, tmp_path, a_model(tokens=tokens, words=None, special=np.zeros(5, bool), name=TEXT))
    for name in ("lines", "grid", "vectors"):
        view(tab, name)
    assert tab.value("document.title") != "caught"
    assert complaints(tab) == []
    assert tab.value("document.documentElement.scrollWidth") <= 1280


def test_without_its_script_the_page_has_its_tables(tab: Tab, tmp_path: Path) -> None:
    path = opened(tab, tmp_path, a_model())
    path.write_text(path.read_text(encoding="utf-8").rpartition("<script>")[0], encoding="utf-8")
    tab.open(path)
    assert "The maps need JavaScript" in tab.value("document.body.innerText")
    assert tab.value("document.getElementById('viewer').hidden")
    assert tab.value("document.querySelectorAll('table').length") >= 3


def test_a_map_of_many_tokens_is_drawn_too(tab: Tab, tmp_path: Path) -> None:
    tokens = 300
    maps = some_maps(
        weights=softmax_maps(0, 1, 2, tokens), tokens=("word",) * tokens, special=np.zeros(tokens, bool), words=None
    )
    opened(tab, tmp_path, maps)
    assert complaints(tab) == []
    assert dark_pixels(tab) > 10_000
    height = tab.value("document.querySelector('.stage').offsetHeight")
    assert height == 300 * 14
    assert tab.value("document.querySelector('canvas').offsetHeight") < height
    tab.value("document.querySelector('.stage').scrollIntoView({block: 'end'})")
    settle(tab, "document.querySelector('canvas').offsetTop > 0")
    assert dark_pixels(tab) > 10_000


def pruned(maps: AttentionMaps, *heads: tuple[int, int]) -> AttentionMaps:
    """The maps of a model that lost heads, numbered from 0."""
    weights = maps.weights.copy()
    for head in heads:
        weights[head] = 0
    return replace(maps, weights=weights)


def test_a_head_that_a_pruned_model_lost_is_said_to_be_removed_and_no_mean_counts_it(tab: Tab, tmp_path: Path) -> None:
    whole = a_model()
    opened(tab, tmp_path, whole, pruned(a_model(name="small"), (0, 1), (0, 2)))
    choose(tab, "layer", "1")
    choose(tab, "head", "2")
    assert "small: this head was removed from the model" in tab.value(SAID)
    assert tab.value("document.querySelectorAll('canvas')[1].hidden")
    choose(tab, "head", "1")
    first = tab.value(SAID).split("small: ")[1]
    choose(tab, "head", "0")
    assert tab.value(SAID).split("small: ")[1] == first  # the mean over the one head that is left
    view(tab, "grid")
    assert complaints(tab) == []
