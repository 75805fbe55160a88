//! What organisers do after a competition is open. Changes are kept in order, told on the news page, and applied to the file's [`Contest`] whenever it is read.

use serde::{Deserialize, Serialize};

use super::phase::word_enum;
use super::{Contest, Gate, Moment};
use crate::lang::{Lang, Say, Unknown, Words, words};

word_enum! {
    /// An edge of a phase.
    Edge {
        /// Its first moment.
        Start "start" "开始" "start";
        /// The first moment after it.
        End "end" "结束" "end";
    }
}

/// More submissions for a team.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Granted {
    /// The team: its id.
    pub team: String,
    /// The phase: its id.
    pub phase: String,
    /// The task, if it is for one only: its id.
    #[serde(default)]
    pub task: Option<String>,
    /// How many more.
    pub extra: u32,
}

/// What an organiser did. As JSON it has its kind beside its fields: `{"kind":"move","phase":"dev","edge":"end","to":"…"}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Change {
    /// Everybody can see it.
    Open {},
    /// Nothing more is taken.
    Close {},
    /// An edge of a phase was moved.
    Move {
        /// The phase.
        phase: String,
        /// Which edge.
        edge: Edge,
        /// Where it was.
        from: Moment,
        /// Where it is.
        to: Moment,
        /// Why.
        #[serde(default)]
        reason: String,
    },
    /// The deadline of a document was moved.
    MoveDocument {
        /// The document.
        document: String,
        /// When it was.
        from: Moment,
        /// When it is.
        to: Moment,
        /// Why.
        #[serde(default)]
        reason: String,
    },
    /// A file was let out by hand.
    Release {
        /// Its id.
        file: String,
    },
    /// A file was taken back.
    Withhold {
        /// Its id.
        file: String,
        /// Why.
        #[serde(default)]
        reason: String,
    },
    /// Teams may read the transcripts of their prompts, by hand.
    Unseal {},
    /// The results of a phase were shown to everybody by hand.
    Reveal {
        /// The phase.
        phase: String,
    },
    /// A board was frozen.
    Freeze {
        /// Its id.
        board: String,
    },
    /// A board moves again.
    Thaw {
        /// Its id.
        board: String,
    },
    /// A team may submit more.
    Grant(Granted),
    /// Submissions to a phase count against its quota from then on only.
    ResetQuota {
        /// The phase.
        phase: String,
        /// Why.
        #[serde(default)]
        reason: String,
    },
    /// The file, a page or data was replaced.
    Revise {
        /// The version of the files since then.
        version: i64,
        /// The files that differ.
        files: Vec<String>,
        /// Why.
        #[serde(default)]
        reason: String,
    },
    /// Submissions are scored anew.
    Rescore {
        /// The generation.
        generation: i64,
        /// Why.
        #[serde(default)]
        reason: String,
    },
    /// Somebody judges for the awards, or no longer does. Told in the log only.
    Jury {
        /// The account: its id.
        account: String,
        /// Whether they judge.
        is_member: bool,
    },
    /// The awards were made public, as they were computed then.
    Award {
        /// The name of the result in the store.
        result: String,
    },
    /// Something the organisers tell.
    News {
        /// A headline.
        title: Text,
        /// The text in Markdown.
        text: Text,
    },
}

/// A text that people wrote, in one or both languages.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Text {
    /// Chinese.
    pub zh: String,
    /// English; as the Chinese where it is empty.
    #[serde(default)]
    pub en: String,
}

impl Text {
    /// The text in a language, or in the other where there is none in it.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::En if !self.en.is_empty() => &self.en,
            Lang::Zh if self.zh.is_empty() => &self.en,
            _ => &self.zh,
        }
    }
}

/// Why a change cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChangeError {
    /// It names something that is not there.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// There is no track of prompts.
    #[error("the competition has no track of prompts")]
    NoPrompts,
    /// A phase would end before it starts.
    #[error("phase {phase}: expected an end after its start {start}, found {end}")]
    Backwards {
        /// The phase.
        phase: String,
        /// Its start.
        start: Moment,
        /// Its end.
        end: Moment,
    },
}

impl ChangeError {
    /// The message in one language.
    pub fn say(&self, lang: Lang) -> String {
        match (self, lang) {
            (ChangeError::Unknown(unknown), lang) => unknown.say(lang),
            (ChangeError::NoPrompts, Lang::Zh) => "这个比赛没有提示词赛道".to_owned(),
            (ChangeError::Backwards { phase, start, end }, Lang::Zh) => {
                format!("阶段 {phase}：结束时间应晚于开始时间 {start}，实为 {end}")
            }
            (error, Lang::En) => error.to_string(),
        }
    }
}

