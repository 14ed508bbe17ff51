"""Messages of the package reach the caller's logging, or the caller's own progress object."""

import logging

import pytest
from tests.cli.terminal import reviews
from tests.representations.tiny_encoder import write_tiny_encoder

import wordworth as ww
from wordworth.progress import SILENT, UNREPORTED, FractionProgress, ignore


def test_messages_go_to_the_logger_of_the_package(caplog):
    with caplog.at_level(logging.INFO, logger="wordworth"):
        SILENT.note("texts of over 512 tokens are read whole, in overlapping windows")
    assert [(entry.name, entry.levelname) for entry in caplog.records] == [("wordworth", "INFO")]
    assert "overlapping windows" in caplog.text


def test_nothing_is_printed_where_the_caller_has_not_asked_for_messages(capsys):
    SILENT.note("a message")
    with SILENT.step("work", 3) as step:
        step.advance()
    assert capsys.readouterr() == ("", "")


def test_steps_are_logged_with_how_much_of_them_is_done_every_ten_seconds(caplog, monkeypatch):
    clock = iter([0.0, 4.0, 11.0, 15.0, 25.0])
    monkeypatch.setattr("wordworth.progress.time.monotonic", lambda: next(clock))
    with caplog.at_level(logging.INFO, logger="wordworth"), SILENT.step("learning from the labels", 8) as step:
        for _ in range(4):
            step.advance()
    assert caplog.messages == [
        "learning from the labels",
        "learning from the labels: 25 %",
        "learning from the labels: 50 %",
    ]


def test_work_inside_a_step_of_the_caller_is_not_logged(caplog):
    with caplog.at_level(logging.INFO, logger="wordworth"), UNREPORTED.step("embedding with minilm", 8) as step:
        step.advance(4)
        step.skip(4)
        UNREPORTED.note("texts of over 256 tokens are read whole")
    assert caplog.messages == []


TEXTS = ["a good film", "a bad film"]


def _encode(encoder, folder, progress):  # noqa: ARG001 - called as the others
    ww.load(encoder).encode(TEXTS, progress=progress)


def _embed(encoder, folder, progress):
    ww.embed(TEXTS, model=encoder, progress=progress)
    ww.embed(TEXTS, folder / "v.npy", model=encoder, progress=progress)


def _quick_worth(encoder, folder, progress):
    data = reviews(folder / "reviews.csv", 200)
    ww.worth(data, models=encoder, rungs=["tfidf", "tiny"], quick=True, finetune=False, progress=progress)


def _similarity(encoder, folder, progress):  # noqa: ARG001 - called as the others
    ww.study_similarity(TEXTS, model=encoder, progress=progress)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return str(write_tiny_encoder(tmp_path_factory.mktemp("progress") / "tiny"))


@pytest.mark.slow
@pytest.mark.parametrize("call", [_encode, _embed, _quick_worth, _similarity])
def test_what_a_progress_of_the_caller_is_told_is_not_logged_too(encoder, tmp_path, caplog, call):
    with caplog.at_level(logging.INFO, logger="wordworth"):
        call(encoder, tmp_path, FractionProgress(ignore, 1))
    assert caplog.messages == []
