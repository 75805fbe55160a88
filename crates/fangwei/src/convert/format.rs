//! What can be named on either side of a conversion, for lists and help.

use crate::lang::{Words, words};

/// Whether a format is one file or a folder of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// One file.
    File,
    /// A folder.
    Folder,
}

/// A format that is read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it holds.
    pub holds: Words,
    /// File or folder.
    pub layout: Layout,
    /// The names that its files end in; of a folder, those that are read.
    pub extensions: &'static [&'static str],
}

const fn file(name: &'static str, extensions: &'static [&'static str], zh: &'static str, en: &'static str) -> Format {
    Format { name, holds: words(zh, en), layout: Layout::File, extensions }
}

const fn folder(name: &'static str, extensions: &'static [&'static str], zh: &'static str, en: &'static str) -> Format {
    Format { name, holds: words(zh, en), layout: Layout::Folder, extensions }
}

/// Every format, those of the tasks first.
pub const FORMATS: &[Format] = &[
    file("2021/sheet", &["json"], "2021 年答题卡：三个任务的答案", "the 2021 answer sheet: answers to all three tasks"),
    file("2021/judge", &["json"], "2021 年任务一", "task 1 of 2021"),
    file("2021/reason", &["json"], "2021 年任务二", "task 2 of 2021"),
    file("2021/joint", &["json"], "2021 年任务三", "task 3 of 2021"),
    file("2022/judge", &["jsonl"], "2022 年任务一", "task 1 of 2022"),
    file("2022/attribute", &["jsonl"], "2022 年任务二：归因类型和异常片段", "task 2 of 2022: reasons with type and fragments"),
    file("2022/roles", &["jsonl"], "2022 年任务三：十八个槽位的元组", "task 3 of 2022: tuples of eighteen slots"),
    file("2023/anomaly", &["jsonl"], "2023 年任务一：S-P-E 候选答案", "task 1 of 2023: S-P-E candidates"),
    file("2023/roles", &["jsonl"], "2023 年任务二：十五个角色的元组", "task 2 of 2023: tuples of fifteen roles"),
    file("2023/scene", &["jsonl"], "2023 年任务三：两段文本的异同", "task 3 of 2023: two texts compared"),
    file(
        "conll",
        &["conll"],
        "一行一字，每个答案一列 BIO 标记；只写不读",
        "one character a line, a column of BIO tags an answer; written only",
    ),
    folder(
        "brat",
        &["txt", "ann"],
        "brat 文件夹：每题一个 .txt 和一个 .ann",
        "a brat folder: a .txt and an .ann an item, annotation.conf, visual.conf",
    ),
    folder(
        "label-studio",
        &["json"],
        "Label Studio 任务 tasks.json 和标注界面 config.xml",
        "Label Studio tasks (tasks.json) and their labeling interface (config.xml)",
    ),
    file("flat", &["jsonl"], "平铺的 JSONL，供 datasets、pandas 读取", "flat JSONL for datasets and pandas"),
];
