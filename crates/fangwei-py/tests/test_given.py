"""Data may come in any form, and the score is the same."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import fangwei
import pytest
from conftest import SCORED, gold, pred, read


def forms() -> dict[str, Any]:
    """How records can be given, by name; each takes the records of a file."""
    import datasets
    import pandas
    import polars
    import pyarrow

    def arrow(records: list[dict[str, Any]]) -> Any:
        return fangwei.Rows(records).to_arrow()

    return {
        "records": lambda records: records,
        "an iterator": iter,
        "pandas": pandas.DataFrame,
        "pyarrow": arrow,
        "pyarrow batches": lambda records: pyarrow.RecordBatchReader.from_batches(
            arrow(records).schema, arrow(records).to_batches(max_chunksize=2)
        ),
        "polars": lambda records: polars.DataFrame(arrow(records)),
        "polars lazy": lambda records: polars.DataFrame(arrow(records)).lazy(),
        "datasets": lambda records: datasets.Dataset(arrow(records)),
        "datasets, shuffled and selected": lambda records: datasets.Dataset(arrow(records + records[:1]))
        .shuffle(seed=1)
        .select(range(len(records) + 1))
        .filter(lambda _row, index: True, with_indices=True),
    }


@pytest.mark.parametrize("task", SCORED)
@pytest.mark.parametrize("form", forms())
def test_the_score_does_not_depend_on_the_form(task: str, form: str) -> None:
    expected = fangwei.score(task, gold(task), pred(task))
    given = forms()[form](read(pred(task)))
    if "shuffled" in form:
        assert fangwei.score(task, gold(task), given).measures == expected.measures
        return
    found = fangwei.score(task, forms()[form](read(gold(task))), given)
    assert found.measures == expected.measures
    assert found.per_item.to_dicts() == expected.per_item.to_dicts()


def test_packed_files_bytes_and_open_files_are_read(tmp_path: Path) -> None:
    task = "2023/anomaly"
    expected = fangwei.score(task, gold(task), pred(task)).measures
    packed = tmp_path / "pred.jsonl.gz"
    packed.write_bytes(gzip.compress(pred(task).read_bytes()))
    assert fangwei.score(task, str(gold(task)), packed).measures == expected
    assert fangwei.score(task, gold(task).read_bytes(), packed).measures == expected
    with gold(task).open(encoding="utf-8") as file:
        assert fangwei.score(task, file, packed).measures == expected


def test_one_record_and_columns_are_records() -> None:
    import numpy

    gold = {"qid": ["1", "2"], "context": ["书在桌上", "猫"], "judge": [1, 0]}
    assert fangwei.score("2022/judge", gold, {"qid": "1", "judge": 1}).answered == 1
    assert fangwei.score("2022/judge", gold, {"qid": numpy.array(["1", "2"]), "judge": numpy.array([1, 0])}).value == 1.0
    board = {"name": ["甲", "乙"], "kind": ["team", "team"], "judge": [0.7, 0.6]}
    assert [row.name for row in fangwei.rank(board, "2022").rows] == ["甲", "乙"]
    with pytest.raises(fangwei.errors.InputError, match="data: expected columns of one length, found qid 2, judge 1"):
        fangwei.load({"qid": ["1", "2"], "judge": [1]})


def test_a_missing_number_in_pandas_is_a_missing_answer() -> None:
    import pandas

    gold = pandas.DataFrame({"qid": ["1", "2"], "context": ["书在桌上", "猫"], "judge": [1, 0]})
    pred = pandas.DataFrame({"qid": ["1", "2"], "judge": [1, None]}, index=["a", "b"])
    scored = fangwei.score("2022/judge", gold, pred)
    assert (scored.answered, scored.value) == (1, 0.5)
    assert [defect.code for defect in scored.defects] == ["missing-field"]


def test_what_is_no_data_is_refused_by_name() -> None:
    with pytest.raises(fangwei.errors.InputError, match="pred: expected a path, records or a table, found builtins.int"):
        fangwei.score("2022/judge", [], 3)  # type: ignore[arg-type]
    with pytest.raises(fangwei.errors.InputError, match="pred:2: expected a record") as raised:
        fangwei.score("2022/judge", [], [{"qid": "1"}, "2"])  # type: ignore[list-item]
    assert raised.value.found == "str"
    with pytest.raises(fangwei.errors.InputError, match="plain values"):
        fangwei.load([{"qid": object()}])


def test_a_dictionary_of_splits_is_no_dataset() -> None:
    import datasets

    splits = datasets.DatasetDict({"train": datasets.Dataset.from_list([{"qid": "1"}])})
    with pytest.raises(fangwei.errors.InputError):
        fangwei.load(splits)


def test_tables_come_and_go_without_copies(passages: fangwei.Frame) -> None:
    import polars
    import pyarrow

    table = passages.to_arrow()
    assert isinstance(table, pyarrow.Table) and table.num_rows == len(passages)
    # Two tables of one frame share their buffers.
    again = pyarrow.table(passages)
    assert table["text"].chunk(0).buffers()[2].address == again["text"].chunk(0).buffers()[2].address
    assert polars.DataFrame(passages).height == passages.to_pandas().shape[0] == len(passages.to_dicts())
    kept = fangwei.select(table, max_guessed=0.9).passages
    assert kept.to_dicts() == fangwei.select(polars.DataFrame(passages), max_guessed=0.9).passages.to_dicts()


def test_dictionaries_large_lists_and_maps_are_understood() -> None:
    import pyarrow

    table = pyarrow.table(
        {
            "qid": pyarrow.array(["1", "2"]).dictionary_encode(),
            "context": pyarrow.array(["书在桌上", "书在桌外"], pyarrow.large_string()),
            "judge": pyarrow.array([1, 0], pyarrow.uint8()),
            "origin": pyarrow.array(["a", None]),
        }
    )
    items = fangwei.load(table)
    assert items == [
        {"qid": "1", "context": "书在桌上", "judge": 1, "origin": "a"},
        {"qid": "2", "context": "书在桌外", "judge": 0},
    ]


def test_ends_of_lines_that_only_python_knows_stand_within_a_text() -> None:
    """U+2028 and its like end a line for ``str.splitlines``, and none in a file."""
    text = "书在\u2028桌上\u0085，猫\x1c在\x0b箱子\u2029里。"
    items = fangwei.load([{"qid": "1", "context": text, "judge": 1}, {"qid": "2", "context": "猫", "judge": 0}])
    assert [item["context"] for item in items] == [text, "猫"]
    assert fangwei.tag(text).text == text
    passage = {"id": "a#1", "genre": "x", "source": "a", "line": 1, "text": text}
    assert [row["text"] for row in fangwei.tag_table([passage])] == [text]
    assert fangwei.convert("2022/judge", "2021/judge", items).records()[0]["context"] == text


def test_half_a_character_is_told_with_its_line() -> None:
    items = fangwei.load([{"qid": "1", "context": "猫", "judge": 1}, {"qid": "2", "context": "\ud800", "judge": 1}], "2022/judge")
    assert len(items) == 1 and [defect.line for defect in items.defects] == [2]
    item = {"qid": "1", "context": "猫\ud83d", "judge": 1}
    assert fangwei.Asker("2022/judge").read(item, '{"judge": 1} \ud83d').pred == {"qid": "1", "judge": 1}


def test_a_table_without_rows_gives_one_without_rows() -> None:
    import pandas
    import polars
    import pyarrow

    columns = ["id", "genre", "source", "line", "text"]
    for empty in (pandas.DataFrame(columns=columns), polars.DataFrame(schema=dict.fromkeys(columns, polars.String)), pyarrow.table({name: [] for name in columns})):
        tagged = fangwei.tag_table(empty)
        assert len(tagged) == 0 and {"text", "words"} <= set(tagged.columns)
        assert len(fangwei.select(tagged).passages) == 0 == len(fangwei.substitute(tagged).candidates)