impl Change {
    /// The word for its kind, as in its JSON.
    pub const fn kind(&self) -> &'static str {
        match self {
            Change::Open {} => "open",
            Change::Close {} => "close",
            Change::Move { .. } => "move",
            Change::MoveDocument { .. } => "move-document",
            Change::Release { .. } => "release",
            Change::Withhold { .. } => "withhold",
            Change::Unseal {} => "unseal",
            Change::Reveal { .. } => "reveal",
            Change::Freeze { .. } => "freeze",
            Change::Thaw { .. } => "thaw",
            Change::Grant(_) => "grant",
            Change::ResetQuota { .. } => "reset-quota",
            Change::Revise { .. } => "revise",
            Change::Rescore { .. } => "rescore",
            Change::Jury { .. } => "jury",
            Change::Award { .. } => "award",
            Change::News { .. } => "news",
        }
    }

    /// Whether everybody is told. Who judges is a matter of the organisers.
    pub const fn is_public(&self) -> bool {
        !matches!(self, Change::Jury { .. })
    }

    /// Why it was done, as far as somebody said so.
    pub fn reason(&self) -> &str {
        match self {
            Change::Move { reason, .. }
            | Change::MoveDocument { reason, .. }
            | Change::Withhold { reason, .. }
            | Change::ResetQuota { reason, .. }
            | Change::Revise { reason, .. }
            | Change::Rescore { reason, .. } => reason,
            _ => "",
        }
    }

    /// What happened, for the news page. A team is named as `team` says.
    pub fn say(&self, contest: &Contest, team: impl Fn(&str) -> String) -> Say {
        let phase = |id: &str| contest.phase(id).map_or_else(|| Say::same(id), |phase| phase.name.clone());
        let board = |id: &str| contest.board(id).map_or_else(|| Say::same(id), |board| board.title.clone());
        let data = |id: &str| contest.data(id).map_or_else(|| Say::same(id), |file| file.title.clone());
        match self {
            Change::Open {} => Say::new("比赛开放", "the competition is open"),
            Change::Close {} => Say::new("比赛结束", "the competition is closed"),
            Change::Move { phase: id, edge, from, to, .. } => {
                let (phase, edge) = (phase(id), edge.title());
                Say::new(
                    format!("“{}”的{}时间由 {from} 改为 {to}", phase.zh, edge.zh),
                    format!("the {} of “{}” moves from {from} to {to}", edge.en, phase.en),
                )
            }
            Change::MoveDocument { document, from, to, .. } => {
                let documents = contest.awards.iter().flat_map(|awards| &awards.documents);
                let title = documents
                    .clone()
                    .find(|known| known.id == *document)
                    .map_or_else(|| Say::same(document), |known| known.title.clone());
                Say::new(
                    format!("“{}”的截止时间由 {from} 改为 {to}", title.zh),
                    format!("the deadline of “{}” moves from {from} to {to}", title.en),
                )
            }
            Change::Release { file } => {
                let title = data(file);
                Say::new(format!("发布“{}”", title.zh), format!("“{}” can be downloaded", title.en))
            }
            Change::Withhold { file, .. } => {
                let title = data(file);
                Say::new(format!("收回“{}”", title.zh), format!("“{}” can no longer be downloaded", title.en))
            }
            Change::Unseal {} => Say::new("各队可以查看自己提示词的运行记录", "teams may read the transcripts of their prompts"),
            Change::Reveal { phase: id } => {
                let phase = phase(id);
                Say::new(format!("公布“{}”的结果", phase.zh), format!("the results of “{}” are public", phase.en))
            }
            Change::Freeze { board: id } => {
                let board = board(id);
                Say::new(format!("冻结“{}”", board.zh), format!("“{}” is frozen", board.en))
            }
            Change::Thaw { board: id } => {
                let board = board(id);
                Say::new(format!("解冻“{}”", board.zh), format!("“{}” moves again", board.en))
            }
            Change::Grant(granted) => {
                let (phase, name) = (phase(&granted.phase), team(&granted.team));
                let task = granted.task.as_deref().map(|task| format!(" {task}")).unwrap_or_default();
                Say::new(
                    format!("{name} 在“{}”{task} 增加 {} 次提交", phase.zh, granted.extra),
                    format!("{name} may submit {} more times to “{}”{task}", granted.extra, phase.en),
                )
            }
            Change::ResetQuota { phase: id, .. } => {
                let phase = phase(id);
                Say::new(format!("“{}”的提交次数重新计算", phase.zh), format!("the quota of “{}” begins anew", phase.en))
            }
            Change::Revise { files, .. } => {
                Say::new(format!("修订：{}", files.join("、")), format!("revised: {}", files.join(", ")))
            }
            Change::Rescore { generation, .. } => Say::new(
                format!("重新评分（第 {generation} 代），评完之后排行榜一起更换"),
                format!("submissions are scored anew (generation {generation}); boards change when it is done"),
            ),
            Change::Jury { .. } => Say::new("评审组有变动", "the jury changed"),
            Change::Award { .. } => Say::new("公布获奖结果", "the awards are public"),
            Change::News { title, .. } => Say::new(title.get(Lang::Zh), title.get(Lang::En)),
        }
    }
}

