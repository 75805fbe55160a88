"""Each error of the library is a class of its own, with its fields, in two languages."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fangwei
import pytest
from conftest import SAMPLE, gold
from fangwei import errors

PASSAGE = {"id": "a#1", "genre": "x", "source": "a", "line": 1, "text": "他跳进山洞里。"}
CANDIDATE = {"id": "a#1@6外", "origin": "a#1", "genre": "x", "source": "a", "line": 1, "context": "他跳进山洞外。", "replaced": []}
JUDGED = [{"qid": "1", "context": "书在桌上", "judge": 1}]


def marks(labels: list[str]) -> list[dict[str, str]]:
    return [{"item": str(n), "annotator": who, "label": label} for n, label in enumerate(labels) for who in "ab"]


CASES: list[tuple[str, Callable[[], Any], dict[str, Any]]] = [
    ("OpenError", lambda: fangwei.load("no/such.jsonl"), {"file": "no/such.jsonl"}),
    ("ReadError", lambda: fangwei.load(b"\x1f\x8bnot gzip"), {"file": "data"}),
    ("UnknownNameError", lambda: fangwei.score("2022/juge", [], []), {"asked": "2022/juge", "nearest": "2022/judge"}),
    ("UnknownNameError", lambda: fangwei.score("2022/judge", JUDGED, [], mode="oficial"), {"nearest": "official"}),  # type: ignore[arg-type]
    ("UnknownNameError", lambda: fangwei.score("2022/judge", JUDGED, JUDGED, by="gnre"), {"asked": "gnre"}),
    ("UnknownNameError", lambda: fangwei.convert("2022/roles", "bratt", []), {"asked": "2022/roles bratt"}),
    ("UnknownNameError", lambda: fangwei.lexicon().rivals("里", "locativ"), {"nearest": "locative"}),
    ("UnknownNameError", lambda: fangwei.agree(marks(["x", "y"]), exclude=["c"]), {"asked": "c", "known": ["a", "b"]}),
    ("UnknownNameError", lambda: fangwei.substitute([], without=["abstract"]), {"nearest": "abstract-noun"}),
    ("UnknownNameError", lambda: fangwei.Asker("2022/judge", "our"), {"nearest": "ours"}),
    ("SettingsError", lambda: fangwei.select([], min_densty=3), {}),
    ("ColumnError", lambda: fangwei.tag_table(fangwei.tag("山").frame, text="txt"), {"column": "txt"}),
    ("MissingGroupError", lambda: fangwei.score("2022/judge", JUDGED, JUDGED, ci=True, group="colour"), {"field": "colour", "without": 1}),
    ("GoldError", lambda: fangwei.score("2022/judge", [{"qid": "1"}], []), {}),
    ("NoMarksError", lambda: fangwei.agree([{"item": "1"}]), {}),
    ("EmptyBoardError", lambda: fangwei.rank(b"name,kind,judge\n"), {}),
    ("PassagesError", lambda: fangwei.tag_table([{"id": "1"}]), {}),
    ("CandidatesError", lambda: fangwei.substitute([], keep=[{"id": "x"}]), {}),
    ("ItemError", lambda: fangwei.Asker("2022/judge").messages({"qid": "1"}), {}),
    ("StatsError", lambda: fangwei.compare("2022/judge", JUDGED, []), {"what": "system"}),
    ("PolicyError", lambda: fangwei.rank(b"name,judge\nx,1\n", "2020"), {"what": "policy", "found": "2020"}),
    ("PolicyError", lambda: fangwei.rank(b"name,judge\nx,1\n", "2022", ddof=1), {"expected": "custom"}),
    ("TooManyLabelsError", lambda: fangwei.agree(marks([str(n) + "x" for n in range(70_000)]), resamples=0), {}),
    ("NoExtremesError", lambda: fangwei.agree(marks(["x", "y"]), triage="extremes"), {}),
    ("LengthsError", lambda: fangwei.corpus(SAMPLE, min=300), {"min": 300, "max": 256}),
    ("NearError", lambda: fangwei.corpus(SAMPLE, near=0.2), {"found": "0.2"}),
    ("TextFieldsError", lambda: fangwei.corpus(SAMPLE, text_fields=[]), {}),
    ("NegativeError", lambda: fangwei.select([], min_density=-1), {"field": "min_density"}),
    ("ShareError", lambda: fangwei.select([], max_guessed=8), {"field": "max_guessed"}),
    ("NoShareError", lambda: fangwei.select([], shares={"news": 0}), {}),
    ("ModelBitsError", lambda: fangwei.select([], model_bits=40), {"found": 40}),
    ("MisfitError", lambda: fangwei.substitute(fangwei.tag_table([PASSAGE]), keep=[{**PASSAGE, "origin": "b", "context": "", "replaced": []}]), {"id": "a#1"}),
    ("RepeatedIdError", lambda: fangwei.substitute(fangwei.tag_table([PASSAGE, PASSAGE])), {"id": "a#1"}),
    ("RepeatedIdError", lambda: fangwei.blind([CANDIDATE, CANDIDATE]), {"id": "a#1@6外"}),
    ("CandidatesError", lambda: fangwei.blind([CANDIDATE, {"id": "x"}]), {}),
    ("TooFewShotsError", lambda: fangwei.Asker("2022/judge", shots=1000), {"wanted": 1000}),
    ("NoSuchItemError", lambda: fangwei.Asker("2022/judge", choose="ids 9-9"), {"qid": "9-9"}),
    ("ModelFolderError", lambda: fangwei.explore("山", models=[SAMPLE]), {}),
    ("EmptyPassageError", lambda: fangwei.explore(" "), {}),
    ("PassageTooLongError", lambda: fangwei.explore("山" * 3000), {"found": 3000, "most": 2000}),
    ("InputError", lambda: fangwei.load(3), {"expected": "path, records or table"}),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("name", "fail", "fields"), CASES, ids=[f"{name}-{n}" for n, (name, _, _) in enumerate(CASES)])
def test_an_error_is_its_class_with_its_fields(name: str, fail: Callable[[], Any], fields: dict[str, Any]) -> None:
    with pytest.raises(errors.FangweiError) as raised:
        fail()
    assert type(raised.value).__name__ == name, repr(raised.value)
    assert {field: getattr(raised.value, field) for field in fields} == fields
    assert str(raised.value) and raised.value.message == str(raised.value)
    # Whatever the class says that it has, it has.
    for base in type(raised.value).__mro__:
        for field in inspect.get_annotations(base) if base.__module__ == "fangwei.errors" else ():
            assert hasattr(raised.value, field), field


def test_prompts_and_lexicons_with_errors_say_where(tmp_path: Path) -> None:
    (tmp_path / "prompt.md").write_text("# usr\n", encoding="utf-8")
    with pytest.raises(errors.PromptError) as raised:
        fangwei.Asker("2022/judge", prompt=tmp_path / "prompt.md")
    assert raised.value.defects[0].line == 1
    for table in (SAMPLE.parent / "lexicon").glob("*.tsv"):
        (tmp_path / table.name).write_text(table.read_text(encoding="utf-8") + "x\ty\tz\n", encoding="utf-8")
    with pytest.raises(errors.LexiconError) as bad:
        fangwei.Lexicon(tmp_path)
    assert bad.value.defects[0].file.endswith(".tsv")


def test_scores_of_two_modes_or_twice_cannot_be_ranked() -> None:
    one, other = (fangwei.score("2022/judge", JUDGED, JUDGED, mode=mode, name="a") for mode in ("official", "spec"))
    with pytest.raises(errors.ModeMismatchError) as raised:
        fangwei.rank([one, other])
    assert (raised.value.name, raised.value.expected, raised.value.found) == ("a", "official", "spec")
    with pytest.raises(errors.RepeatedRunError):
        fangwei.rank([one, one])


def test_defects_say_where_in_both_languages() -> None:
    for language, word in (("zh", "答案文件有错误"), ("en", "the gold file has errors")):
        fangwei.set_language(language)
        with pytest.raises(errors.GoldError, match=word) as raised:
            fangwei.score("2022/judge", [*JUDGED, {"qid": "2", "context": "书"}], [])
        defect = raised.value.defects[0]
        assert (defect.file, defect.line, defect.qid, defect.code) == ("gold", 2, "2", "missing-field")
        assert str(defect) in str(raised.value)


def test_every_class_that_rust_names_is_there() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (Path(__file__).parents[1] / "src").rglob("*.rs"))
    named = set(re.findall(r'Raised::(?:new|defects)\(\s*"(\w+)"', source))
    assert named and named <= set(vars(errors)), named - set(vars(errors))
    classes = {name for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, errors.FangweiError)}
    # Those that only Python raises, and those above others.
    assert classes - named == {"InputError", "DefectsError"} | ({"FangweiError"} - named)


def test_errors_are_what_python_expects_of_their_kind() -> None:
    assert issubclass(errors.OpenError, OSError) and issubclass(errors.UnknownNameError, LookupError)
    assert issubclass(errors.GoldError, ValueError) and issubclass(errors.InputError, TypeError)
    with pytest.raises(OSError):
        fangwei.score("2022/judge", "no/such.jsonl", gold("2022/judge"))
