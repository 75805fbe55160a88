"""What Python costs: import, and scoring 100,000 items through the package beside the command on the same files, in turn.

    FANGWEI=target/release/fangwei python benches/python.py [ITEMS]

Needs the package as a release build. The sample of each task is repeated under new qids, as `benches/score.rs` does.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import fangwei

ROUNDS = 7


def repeat(path: Path, out: Path, items: int) -> None:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    with out.open("w", encoding="utf-8") as file:
        for number in range(items):
            record = records[number % len(records)]
            file.write(json.dumps({**record, "qid": f"{record['qid']}-{number // len(records)}"}, ensure_ascii=False) + "\n")


def timed(work) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main() -> None:
    items = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    sample = Path(__file__).parents[1] / "data" / "sample"
    imports = [
        float(subprocess.run([sys.executable, "-c", "import time; a = time.perf_counter(); import fangwei; print(time.perf_counter() - a)"], capture_output=True, text=True, check=True).stdout)
        for _ in range(ROUNDS)
    ]
    print(f"import fangwei: median {statistics.median(imports) * 1000:.0f} ms, best {min(imports) * 1000:.0f} ms\n")
    print("| task | items | command s | Python s | ratio | from a pandas frame s | from pyarrow s |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for task in ("2023/roles", "2023/anomaly", "2022/judge"):
            gold, pred = Path(folder) / "gold.jsonl", Path(folder) / "pred.jsonl"
            repeat(sample / task / "gold.jsonl", gold, items)
            repeat(sample / task / "pred.jsonl", pred, items)
            command, python = [], []
            for _ in range(ROUNDS):
                run = [os.environ["FANGWEI"], "score", task, "--gold", str(gold), "--pred", str(pred), "--format", "json"]
                command.append(timed(lambda: subprocess.run(run, check=True, capture_output=True)))
                python.append(timed(lambda: fangwei.score(task, gold, pred)))
            tables = [fangwei.load(one).to_arrow() for one in (gold, pred)]
            frames = [table.to_pandas() for table in tables]
            arrow = min(timed(lambda: fangwei.score(task, *tables)) for _ in range(3))
            pandas = min(timed(lambda: fangwei.score(task, *frames)) for _ in range(3))
            best, other = min(command), min(python)
            print(f"| {task} | {items:,} | {best:.2f} | {other:.2f} | {other / best:.2f} | {pandas:.2f} | {arrow:.2f} |", flush=True)


if __name__ == "__main__":
    main()
