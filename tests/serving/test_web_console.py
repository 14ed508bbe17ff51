"""The page at `/`: it loads nothing, says what the routes say, and needs no key to be read."""

import re
import time

import pytest
from tests.reports.chromium import chromium, complaints, installed, requests
from tests.serving.real_server import real_server
from tests.serving.served import ask, served, tiny_encoder


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return tiny_encoder(tmp_path_factory.mktemp("console") / "tiny")


def test_the_page_is_whole_and_may_load_nothing(encoder):
    with served(encoder) as app:
        answer = ask(app, "/")
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert not re.search(r"(src|href)=(?!.data:)|https?://|@import|innerHTML", answer.text)


def test_the_routes_and_metrics_that_it_reads_are_there(encoder):
    with served(encoder, long_texts="cut") as app:
        page = ask(app, "/").text
        paths = set(re.findall(r"(?:ask|fetch)\(\"([\w/]+)\"", page))
        assert paths == {"predict", "v1/embeddings", "similarity", "info", "metrics"}
        assert 404 not in {ask(app, f"/{path}", body).status_code for path in paths for body in (None, {"inputs": "a"})}
        ask(app, "/embed", {"inputs": ["a b " * 30, "a"]})
        metrics = ask(app, "/metrics").text
    assert "te_embed_cut_inputs 1" in metrics
    for name in set(re.findall(r"te_\w+", page)) - {"te_request_failure"}:
        assert re.search(rf"^{name}[ {{]", metrics, re.MULTILINE), name


def test_it_is_read_without_a_key_but_asks_with_one(encoder, tmp_path):
    (tmp_path / "keys").write_text("secret\n")
    with served(encoder, api_key_file=tmp_path / "keys") as app:
        assert ask(app, "/").status_code == 200
        assert ask(app, "/info").status_code == 401


@pytest.mark.slow
@pytest.mark.skipif(installed() is None, reason="Chromium is not installed")
def test_a_text_and_two_are_tried_in_a_browser(tmp_path):
    tiny_encoder(tmp_path / "tiny")
    with real_server(tmp_path / "tiny") as server, chromium(installed()) as tab:
        for width, theme in ((1200, "light"), (390, "dark")):
            tab.open(f"{server.address}/", width=width, theme=theme)
            until(tab, "!document.getElementById('pair').hidden")
            tab.value("at('try').requestSubmit(), at('compare').requestSubmit()")
            until(tab, "at('answer').innerText.includes('32 numbers') && at('likeness').innerText.includes('cosine')")
            until(tab, "at('rate').innerText !== '–'")
            assert tab.value("document.documentElement.scrollWidth") == width
            assert complaints(tab) == []
            assert all(url.startswith(server.address) for url in requests(tab))


def until(tab, script, seconds=20):
    """Wait until an expression is true in the page."""
    end = time.monotonic() + seconds
    while not tab.value(script):
        assert time.monotonic() < end, script
        time.sleep(0.1)
