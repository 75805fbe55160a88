"""The package as a whole: quick to import, typed, free of the interpreter's lock while it works."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
import time
from importlib import resources

import fangwei
import pytest
from conftest import gold, pred


def test_import_is_quick_and_loads_nothing_else() -> None:
    asked = "import sys, time; begun = time.perf_counter(); import fangwei; took = time.perf_counter() - begun; print(took, *sys.modules)"
    runs = [subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.split() for _ in range(5)]
    assert min(float(run[0]) for run in runs) < 0.1
    assert not {"pandas", "polars", "pyarrow", "pyspark", "datasets", "numpy"} & set(runs[0][1:])


def test_it_is_typed_and_says_its_version() -> None:
    assert resources.files("fangwei").joinpath("py.typed").is_file()
    assert fangwei.__version__.count(".") == 2
    assert set(fangwei.__all__) <= set(dir(fangwei))


def test_the_lock_is_free_while_rust_works() -> None:
    """A counter in another thread goes on while texts are tagged."""
    texts = ["他跳进山洞里，又从山洞里走出来，站在洞口往外看。" * 20] * 8000
    fangwei.tag("山")
    ticks, done = 0, threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    from fangwei.steps.tag import tagger

    thread = threading.Thread(target=count)
    thread.start()
    begun, before = time.perf_counter(), ticks
    tagger(None).texts(texts)
    took, counted = time.perf_counter() - begun, ticks - before
    done.set()
    thread.join()
    assert took > 0.05, "too quick to tell"
    # With the lock held it would be 0 or 1.
    assert counted > took * 1000 / 20, f"{counted} ticks in {took:.3f} s"


def test_several_threads_score_at_once() -> None:
    expected = fangwei.score("2023/roles", gold("2023/roles"), pred("2023/roles")).measures
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(fangwei.score("2023/roles", gold("2023/roles"), pred("2023/roles")).measures))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def test_reports_can_be_pickled_and_compared() -> None:
    ranking = fangwei.rank([{"name": "甲", "judge": 0.5}, {"name": "乙", "judge": 0.25}])
    assert pickle.loads(pickle.dumps(ranking)) == ranking
    error = fangwei.errors.UnknownNameError("x", asked="a", nearest=None, known=[])
    assert isinstance(pickle.loads(pickle.dumps(error)), fangwei.errors.UnknownNameError)


@pytest.mark.parametrize("task", [task.id for task in fangwei.tasks()])
def test_every_task_is_served(task: str) -> None:
    sample = fangwei.sample(task)
    assert sample and sample.answered == len(sample) and not [one for one in sample.defects if one.severity == "error"]
    assert fangwei.validate(task, sample, sample).records == len(sample)
    scored = fangwei.score(task, sample, sample)
    assert scored.answered == scored.items == len(scored.per_item) == len(sample)
    assert scored.value == pytest.approx(1.0) or task == "2023/scene", scored.measures
    assert scored.ranking in scored.flat()
    asker = fangwei.Asker(task)
    for item in sample[:3]:
        assert asker.messages(item)[-1]["role"] == "user"
        assert asker.read(item, asker.ideal(item)).state == "parsed"
