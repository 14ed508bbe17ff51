"""`import wordworth`: what it offers, and that it costs nothing until it is used."""

import inspect
import pydoc
import re
import subprocess
import sys
import typing

import pytest
from tests.public_functions import FUNCTIONS, hints

import wordworth as ww
from wordworth.progress import NoProgress
from wordworth.records import Record


def test_the_public_names_are_in_order_and_known():
    assert ww.__all__ == sorted(ww.__all__)
    assert set(ww.__all__) <= set(dir(ww))


def test_completion_offers_what_is_public_and_nothing_that_python_needed():
    assert not {"Any", "TYPE_CHECKING", "annotations", "import_module", "ModuleType", "_HOMES"} & set(dir(ww))
    assert {"worth", "Step", "__version__"} <= set(dir(ww))


def test_help_on_models_says_how_it_is_called():
    assert 'wordworth.models(download="owner/name")' in pydoc.render_doc(ww.models)


def test_every_public_name_can_be_had():
    assert all(callable(getattr(ww, name)) for name in ww.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_notebook_shows_every_parameter_by_name_and_with_its_type(name):
    signature = inspect.signature(FUNCTIONS[name])
    for parameter in signature.parameters.values():
        assert parameter.kind not in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}, parameter
        assert parameter.annotation is not parameter.empty, parameter
    shown = [str(signature.return_annotation), *(str(each.annotation) for each in signature.parameters.values())]
    assert not [text for text in shown if re.search(r"\bAny\b", text)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_types_of_every_parameter_and_of_what_is_returned_can_be_read_at_runtime(name):
    types = hints(FUNCTIONS[name])
    assert set(types) == {*inspect.signature(FUNCTIONS[name]).parameters, "return"}
    assert typing.Any not in {member for hint in types.values() for member in (hint, *typing.get_args(hint))}


def public_methods():
    for kind in (getattr(ww, name) for name in ww.__all__):
        if isinstance(kind, type):
            for name, method in inspect.getmembers(kind, inspect.isfunction):
                if not name.startswith("_"):
                    yield pytest.param(method, id=f"{kind.__name__}.{name}")


@pytest.mark.parametrize("method", [*public_methods()])
def test_a_method_of_a_public_class_shows_its_parameters_with_their_types(method):
    _, *parameters = inspect.signature(method).parameters.values()
    for parameter in parameters:
        assert parameter.kind not in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}, parameter
        assert str(parameter.annotation) not in {"Any", str(parameter.empty)}, parameter


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'wroth'"):
        ww.wroth  # noqa: B018 - looking is the test


def test_importing_it_imports_neither_torch_nor_numpy():
    code = "import sys, wordworth; print({'torch', 'numpy', 'pandas', 'sklearn'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_the_package_of_models_is_the_function_of_that_name():
    assert "mini" in [entry.name for entry in ww.models()]
    from wordworth.models import load

    assert load.load is ww.load


ROWS = [{"text": f"a {word} film {number}", "label": word} for number in range(20) for word in ("good", "bad")]
NO_PATHS = {
    "worth": lambda: ww.worth(ROWS, out=5),
    "embed": lambda: ww.embed(["a"], 5),
    "report": lambda: ww.report(5),
    "report of a dict": lambda: ww.report({}),
    "read_record": lambda: ww.read_record(5),
    "load_run": lambda: ww.load_run(5),
    "doctor": lambda: ww.doctor(5),
    "load": lambda: ww.load(None),
    "predict": lambda: ww.predict(5, ROWS),
    "prune": lambda: ww.prune(5, "small", layers=1),
    "distill": lambda: ww.distill(5, "small", data="rows.csv"),
    "finetune": lambda: ww.finetune(data=ROWS, model="minilm", out=None),
    "evaluate": lambda: ww.evaluate(5, 5),
    "save": lambda: Record("worth", {}, {}, {}, []).save(5),
    "study_similarity": lambda: ww.study_similarity(texts=["a", "b"], out=5),
    "pretrain": lambda: ww.pretrain(__file__, tokenizer=".", out=5),
    "to_static": lambda: ww.to_static("mini", method="pieces", out=5),
}


@pytest.mark.parametrize("call", NO_PATHS.values(), ids=NO_PATHS)
def test_what_is_no_path_where_one_belongs_is_refused_in_one_line(call):
    with pytest.raises(ww.BadInput, match=r"expected a path, not .*; give a text or a pathlib\.Path"):
        call()


@pytest.mark.parametrize("progress", [True, None, print, object(), NoProgress])
@pytest.mark.parametrize(
    "call",
    [
        lambda progress: ww.worth(ROWS, progress=progress),
        lambda progress: ww.embed(["a"], model="glove", progress=progress),
        lambda progress: ww.load("glove").encode(["a"], progress=progress),
        lambda progress: ww.load("mini").encode(["a"], progress=progress),
    ],
    ids=["worth", "embed", "table", "encoder"],
)
def test_what_reports_no_progress_is_refused_in_one_line(call, progress):
    with pytest.raises(ww.BadInput, match="not an object with the methods step and note; leave it out"):
        call(progress)


def test_a_switch_that_is_neither_true_nor_false_is_refused():
    with pytest.raises(ww.BadInput, match="`quick` is 'yes'; give True or False"):
        ww.worth(ROWS, quick="yes")


def test_a_model_that_was_not_named_is_not_looked_for():
    with pytest.raises(ww.BadInput, match="`model` is None, not a text; give a name or a path, or leave it out"):
        ww.embed(["a"], model=None)


def test_models_takes_no_name_and_says_what_does():
    with pytest.raises(ww.BadInput, match=r"takes no name; models\(download='nothere/x'\) fetches one"):
        ww.models("nothere/x")


@pytest.mark.slow
def test_type_checkers_see_the_types_of_what_loads_late(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(
        "import wordworth as ww\n"
        "reveal_type(ww.worth)\n"
        "reveal_type(ww.embed(['a']))\n"
        "reveal_type(ww.models())\n"
        "ww.finetune('cola', out='run', learning_rat=1e-4)\n"
    )
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "user.py", "--python-executable", sys.executable, "--follow-imports=silent"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    ).stdout  # fmt: skip
    assert "margin: float =" in found
    assert "ndarray" in found
    assert "list[wordworth.download_catalogue.Entry]" in found
    assert 'Unexpected keyword argument "learning_rat" for "finetune"' in found
