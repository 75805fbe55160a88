"""fangwei inside other evaluation libraries: the same items, prompts, reading of replies and scores.

在别的评测库里使用：题目、提示词、回复的读法和分数都与 ``fangwei`` 相同。

==============================  ===============================================  ==========================
module                          library                                          wants
==============================  ===============================================  ==========================
:mod:`.evaluate_metric`         ``evaluate``: a metric over records              ``fangwei[evaluate]``
:mod:`.lm_eval`                 lm-evaluation-harness: nine tasks and a group    ``fangwei[lm-eval]``
:mod:`.inspect_tasks`           ``inspect_ai``: one task for all of fangwei's    ``fangwei[inspect]``
==============================  ===============================================  ==========================

Nothing here computes a number: official scores are not means over items, so each adapter hands all predictions of a run to
:func:`fangwei.score` and passes on what it says.
"""
