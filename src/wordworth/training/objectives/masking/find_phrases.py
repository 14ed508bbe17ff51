"""`phrases`: find the phrases of a corpus by statistics, for masking them whole.

Neighbouring words that occur together far more often than by chance are joined; in the next round, joined words count
as one word (Mikolov et al. 2013, arXiv 1310.4546, section 4). In Chinese text that a tokenizer cuts into characters,
characters are joined to words and words to phrases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from wordworth.errors import BadInput
from wordworth.files import as_path, require_distinct, write_text
from wordworth.progress import SILENT, Progress
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import settings_from
from wordworth.subprocesses import available_cpus
from wordworth.text.corpus.read_documents import CorpusOrTable, CorpusSettings, as_corpora
from wordworth.text.corpus.token_store import META, TokenStore, build_store
from wordworth.text.corpus.txt_layouts import Layout
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.objectives.masking.lexicon_files import join_words
from wordworth.training.objectives.masking.mask_sampling import Flags
from wordworth.training.objectives.masking.masking_units import WholeWords
from wordworth.training.objectives.masking.pair_counts import PairCounts, count_pairs
from wordworth.training.objectives.masking.phrase_scores import Floats, npmi, word2phrase
from wordworth.training.objectives.masking.phrase_settings import PhraseSettings, Scoring
from wordworth.training.objectives.masking.phrases import Phrases


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a corpus.

    Attributes:
        text: the words of the phrase.
        score: the association score of its words; higher if they are neighbours more often than by chance.
        count: number of occurrences.
    """

    text: str
    score: float
    count: int


@documented_by(PhraseSettings, CorpusSettings)
def phrases(  # noqa: PLR0913 - the settings, each by its name
    corpus: CorpusOrTable,
    *,
    out: Path | str,
    tokenizer: Path | str | None = None,
    scoring: Scoring = "npmi",
    threshold: float | None = None,
    min_count: int = 10,
    rounds: int = 2,
    text: str = "text",
    layout: Layout = "auto",
    leave_out: Path | str | None = None,
    progress: Progress = SILENT,
) -> list[Phrase]:
    """Find the phrases of a corpus by statistics, and write them to a file that `pretrain(lexicon=...)` reads.

    Args:
        corpus: files or folders of text, or a token store; or a table in memory with a column of texts.
        out: the file to write: a phrase, its score and its occurrences on each line, with tabs between.
        text: column of the texts in files that have columns, and in a table.
        layout: how a .txt file is split into documents.
        progress: progress display, advanced by the number of tokens.

    Returns:
        The phrases, the highest score first.

    Raises:
        BadInput: the corpus or the tokenizer cannot be read, or no phrase of the corpus has a score that
            reaches the threshold.

    >>> phrases("corpus/", tokenizer="tok/", out="phrases.txt")  # doctest: +SKIP
    """
    arguments = dict(locals())
    settings = settings_from(arguments, PhraseSettings)
    reading = settings_from({**arguments, "processes": available_cpus()}, CorpusSettings)
    target = as_path(out, "--out")
    if target.is_dir():
        raise BadInput("this is a folder", where=str(target), mend="name a file, such as phrases.txt")
    with as_corpora(corpus) as paths:
        require_distinct(target, *paths)
        with _open_store(paths, settings, reading, progress) as store:
            result = find_phrases(store, settings, progress)
        if not result:
            what = f"no two neighbouring words of this corpus reach a score of {settings.lowest_score:g}"
            mend = "give more text, or a lower --threshold or --min-count"
            raise BadInput(what, where=", ".join(map(str, paths)), mend=mend)
    write_text(target, "".join(f"{each.text}\t{each.score:.4f}\t{each.count}\n" for each in result))
    return result


@contextmanager
def _open_store(
    paths: Sequence[Path], settings: PhraseSettings, reading: CorpusSettings, progress: Progress
) -> Iterator[TokenStore]:
    """Yield the token store at a path, or for texts a temporary store, which is deleted when the `with` block ends."""
    if len(paths) == 1 and (paths[0] / META).is_file():
        yield TokenStore.open(paths[0]).require_intact(progress)
        return
    if settings.tokenizer is None:
        mend = "give --tokenizer, that of the model to pretrain; `wordworth tokenizer` makes one of a corpus"
        raise BadInput("text cannot be read without a tokenizer", where=str(paths[0]), mend=mend)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        yield build_store(paths, Tokenizer.read(settings.tokenizer), folder / "store", reading, progress)


