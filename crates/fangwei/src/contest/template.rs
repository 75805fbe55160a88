//! Competitions to begin with: those of the past years in our own words, which open with the sample data.
//!
//! The items of the development phase are the whole sample, so that its predictions can be submitted; those of the test are every second item of it.

use super::{FILE, Folder, Moment, Zone};
use crate::lang::{Unknown, Words, words};
use crate::record::Source;
use crate::score::read_items;
use crate::task::{Item, write_item};

/// A competition to begin with.
#[derive(Debug)]
pub struct Template {
    /// `2022`
    pub name: &'static str,
    /// What it is.
    pub title: Words,
    /// `competition.toml`, in which `"@7"` is the midnight seven days after the first.
    toml: &'static str,
    /// The home page.
    home: Words,
    /// Ids of tasks and their sample with gold.
    samples: &'static [(&'static str, &'static str)],
}

macro_rules! contest {
    ($file:literal) => {
        include_str!(concat!("../../../../data/contest/", $file))
    };
}

macro_rules! sample {
    ($file:literal) => {
        include_str!(concat!("../../../../data/sample/", $file))
    };
}

const RULES: Words = words(contest!("shared/rules.zh.md"), contest!("shared/rules.en.md"));
const AGREEMENT: Words = words(contest!("shared/agreement.zh.md"), contest!("shared/agreement.en.md"));

/// All templates.
pub const TEMPLATES: &[Template] = &[
    Template {
        name: "2021",
        title: words(
            "2021 年：三个判断任务，排行榜含基线，奖项含评审",
            "2021: three tasks of judging, a board with the baseline, awards with a jury",
        ),
        toml: contest!("2021/competition.toml"),
        home: words(contest!("2021/home.zh.md"), contest!("2021/home.en.md")),
        samples: &[
            ("2021/judge", sample!("2021/judge/gold.json")),
            ("2021/reason", sample!("2021/reason/gold.json")),
            ("2021/joint", sample!("2021/joint/gold.json")),
        ],
    },
    Template {
        name: "2022",
        title: words("2022 年：判断、归因、角色标注，每个任务一个文件", "2022: judge, attribute, roles; one file a task"),
        toml: contest!("2022/competition.toml"),
        home: words(contest!("2022/home.zh.md"), contest!("2022/home.en.md")),
        samples: &[
            ("2022/judge", sample!("2022/judge/gold.jsonl")),
            ("2022/attribute", sample!("2022/attribute/gold.jsonl")),
            ("2022/roles", sample!("2022/roles/gold.jsonl")),
        ],
    },
    Template {
        name: "2023",
        title: words("2023 年：异常、角色、场景，任务三提交提示词", "2023: anomaly, roles, scene; prompts for task 3"),
        toml: contest!("2023/competition.toml"),
        home: words(contest!("2023/home.zh.md"), contest!("2023/home.en.md")),
        samples: &[
            ("2023/anomaly", sample!("2023/anomaly/gold.jsonl")),
            ("2023/roles", sample!("2023/roles/gold.jsonl")),
            ("2023/scene", sample!("2023/scene/gold.jsonl")),
        ],
    },
];

impl Template {
    /// The template of a name.
    pub fn find(name: &str) -> Result<&'static Template, Unknown> {
        let found = TEMPLATES.iter().find(|template| template.name == name);
        found.ok_or_else(|| {
            Unknown::new(words("没有这个模板", "unknown template"), name, TEMPLATES.iter().map(|template| template.name))
        })
    }

    /// Its files, with a schedule that begins on the day of a moment (milliseconds since 1970).
    pub fn files(&self, now: i64) -> Folder {
        let mut folder = Folder::new();
        let mut put = |path: &str, text: String| drop(folder.insert(path.to_owned(), text.into_bytes()));
        put(FILE, dated(self.toml, Zone::default(), now));
        for (name, words) in [("home", self.home), ("rules", RULES), ("agreement", AGREEMENT)] {
            put(&format!("{name}.zh.md"), words.zh.to_owned());
            put(&format!("{name}.en.md"), words.en.to_owned());
        }
        for (id, sample) in self.samples {
            let Ok(task) = crate::tasks::find(id) else { continue };
            let source = Source::from_bytes(id, *sample).ok();
            let Some((items, _)) = source.and_then(|source| read_items(task, source, true).ok()) else { continue };
            let line = |item: &Item| write_item(task, item).to_line() + "\n";
            let bare = |item: &Item| Item { gold: None, corefs: None, ..item.clone() };
            let name = id.rsplit('/').next().unwrap_or(id);
            for (split, step) in [("dev", 1), ("test", 2)] {
                put(&format!("gold/{name}/{split}.jsonl"), items.iter().step_by(step).map(line).collect());
                put(&format!("items/{name}/{split}.jsonl"), items.iter().step_by(step).map(|item| line(&bare(item))).collect());
            }
        }
        folder
    }
}

/// The text with `"@7"` as the midnight seven days after that of a moment.
fn dated(text: &str, zone: Zone, now: i64) -> String {
    let midnight = zone.midnight(now);
    let mut parts = text.split("\"@");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('"').map(|(days, rest)| (days.parse::<i64>(), rest)) {
            Some((Ok(days), rest)) => {
                let moment = Moment::at(midnight + days * 24 * 60 * 60 * 1000, zone);
                out.push_str(&format!("\"{moment}\"{rest}"));
            }
            _ => out.push_str(&format!("\"@{part}")),
        }
    }
    out
}