impl Contest {
    /// Applies a change that was made at a moment. Nothing is changed where it cannot be.
    pub fn apply(&mut self, change: &Change, at: i64) -> Result<(), ChangeError> {
        match change {
            Change::Move { phase, edge, to, .. } => {
                let found = self.phase_index(phase)?;
                let moved = &self.phases[found];
                let (start, end) = match edge {
                    Edge::Start => (*to, moved.end),
                    Edge::End => (moved.start, *to),
                };
                if end <= start {
                    return Err(ChangeError::Backwards { phase: phase.clone(), start, end });
                }
                (self.phases[found].start, self.phases[found].end) = (start, end);
                self.phases.sort_by_key(|phase| phase.start);
            }
            Change::MoveDocument { document, to, .. } => {
                let mut documents = self.awards.iter_mut().flat_map(|awards| &mut awards.documents);
                let Some(found) = documents.find(|known| known.id == *document) else {
                    let known = self.awards.iter().flat_map(|awards| &awards.documents).map(|known| known.id.clone());
                    return Err(Unknown::new(words("没有这份文件", "unknown document"), document, known).into());
                };
                found.deadline = *to;
            }
            Change::Release { file } => self.data_mut(file)?.released = Some(true),
            Change::Withhold { file, .. } => self.data_mut(file)?.released = Some(false),
            Change::Unseal {} => {
                let zone = self.zone;
                let track = self.prompts.as_mut().ok_or(ChangeError::NoPrompts)?;
                track.transcripts = Gate::At(Moment::at(at, zone));
            }
            Change::Reveal { phase } => {
                let found = self.phase_index(phase)?;
                self.phases[found].reveal = Some(Gate::At(Moment::at(at, self.zone)));
            }
            Change::Freeze { board } => self.board_mut(board)?.frozen_at = Some(at),
            Change::Thaw { board } => self.board_mut(board)?.frozen_at = None,
            Change::Grant(granted) => {
                self.phase_index(&granted.phase)?;
                self.granted.push(granted.clone());
            }
            Change::ResetQuota { phase, .. } => {
                self.phase_index(phase)?;
                self.reset_at.insert(phase.clone(), at);
            }
            Change::Jury { account, is_member: true } => drop(self.jury.insert(account.clone())),
            Change::Jury { account, is_member: false } => drop(self.jury.remove(account)),
            Change::Award { result } => self.awarded = Some(result.clone()),
            Change::Open {} | Change::Close {} | Change::Revise { .. } | Change::Rescore { .. } | Change::News { .. } => {}
        }
        Ok(())
    }

    fn phase_index(&self, id: &str) -> Result<usize, Unknown> {
        let known = || self.phases.iter().map(|phase| phase.id.clone());
        self.phases
            .iter()
            .position(|phase| phase.id == id)
            .ok_or_else(|| Unknown::new(words("没有这个阶段", "unknown phase"), id, known()))
    }

    fn data_mut(&mut self, id: &str) -> Result<&mut super::DataFile, Unknown> {
        let unknown = Unknown::new(words("没有这个文件", "unknown file"), id, self.data.iter().map(|file| file.id.clone()));
        self.data.iter_mut().find(|file| file.id == id).ok_or(unknown)
    }

    fn board_mut(&mut self, id: &str) -> Result<&mut super::BoardPlan, Unknown> {
        let unknown =
            Unknown::new(words("没有这个排行榜", "unknown board"), id, self.boards.iter().map(|board| board.id.clone()));
        self.boards.iter_mut().find(|board| board.id == id).ok_or(unknown)
    }
}