def find_phrases(store: TokenStore, settings: PhraseSettings, progress: Progress = SILENT) -> list[Phrase]:
    """Return the phrases of a token store, the highest score first; empty if no score reaches the threshold.

    Args:
        store: the corpus.
        settings: the threshold, the number of rounds and so on.
        progress: receives the progress.
    """
    letters = _letters(store.tokenizer)
    phrase_ids: dict[tuple[int, ...], tuple[float, int]] = {}
    with progress.step("finding phrases", 2 * settings.rounds * len(store.ids)) as step:
        for _ in range(settings.rounds):
            unit = Phrases(frozenset(phrase_ids)) if phrase_ids else WholeWords()
            pairs = count_pairs(store, unit, letters, settings.min_count, step)
            new = _above_threshold(store, pairs, settings)
            if not new.keys() - phrase_ids.keys():
                break
            phrase_ids = {**new, **phrase_ids}
    return sorted(_spelled(phrase_ids, store.tokenizer), key=lambda each: (-each.score, each.text))


def _above_threshold(
    store: TokenStore, pairs: PairCounts, settings: PhraseSettings
) -> dict[tuple[int, ...], tuple[float, int]]:
    """Return token ids of a phrase -> (score, occurrences), for the pairs whose score reaches the threshold."""
    scores = pair_scores(pairs, settings)
    rows = np.flatnonzero(scores >= settings.lowest_score)
    spans = pairs.spans[rows].tolist()
    ids = (tuple(store.ids[first:end].tolist()) for first, end in spans)
    return dict(zip(ids, zip(scores[rows].tolist(), pairs.joint[rows].tolist(), strict=True), strict=True))


def pair_scores(pairs: PairCounts, settings: PhraseSettings) -> Floats:
    """Return the association score of each pair of neighbouring units, float64 [k].

    Args:
        pairs: the counts of k pairs.
        settings: the settings of the search, which name the scoring.
    """
    if settings.scoring == "npmi":
        return npmi(pairs.joint, pairs.left, pairs.right, pairs.total)
    return word2phrase(pairs.joint, pairs.left, pairs.right, pairs.total, settings.min_count)


def _letters(tokenizer: Tokenizer) -> Flags:
    """Return for each id of the vocabulary whether its token contains a letter, bool [vocabulary]."""
    flags = np.zeros(tokenizer.vocab_size, dtype=np.bool_)
    special = set(tokenizer.special_ids.values())
    for index in tokenizer.vocabulary.values():
        flags[index] = index not in special and any(map(str.isalpha, tokenizer.spelling(index)))
    return flags


def _spelled(phrase_ids: dict[tuple[int, ...], tuple[float, int]], tokenizer: Tokenizer) -> Iterator[Phrase]:
    """Yield the phrases as text, without those whose text is tokenized into other ids: they would never match.

    Args:
        phrase_ids: token ids of a phrase -> (score, occurrences).
        tokenizer: the tokenizer of the corpus.
    """
    texts = [_text(ids, tokenizer) for ids in phrase_ids]
    readings = [tokenizer.ids([before + text for text in texts], special=False) for before in ("", " ")]
    for (ids, (score, count)), text, *read in zip(phrase_ids.items(), texts, *readings, strict=True):
        if ids in {tuple(each.tolist()) for each in read}:
            yield Phrase(text, score, count)


def _text(ids: Sequence[int], tokenizer: Tokenizer) -> str:
    """Return the text that token ids spell, with their subwords joined to words."""
    words: list[str] = []
    for index in ids:
        piece, spelling = tokenizer.token(index), tokenizer.spelling(index)
        if words and not _begins_word(piece, tokenizer.blank_mark):
            words[-1] += spelling.removeprefix("##")
        else:
            words.append(spelling)
    return join_words([word for word in words if word])


def _begins_word(piece: str, blank_mark: str) -> bool:
    return piece.startswith(blank_mark) if blank_mark else not piece.startswith("##")
