"""The recipe of video clips: means of 30 frames, 20 a second, the clips that a caption overlaps, and a whole study."""

import sys

import numpy as np
import pytest
from tests.studies.crossmodal.made_up import FAST, WORDS

import video_clips
import wordworth as ww
from wordworth.errors import BadInput
from wordworth.text.captioned_sequences import read_captioned


def save(folder, films):
    folder.mkdir()
    for name, rows in films.items():
        np.save(folder / f"{name}.npy", rows)
    return folder


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["video_clips.py", *map(str, arguments)])
    video_clips.main()


def test_a_clip_is_the_mean_of_30_frames_and_a_caption_has_every_clip_that_it_overlaps(tmp_path, monkeypatch, capsys):
    frames = np.arange(95, dtype=np.float64)[:, None] * np.ones(2)
    films = save(tmp_path / "films", {"b": frames, "a": np.zeros((60, 2), np.float16)})
    speech = tmp_path / "speech.csv"
    speech.write_text('film,start,end,text\na,0,1.5,"one, two"\nb,1.4,3.1,three\nb,3,99,four\n')
    run(monkeypatch, "--films", films, "--speech", speech, "--out", tmp_path / "out")
    features = np.load(tmp_path / "out" / "features.npy")
    assert features[:, 0].tolist() == [0, 0, 14.5, 44.5, 74.5]  # of 95 frames the last five are no clip
    assert features.dtype == np.float32
    read = read_captioned(tmp_path / "out" / "captions.csv", len(features))
    assert read.bounds.tolist() == [[0, 1], [2, 5], [4, 5]]
    assert (read.texts, read.groups) == (("one, two", "three", "four"), ("a", "b", "b"))
    assert "5 clips of 1.5 s, 3 captions" in capsys.readouterr().out


def test_rows_that_are_clips_already_stay_as_they_are(tmp_path, monkeypatch):
    rows = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    (tmp_path / "speech.csv").write_text("film,start,end,text\nfilm,1.5,4.5,one\n")
    films = save(tmp_path / "films", {"film": rows})
    run(monkeypatch, "--films", films, "--speech", tmp_path / "speech.csv", "--out", tmp_path / "out", "--clips")
    assert np.array_equal(np.load(tmp_path / "out" / "features.npy"), rows)
    assert read_captioned(tmp_path / "out" / "captions.csv", 4).bounds.tolist() == [[1, 3]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("c,0,1,one", "line 2: there are no features of the film 'c'"),
        ("a,9,12,one", "line 2: from 9 to 12 s of a film of 3 s there is no clip"),
        ("a,2,1,one", "line 2: from 2 to 1 s"),
        ("a,soon,1,one", "line 2: 'soon' is no time"),
        ("a,-1,1,one", "line 2: -1 is no time of a film"),
    ],
)
def test_a_caption_outside_its_film_is_refused_with_its_line(tmp_path, line, message):
    films, speech = save(tmp_path / "films", {"a": np.zeros((60, 2))}), tmp_path / "speech.csv"
    speech.write_text(f"film,start,end,text\n{line}\n")
    with pytest.raises(BadInput, match=rf"speech\.csv, {message}"):
        video_clips.write(films, speech, tmp_path / "out", 30, 1.5)
    assert not (tmp_path / "out").exists()


def test_films_that_do_not_fit_are_refused(tmp_path, monkeypatch):
    films = save(tmp_path / "films", {"a": np.zeros((60, 2)), "b": np.zeros((60, 3))})
    (tmp_path / "speech.csv").write_text("film,start,end,text\na,0,1,one\n")
    with pytest.raises(BadInput, match=r"b\.npy: features of 3 numbers, and a\.npy has 2"):
        run(monkeypatch, "--films", films, "--speech", tmp_path / "speech.csv", "--out", tmp_path / "out")
    with pytest.raises(BadInput, match="10 rows make no clip of 30"):
        video_clips.clips_of(save(tmp_path / "short", {"c": np.zeros((10, 2))}) / "c.npy", 30)


@pytest.mark.slow
def test_the_study_reads_what_it_writes(tmp_path, monkeypatch):
    draw, films, lines = np.random.default_rng(0), {}, ["film,start,end,text"]
    middles = 9 * draw.normal(size=(len(WORDS), 3))
    for film in "abcde":
        said = draw.integers(0, len(WORDS), 8)
        films[film] = np.repeat(middles[said], 60, axis=0) + draw.normal(size=(480, 3))
        lines += [f"{film},{3 * place},{3 * place + 3},{WORDS[word]}" for place, word in enumerate(said)]
    (tmp_path / "speech.csv").write_text("\n".join(lines) + "\n")
    films = save(tmp_path / "films", films)
    run(monkeypatch, "--films", films, "--speech", tmp_path / "speech.csv", "--out", tmp_path / "out")
    features, captions = (tmp_path / "out" / name for name in ("features.npy", "captions.csv"))
    record = ww.study_crossmodal(features, captions, **FAST)
    assert (record.data["sequences"], record.data["groups"], record.data["rows"]) == (40, 5, 80)
