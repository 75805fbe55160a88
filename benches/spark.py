"""How the corpus steps scale on Spark: 1 and 2 cores, texts of several sizes, beside the commands on one thread measured in the same run.

    FANGWEI=target/release/fangwei python benches/spark.py [MEGABYTES…]      (default: 10 100 1000)

Needs the Python package as a release build, PySpark and Java. Texts are sentences of the sample put together anew, the same in every run.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession

from fangwei import spark as fs

SAMPLE = Path(__file__).parents[1] / "data" / "sample"
SETTINGS = {"max_guessed": 0.9, "total": 10_000}


def text(path: Path, megabytes: int) -> None:
    """Paragraphs of one to three sentences, a line each, in files of at most 64 MB."""
    sentences = [
        part.strip() + "。"
        for file in sorted((SAMPLE / "source").rglob("*.txt"))
        for part in file.read_text(encoding="utf-8").replace("\n", "").split("。")
        if 12 < len(part) < 90
    ]
    chance, written, number = random.Random(megabytes), 0, 0
    path.mkdir()
    while written < megabytes * 1_000_000:
        lines, size = [], 0
        while size < min(64_000_000, megabytes * 1_000_000 - written):
            line = "".join(chance.choices(sentences, k=chance.randint(1, 3))) + "\n"
            lines.append(line)
            size += len(line.encode())
        (path / f"{number:04}.txt").write_text("".join(lines), encoding="utf-8")
        written, number = written + size, number + 1


def timed(work) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def command(*arguments: object) -> float:
    return timed(lambda: subprocess.run([os.environ["FANGWEI"], "--threads", "1", *map(str, arguments)], check=True, capture_output=True))


def session(cores: int, scratch: Path) -> SparkSession:
    made = (
        SparkSession.builder.master(f"local[{cores}]")
        .config("spark.driver.memory", "6g")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "16")
        # Some seconds of work a task, on two cores as on a cluster.
        .config("spark.sql.files.maxPartitionBytes", "16000000")
        .config("spark.local.dir", str(scratch))
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("OFF")
    return made


def steps(spark: SparkSession, raw: Path, out: Path) -> dict[str, float]:
    """Seconds of each step; what one step makes lies as Parquet before the next begins."""
    took = {}
    # A line is a document here: a file of its own would not be split.
    lines = fs.read_lines(spark, raw)
    documents = lines.selectExpr("number", "concat('bench/', number) as name", "'bench' as genre", "value as text")
    took["cut and tag"] = timed(lambda: fs.tag(fs.cut(documents, target=256)).write.parquet(f"{out}/tagged"))
    tagged = spark.read.parquet(f"{out}/tagged")
    took["deduplicate"] = timed(lambda: fs.deduplicate(tagged).passages.write.parquet(f"{out}/once"))
    once = spark.read.parquet(f"{out}/once")
    took["select"] = timed(lambda: fs.select(once, **SETTINGS).passages.write.parquet(f"{out}/originals"))
    originals = spark.read.parquet(f"{out}/originals")
    took["substitute"] = timed(lambda: fs.substitute(originals).candidates.write.parquet(f"{out}/candidates"))
    return took


def reference(raw: Path, out: Path) -> dict[str, float]:
    """The commands on one thread, on the same text; corpus cuts, tags and leaves out duplicates in one go."""
    out.mkdir()
    took = {"cut, tag, deduplicate": command("corpus", raw, "-o", out / "passages.jsonl", "--target", 256)}
    settings = ["--set", f"max_guessed={SETTINGS['max_guessed']}", "--total", SETTINGS["total"]]
    took["select"] = command("select", out / "passages.jsonl", "-o", out / "originals.jsonl", *settings)
    took["substitute"] = command("substitute", out / "originals.jsonl", "-o", out / "candidates.jsonl")
    return took


def measured(cores: int, raw: Path, out: Path) -> dict[str, float]:
    """The steps in a process of its own, which with all that it starts has these cores and no others: a task of Spark is a thread of Java and one
    or two processes of Python, and without the bound "one core" would use two."""
    run = [sys.executable, __file__, "--on", str(cores), str(raw), str(out)]
    done = subprocess.run(run, check=True, capture_output=True, text=True, preexec_fn=lambda: os.sched_setaffinity(0, set(range(cores))))
    return dict(json.loads(done.stdout.splitlines()[-1]))


def on(cores: int, raw: Path, out: Path) -> None:
    spark = session(cores, out / "spark")
    # The first job starts Python workers; a cluster that runs has them.
    spark.range(cores * 4).mapInArrow(lambda batches: batches, "id long").count()
    took = steps(spark, raw, out)
    spark.stop()
    print(json.dumps(took))


def main() -> None:
    os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    if sys.argv[1:2] == ["--on"]:
        on(int(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]))
        return
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        print("| MB | where | cut and tag s | deduplicate s | select s | substitute s | all s | MB/s | ratio |")
        print("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for megabytes in [int(size) for size in sys.argv[1:]] or [10, 100, 1000]:
            raw = scratch / f"raw-{megabytes}"
            text(raw, megabytes)
            told = reference(raw, scratch / f"reference-{megabytes}")
            whole = sum(told.values())
            cells = [f"{told['cut, tag, deduplicate']:.1f}", "", f"{told['select']:.1f}", f"{told['substitute']:.1f}"]
            print(f"| {megabytes:,} | the commands, one thread | {' | '.join(cells)} | {whole:.1f} | {megabytes / whole:.1f} | 1.00 |", flush=True)
            for cores in (1, 2):
                out = scratch / f"spark-{megabytes}-{cores}"
                out.mkdir()
                took = measured(cores, raw, out)
                total = sum(took.values())
                seconds = " | ".join(f"{one:.1f}" for one in took.values())
                print(f"| {megabytes:,} | Spark, {cores} core{'s' * (cores > 1)} | {seconds} | {total:.1f} | {megabytes / total:.1f} | {total / whole:.2f} |", flush=True)
                shutil.rmtree(out)
            shutil.rmtree(raw)


if __name__ == "__main__":
    main()
