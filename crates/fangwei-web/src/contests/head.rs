//! What all pages of a competition share: its name, the way to its other pages, and what is going on.

use fangwei::contest::{Moment, Phase};
use fangwei::lang::Lang;

use super::kept::{Kept, State};
use crate::app::App;
use crate::policy::Role;
use crate::who::Who;

/// What `contests/head.html` shows at the top of every page of a competition.
#[derive(Clone, Debug)]
pub struct Head {
    /// The id of the competition.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How far it is, where it is not open.
    pub state: Option<&'static str>,
    /// Address and title of each page; the address is what follows the id.
    pub links: Vec<(String, String)>,
    /// The phase that is open and when it ends, or the next one and when it starts.
    pub phase: Option<PhaseLine>,
}

/// What is said of a phase in a line.
#[derive(Clone, Debug)]
pub struct PhaseLine {
    /// Its name.
    pub name: String,
    /// Whether it is open; otherwise it is the next one.
    pub is_open: bool,
    /// When it ends, or starts, as the competition counts time.
    pub at: String,
    /// The same in milliseconds since 1970.
    pub ms: i64,
}

impl Head {
    /// The head of a competition for somebody.
    pub fn new(app: &App, who: &Who, kept: &Kept) -> Head {
        let (contest, lang) = (&kept.contest, who.lang);
        let mut links = vec![(String::new(), lang.say("首页", "Home").to_owned())];
        let mut add = |path: String, title: &str| links.push((path, title.to_owned()));
        for page in contest.pages.iter().skip(1) {
            add(format!("/pages/{}", page.id), page.title.get(lang));
        }
        for (number, entry) in (1..).zip(&contest.tasks) {
            // Titles of tasks are sentences; three of them would hide the other links.
            add(format!("/tasks/{}", short(entry.task.id())), &format!("{} {number}", lang.say("任务", "Task")));
        }
        add("/data".to_owned(), lang.say("数据", "Data"));
        add("/boards".to_owned(), lang.say("排行榜", "Boards"));
        add("/schedule".to_owned(), lang.say("日程", "Schedule"));
        add("/news".to_owned(), lang.say("消息", "News"));
        if who.account.is_none() {
            add("/sign-up".to_owned(), lang.say("报名", "Register"));
        } else {
            add("/items".to_owned(), lang.say("题目", "Items"));
            add("/team".to_owned(), lang.say("我的队伍", "My team"));
            add("/submit".to_owned(), lang.say("提交", "Submit"));
            add("/submissions".to_owned(), lang.say("我的提交", "My submissions"));
            if contest.prompts.is_some() {
                add("/prompts".to_owned(), lang.say("提示词赛道", "Prompts"));
            }
        }
        let judges = who.me().is_ok_and(|me| contest.jury.contains(&me.id));
        if contest.awards.is_some() {
            if who.account.is_some() {
                add("/documents".to_owned(), lang.say("奖项文件", "Documents"));
            }
            if judges {
                add("/jury".to_owned(), lang.say("评审", "Jury"));
            }
            if contest.awarded.is_some() || who.is_at_least(Role::Organiser) {
                add("/awards".to_owned(), lang.say("奖项", "Awards"));
            }
        }
        if who.is_at_least(Role::Organiser) {
            add("/teams".to_owned(), lang.say("队伍", "Teams"));
            add("/generations".to_owned(), lang.say("评分记录", "Generations"));
            add("/manage".to_owned(), lang.say("管理", "Manage"));
        }
        let state = (kept.state != State::Open).then(|| kept.state.title().get(lang));
        Head { id: contest.id.clone(), name: contest.name.get(lang).to_owned(), state, links, phase: phase_line(app, kept, lang) }
    }
}

fn phase_line(app: &App, kept: &Kept, lang: Lang) -> Option<PhaseLine> {
    let (contest, now) = (&kept.contest, app.now());
    let line = |phase: &Phase, is_open: bool, at: Moment| PhaseLine {
        name: phase.name.get(lang).to_owned(),
        is_open,
        at: clock(Moment::at(at.ms, contest.zone)),
        ms: at.ms,
    };
    let open = contest.phase_at(now).map(|phase| line(phase, true, phase.end));
    open.or_else(|| contest.next_phase(now).map(|phase| line(phase, false, phase.start))).filter(|_| kept.state != State::Closed)
}

/// The last part of a task's id, as in addresses.
pub fn short(task: &str) -> &str {
    task.rsplit('/').next().unwrap_or(task)
}

/// A moment for people, with its offset: `2022-08-12 00:00:00 (+08:00)`.
pub fn clock(moment: Moment) -> String {
    let text = moment.to_string();
    let (day, rest) = text.split_once('T').unwrap_or((&text, ""));
    let (time, _) = rest.split_at_checked(8).unwrap_or((rest, ""));
    format!("{day} {time} ({})", moment.zone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_says_its_offset() {
        let moment = "2022-08-12T00:00:00+08:00".parse().expect("a time");
        assert_eq!(clock(moment), "2022-08-12 00:00:00 (+08:00)");
    }
}
