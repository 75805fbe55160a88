"""On Spark the same bytes come out as from the commands, however the rows lie, and whatever dies on the way."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fangwei
import pytest
from conftest import SAMPLE, read

pytestmark = pytest.mark.spark

pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("no Java here", allow_module_level=True)

from fangwei import spark as fs  # noqa: E402

Program = Callable[..., str]


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two worker processes with one core each, as on a cluster of two machines."""
    from pyspark.sql import SparkSession

    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("fangwei")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.local.dir", str(tmp_path_factory.mktemp("spark")))
        .config("spark.sql.files.maxPartitionBytes", "120000")
        .config("spark.sql.files.openCostInBytes", "1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def made(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands make of the sample, each step from the one before."""
    folder = tmp_path_factory.mktemp("commands")
    # Copies and near copies, so that there is something to leave out.
    lines = [line for file in sorted((SAMPLE / "source").rglob("*.txt")) for line in file.read_text(encoding="utf-8").splitlines()]
    (folder / "raw").mkdir()
    (folder / "raw" / "a.txt").write_text("\n".join(lines), encoding="utf-8")
    (folder / "raw" / "b.txt").write_text("\n".join([*lines[:40], *(line.replace("了", "过") for line in lines[40:90])]), encoding="utf-8")
    program("corpus", folder / "raw", "-o", folder / "all.jsonl", "--target", 256, "--near", "off")
    program("corpus", folder / "raw", "-o", folder / "passages.jsonl", "--target", 256, "--near", 0.7)
    program("select", folder / "passages.jsonl", "-o", folder / "originals.jsonl", "--report", folder / "funnel.json", "--set", "max_guessed=0.9", "--total", 120, "--seed", 7)
    told = program("substitute", folder / "originals.jsonl", "-o", folder / "candidates.jsonl", "--seed", 5, "--per-pair", 20, "--blind", folder / "items.jsonl", "--key", folder / "key.jsonl", "--format", "json")
    (folder / "substitute.json").write_text(told, encoding="utf-8")
    return folder


def written(folder: Path) -> bytes:
    return b"".join(part.read_bytes() for part in sorted(folder.glob("part-*")))


SHUFFLES = [1, 5]


@pytest.mark.parametrize("partitions", SHUFFLES)
def test_duplicates_are_those_of_the_command(spark: Any, made: Path, tmp_path: Path, partitions: int) -> None:
    everything = fs.read_passages(spark, made / "all.jsonl")
    found = fs.deduplicate(everything.repartition(partitions, "text"), 0.7)
    fs.write_lines(found.passages, tmp_path / "out", files=3)
    assert written(tmp_path / "out") == (made / "passages.jsonl").read_bytes()
    assert found.near > 5 and found.kept == len(read(made / "passages.jsonl"))


def test_documents_are_cut_and_tagged_as_files_are(spark: Any, made: Path, tmp_path: Path) -> None:
    names = sorted((made / "raw").glob("*.txt"))
    rows = [(number, file.name, file.read_text(encoding="utf-8")) for number, file in enumerate(names)]
    documents = spark.createDataFrame(rows, "number long, name string, text string").repartition(2)
    passages = fs.tag(fs.deduplicate(fs.cut(documents, target=256)).passages)
    fs.write_lines(passages, tmp_path / "out", compression="none")
    assert written(tmp_path / "out") == (made / "passages.jsonl").read_bytes()


@pytest.mark.parametrize("partitions", SHUFFLES)
def test_the_selection_is_that_of_the_command(spark: Any, made: Path, tmp_path: Path, partitions: int) -> None:
    passages = fs.read_passages(spark, made / "passages.jsonl").repartition(partitions, "id")
    found = fs.select(passages, max_guessed=0.9, total=120, seed=7)
    fs.write_lines(found.passages, tmp_path / "out", files=2)
    assert written(tmp_path / "out") == (made / "originals.jsonl").read_bytes()
    report = json.loads((made / "funnel.json").read_text(encoding="utf-8"))
    assert (found.total, found.genres, found.model_load) == (report["total"], report["genres"], report["model_load"])


@pytest.mark.parametrize("partitions", SHUFFLES)
def test_the_candidates_are_those_of_the_command(spark: Any, made: Path, tmp_path: Path, partitions: int) -> None:
    originals = fs.read_passages(spark, [made / "originals.jsonl"]).repartition(partitions, "text")
    found = fs.substitute(originals, seed=5, per_pair=20)
    fs.write_lines(found.candidates, tmp_path / "out", "candidate", files=3)
    assert written(tmp_path / "out") == (made / "candidates.jsonl").read_bytes()
    told = json.loads((made / "substitute.json").read_text(encoding="utf-8"))
    assert found.funnel == told["funnel"] and found.means == told["means"]
    if partitions > 1:
        return
    # Blind items are made from the candidates on one machine, and are those of the command.
    blind = fangwei.blind(found.candidates.orderBy("number", "place").toArrow(), seed=5)
    assert (blind.items, blind.key) == (read(made / "items.jsonl"), read(made / "key.jsonl"))
    assert fs.substitute(originals.where("false")).funnel["originals"] == 0
    kept = fs.substitute(originals, keep=found.candidates.drop("number", "place"), single=0, double=0)
    assert kept.funnel["kept"] == kept.candidates.count() == found.candidates.count()


@pytest.mark.parametrize("partitions", SHUFFLES)
def test_the_audit_is_that_of_the_command(spark: Any, program: Program, partitions: int) -> None:
    files = {name: SAMPLE / "gold" / f"{name}.jsonl" for name in ("judge", "attribute", "scene")}
    told = json.loads(program("audit", *files.values(), "--format", "json"))
    frames = {}
    for name, file in files.items():
        rows = fangwei.Rows([{"number": number, **row} for number, row in enumerate(read(file))])
        frames[str(file)] = spark.createDataFrame(rows.to_arrow()).repartition(partitions)
    found = fs.audit(frames)
    expected = fangwei.audit(list(files.values()))
    assert found == expected
    assert found.groups == told["groups"] and found.markdown == expected.markdown


def test_rows_of_ones_own_get_numbers_by_their_order(spark: Any) -> None:
    frame = spark.createDataFrame([("b", 2), ("a", 9), ("b", 1)], "source string, line int").repartition(3)
    assert sorted((row.number, row.source, row.line) for row in fs.numbered(frame, "source", "line").collect()) == [(0, "a", 9), (1, "b", 1), (2, "b", 2)]
    with pytest.raises(fangwei.errors.ColumnError, match="expected a column number, found source, line"):
        fs.deduplicate(frame)
    # An empty cell is a value like others; two rows of one place have no order.
    empty = spark.createDataFrame([("b", 2), (None, 9), ("b", None)], "source string, line int")
    assert sorted((row.number, row.source, row.line) for row in fs.numbered(empty, "source", "line").collect()) == [(0, None, 9), (1, "b", None), (2, "b", 2)]
    # Whatever the frame's own columns are called.
    odd = spark.createDataFrame([("b", "y", "z"), ("a", "x", "w")], "source string, _source string, key string")
    assert [tuple(row) for row in fs.numbered(odd, "source").orderBy("number").collect()] == [("a", "x", "w", 0), ("b", "y", "z", 1)]
    for twice in ([("b", 2), ("a", 1), ("b", 2)], [(None, 2), ("a", 1), (None, 2)]):
        with pytest.raises(Exception, match="two rows have the same source, line: .*2"):
            fs.numbered(spark.createDataFrame(twice, "source string, line int"), "source", "line").collect()


def test_numbers_that_tell_no_order_are_refused(spark: Any) -> None:
    twice = spark.createDataFrame([(7, "书在桌上。"), (7, "猫在箱子里。")], "number long, text string")
    with pytest.raises(Exception, match="prints must come in the order of their numbers, each once: 7 came after 7"):
        fs.deduplicate(twice)
    empty = spark.createDataFrame([(None, "书在桌上。")], "number long, text string")
    with pytest.raises(Exception, match="number of 64-bit numbers without empty cells"):
        fs.deduplicate(empty)
    with pytest.raises(fangwei.errors.InputError, match="paths: expected at least one file, found none"):
        fs.read_lines(spark, [])
    far = spark.createDataFrame([(1 << 40, "a", "书在桌上。", 1)], "number long, qid string, context string, judge int")
    with pytest.raises(fangwei.errors.ColumnError, match=r"far: expected numbers from 0 to \d+, found 1099511627776"):
        fs.audit({"far": far})


def test_lines_keep_their_numbers_when_spark_cuts_files_anew(spark: Any, made: Path) -> None:
    """Executors come and go and settings change between two jobs over one frame: Spark then reads other splits."""
    lines = (made / "all.jsonl").read_text(encoding="utf-8").splitlines()
    rows = fs.read_lines(spark, made / "all.jsonl")
    name = "spark.sql.files.maxPartitionBytes"
    before = spark.conf.get(name)
    try:
        for size in ("50000", "777777"):
            spark.conf.set(name, size)
            assert [row.value for row in rows.orderBy("number").collect()] == lines
            assert {row.number for row in rows.select("number").collect()} == set(range(len(lines)))
        assert rows.rdd.getNumPartitions() > 1
    finally:
        spark.conf.set(name, before)
    # It is a frame of the caller's session: its views are there.
    rows.createOrReplaceTempView("lines_of_a_file")
    assert spark.sql("select count(*) as n from lines_of_a_file").first().n == len(lines)


def test_what_is_no_passage_is_told_and_left_out(spark: Any, made: Path, tmp_path: Path) -> None:
    lines = (made / "passages.jsonl").read_text(encoding="utf-8").splitlines()[:20]
    (tmp_path / "broken.jsonl").write_text("\n".join([*lines, "", "{broken", '{"id":"x"}']), encoding="utf-8")
    assert fs.read_passages(spark, tmp_path / "broken.jsonl").count() == 20
    rejected = fs.read_passages(spark, tmp_path / "broken.jsonl", rejected=True).orderBy("number").collect()
    assert [row.number for row in rejected] == [21, 22] and "passages:22" in rejected[0].defect
    rows = fs.read_passages(spark, tmp_path / "broken.jsonl")
    found = fs.select(rows.withColumn("text", pyspark.sql.functions.expr("if(number = 3, 'x', text)")), max_guessed=0.9)
    assert found.defective == 1 and "words-mismatch" in found.defects[0]


def test_a_worker_that_is_killed_changes_nothing(spark: Any, made: Path, tmp_path: Path) -> None:
    """In the middle of a job one of the two executors gets SIGKILL; the job ends with the same bytes."""
    passages = fs.read_passages(spark, made / "all.jsonl")
    # The same passages many times under other numbers, slow enough to be caught in the middle.
    many = passages.crossJoin(spark.range(0, 40).withColumnRenamed("id", "copy")).selectExpr(
        "copy * 1000000 + number as number", "concat(id, '-', copy) as id", "genre", "source", "line", "text", "words", "doubts"
    )
    killed: list[int] = []
    begun = threading.Event()

    def kill() -> None:
        begun.wait(60)
        deadline = time.monotonic() + 60
        while not killed and time.monotonic() < deadline:
            time.sleep(1.0)
            active = spark.sparkContext.statusTracker().getActiveStageIds()
            listed = subprocess.run(["pgrep", "-f", "CoarseGrainedExecutorBackend"], capture_output=True, text=True, check=False).stdout
            mine = [int(pid) for pid in listed.split() if "--cores 1" in Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()]
            if active and len(mine) >= 2:
                os.kill(mine[0], signal.SIGKILL)
                killed.append(mine[0])

    thread = threading.Thread(target=kill)
    thread.start()
    begun.set()
    tagged = fs.tag(many.drop("words", "doubts"))
    found = fs.select(fs.deduplicate(tagged, None).passages.repartition(6), max_guessed=0.9, total=90, seed=3)
    fs.write_lines(found.passages, tmp_path / "out", files=2)
    thread.join()
    assert killed, "no executor was there to be killed"
    assert written(tmp_path / "out") == alone(made / "all.jsonl")


def alone(file: Path) -> bytes:
    """What one machine makes of the same rows: of exact copies the first stays, and it is of the first round."""
    import pyarrow as pa
    import pyarrow.compute as compute
    from fangwei import parts

    lines = file.read_text(encoding="utf-8").splitlines()
    rows = parts.read_passages(pa.record_batch({"number": pa.array(range(len(lines))), "value": lines})).drop_columns(["defect"])
    first = compute.equal(parts.Seen(None).judge(parts.prints(rows))["verdict"], 0)
    once = rows.filter(first).to_pandas().assign(id=lambda frame: frame["id"] + "-0")
    kept = fangwei.select(once.drop(columns="number"), max_guessed=0.9, total=90, seed=3).passages.to_arrow()
    assert 0 < kept.num_rows < len(once)
    numbered = kept.append_column("number", pa.array(range(kept.num_rows)))
    return "".join(f"{line}\n" for line in parts.lines(numbered)["value"].to_pylist()).encode()
