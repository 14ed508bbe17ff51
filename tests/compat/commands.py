"""The command lines behind the fixtures: a stopped run goes on under the very command that began it.

Each ends where the output's path follows, and is run in a folder that holds the inputs, so that no path says where it
was made. Where a flag gets another name, it is changed here alone, and what the earlier version wrote must still open.
"""

STEPS = 12
LEARN = f"--layout lines --with lengths=16,32 --with batch=8 --with rate=0.01 --steps {STEPS}"
LEARN += " --threads 1 --looks 2 --dtype float32"
TUNE = "--model encoder --restarts 2 --rate 3e-2 --epochs 6 --dev 0.3 --processes 1"
WORTH = "--model encoder --vectors vectors.txt --seeds 2 --threads 1 --no-finetune"
LABELS = "--label praise --label blame"
STUDY = "--models encoder vectors.txt --draws 100"

TOKENIZER = "tokenizer corpus --layout lines --size 120 --out"
READ = f"pretrain corpus --tokenizer tokenizer --shape 1x8 {LEARN} --held-out held-out.txt --milestone 0.5"
PRETRAIN = f"{READ} --out"
BUDGET = "pretrain corpus --tokenizer tokenizer --shape 1x8 --layout lines --with lengths=16,32 --budget 4s"
BUDGET += " --held-out held-out.txt --threads 1 --looks 2 --dtype float32 --out"
ADAPT = f"adapt base --corpus other.txt --vocabulary extend --pieces 20 {LEARN} --out"
MODELS = {
    "adapted": ADAPT,
    "pairs": f"{READ} --recipe paper --out",
    "ours": f"{READ} --with positions=rotary --with neighbours=no --with gated=yes --with biases=no --out",
    "causal-bert": f"{READ} --architecture causal-bert --out",
    "gpt": f"{READ} --architecture gpt --out",
    "bilm": f"{READ} --architecture bilm --out",
}
FILL = "fill base"
EVALUATE = "evaluate --draws 100"
TO_STATIC = "to-static encoder --corpus corpus --least 2 --width 4 --out"
EMBED = {
    "table": "embed texts.jsonl --model vectors.txt --out",
    "encoder": "embed texts.jsonl --model encoder --dtype float32 --out",
}

FINETUNE = f"finetune --data reviews.csv {TUNE} --out"
GRID = "finetune --data reviews.csv --grid paper --batch 16 --epochs 3 --model encoder --restarts 1"
GRID += " --dev 0.3 --processes 1 --out"
TUNED = {
    "single": ("reviews.csv", FINETUNE),
    "pair": ("pairs.csv", f"finetune --data pairs.csv --text-b second {TUNE} --out"),
    "regression": ("ratings.csv", f"finetune --data ratings.csv --kind regression {TUNE} --out"),
    "multilabel": ("topics.csv", f"finetune --data topics.csv {LABELS} {TUNE} --out"),
    "tags": ("names.conll", f"finetune --data names.conll {TUNE} --out"),
    "crf": ("names.conll", f"finetune --data names.conll --crf --bilstm {TUNE} --out"),
    "features": ("names.conll", f"finetune --data names.conll --features last {TUNE} --out"),
    "choice": ("choices.jsonl", f"finetune --data choices.jsonl --kind choice {TUNE} --out"),
    "span": ("spans.jsonl", f"finetune --data spans.jsonl --kind span {TUNE} --out"),
}
"""Fine-tunings: the file that they learn from and answer, and the command."""

STUDIES = {
    "worth-single": f"worth reviews.csv {WORTH} --out",
    "worth-pair": f"worth pairs.csv --text-b second {WORTH} --out",
    "worth-regression": f"worth ratings.csv --kind regression {WORTH} --out",
    "worth-multilabel": f"worth topics.csv {LABELS} {WORTH} --out",
    "worth-tags": f"worth names.conll {WORTH} --out",
    "worth-quick": "worth reviews.csv --quick --model encoder --limit 60 --seeds 2 --no-distil --no-finetune --out",
    "context": f"study context {STUDY} --data sentences.txt --out",
    "senses": f"study senses {STUDY} --data senses.csv --out",
    "words": "study words --models vectors.txt --data wordsets --draws 100 --out",
}
"""Studies whose records are kept."""
