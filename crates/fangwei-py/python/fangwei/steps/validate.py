"""Every defect of a submission."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _build, _fangwei
from .._given import Data, given
from ..defect import Defect
from ..frame import Rows


@dataclass(frozen=True, slots=True)
class Validation:
    """What was found in a submission."""

    task: str
    records: int
    defects: Rows[Defect]

    @property
    def errors(self) -> list[Defect]:
        """What costs points or makes a record unusable."""
        return [defect for defect in self.defects if defect.severity == "error"]

    @property
    def warnings(self) -> list[Defect]:
        """What is tolerated."""
        return [defect for defect in self.defects if defect.severity == "warning"]

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return not self.errors


def validate(task: str, pred: Data, items: Data | None = None) -> Validation:
    """Checks predictions, every record of them; with ``items``, also whether they fit the texts and are complete.

    检查预测的每一条记录；给出题目时，还检查与文本是否相符、有没有遗漏。

    >>> import fangwei
    >>> items = [{"qid": "1", "context": "他跳进山洞外。"}, {"qid": "2", "context": "书在桌上。"}]
    >>> report = fangwei.validate("2022/judge", [{"qid": "1", "judge": 3}], items)
    >>> report.ok, [(defect.code, defect.qid) for defect in report.errors]
    (False, [('bad-verdict', '1'), ('missing-qid', '2')])
    """
    told = _fangwei.validate(task, given(pred, "pred"), None if items is None else given(items, "items"))
    return _build.read(Validation, told)
