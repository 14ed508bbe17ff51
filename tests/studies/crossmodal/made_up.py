"""Features of words as six speakers say them, with sounds: two rows a word, near the middle of the word."""

import wave

import numpy as np

WORDS = ("red", "green", "blue", "black")
FAST = {
    "k": 4,
    "depth": 1,
    "width": 8,
    "heads": 2,
    "layers": 1,
    "steps": 4,
    "batch_size": 8,
    "max_length": 24,
    "candidates": 6,
    "examples": 2,
    "draws": 100,
    "device": "cpu",
}


def write_inputs(folder, count=60, groups=6, *, sounds=True, seed=0):
    """Write features.npy and captions.csv of sequences of one to three words; return both paths."""
    draw = np.random.default_rng(seed)
    middles = 10 * draw.normal(size=(len(WORDS), 3))
    rows, lines = [], ["start,end,text,group" + (",audio" if sounds else "")]
    for number in range(count):
        words = draw.integers(0, len(WORDS), draw.integers(1, 4))
        own = np.repeat(middles[words], 2, axis=0) + draw.normal(size=(2 * len(words), 3))
        start = sum(map(len, rows))
        cells = [start, start + len(own), " ".join(WORDS[word] for word in words), f"speaker{number % groups}"]
        if sounds:
            write_sound(folder / f"{number}.wav", 200 * draw.normal(size=800))
            cells.append(f"{number}.wav")
        rows.append(own)
        lines.append(",".join(map(str, cells)))
    np.save(folder / "features.npy", np.concatenate(rows).astype(np.float32))
    (folder / "captions.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "features.npy", folder / "captions.csv"


def write_sound(path, samples, rate=8_000, width=2, channels=1):
    """Write samples as a WAV."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(np.asarray(samples).astype(f"<i{width}").tobytes())
