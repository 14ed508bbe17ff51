"""The description of the server has its routes, their bodies and their errors."""

import re

import pytest
from tests.serving.served import ask, served, tiny_encoder

from wordworth.serving.openapi import description


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with served(tiny_encoder(tmp_path_factory.mktemp("openapi") / "tiny")) as made:
        yield made


def test_it_has_every_route_with_its_method_and_no_other(app):
    routes = {(route.path, method.lower()) for route in app.routes for method in route.methods - {"HEAD"}}
    paths = description()["paths"]
    assert {(path, method) for path, methods in paths.items() for method in methods} == routes


def test_it_is_served_to_anyone_and_every_reference_in_it_leads_somewhere(app):
    answer = ask(app, "/openapi.json")
    assert answer.status_code == 200
    assert answer.json() == description()
    names = set(re.findall(r'"#/components/schemas/(\w+)"', answer.text))
    assert names == set(description()["components"]["schemas"])


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/embeddings", {"input": "a", "model": "other"}, 404),
        ("/embed", {"inputs": [1]}, 422),
        ("/predict", {"inputs": "a"}, 424),
        ("/tokenize", b"{", 400),
    ],
)
def test_refusals_are_in_it(app, path, body, status):
    assert ask(app, path, body).status_code == status
    assert str(status) in description()["paths"][path]["post"]["responses"]
