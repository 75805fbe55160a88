//! Directional verbs: a way (up, in, across) and a viewpoint (来 towards the teller, 去 away).
//!
//! The viewpoint changes nothing in the scene. Ways differ unless what is moved through makes them one: out of a well is up, into a car is up.

/// A directional verb.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// 上 下 进 出 回 过 起 开; none in 来 and 去 alone.
    pub path: Option<char>,
    /// 来 or 去.
    pub view: Option<char>,
}

/// How two ways are to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// One way, perhaps from two viewpoints.
    Viewpoint,
    /// One of them says more than the other, and nothing against it.
    Fits,
    /// One way because of what is left or entered: a pit, water, a vehicle.
    Ground,
    /// Out of one place is into the next.
    Passage,
    /// They go to different sides.
    Apart,
}

const PATHS: &str = "上下进出回过起开";

impl Way {
    /// A directional verb, or none.
    pub fn of(word: &str) -> Option<Way> {
        let mut characters = word.chars();
        let (first, second) = (characters.next()?, characters.next());
        if characters.next().is_some() {
            return None;
        }
        match (PATHS.contains(first), second) {
            (true, None) => Some(Way { path: Some(first), view: None }),
            (true, Some(view @ ('来' | '去'))) => Some(Way { path: Some(first), view: Some(view) }),
            (false, None) if matches!(first, '来' | '去') => Some(Way { path: None, view: Some(first) }),
            _ => None,
        }
    }

    /// Its way in other words; `ground` is what is left or entered.
    pub fn says(self, ground: &str) -> String {
        let of = if ground.is_empty() { "所在的地方".to_owned() } else { ground.to_owned() };
        let way = match self.path {
            Some('进') => format!("从{of}的外面到{of}的里面"),
            Some('出') => format!("从{of}的里面到{of}的外面"),
            Some('上') => "从低处到高处".to_owned(),
            Some('下') => "从高处到低处".to_owned(),
            Some('回') => "返回原来所在的地方".to_owned(),
            Some('起') => "由低处向高处升起".to_owned(),
            Some('开') => "离开原来所在的地方".to_owned(),
            _ => "从一处移动到另一处".to_owned(),
        };
        match self.view {
            Some('来') if self.path.is_none() => "朝着叙述者所在的一边移动".to_owned(),
            Some('去') if self.path.is_none() => "离开叙述者、往远处移动".to_owned(),
            _ => way,
        }
    }
}

/// What is known of the clause and the text around.
#[derive(Clone, Copy, Debug, Default)]
pub struct Around<'t> {
    /// The verb that the directional follows.
    pub verb: &'t str,
    /// What is left or entered, if the clause names it.
    pub ground: &'t str,
    /// Whether another clause tells that someone enters or leaves a place.
    pub passage: bool,
}

/// Grounds with a depth: to leave them is to rise, to enter them to sink.
const DEEP: &str = "井坑洞水海河湖江池潭溪沟谷窖土泥地舱锅缸桶";
/// Grounds that are boarded.
const BOARDED: &str = "车船机艇舱轿床梯";
/// Verbs of approach, with which 上 is nearness: 迎上来.
const APPROACH: &str = "走跑冲围迎赶追凑靠扑涌拥贴跟递送";
/// Verbs of rising.
const RISING: &str = "站立坐爬升飞抬举跳拿捡捧提扶抱浮吊拉";

fn ends_in(word: &str, characters: &str) -> bool {
    word.chars().last().is_some_and(|last| characters.contains(last))
}

/// How two ways are to each other in a clause.
pub fn relate(one: Way, two: Way, around: Around<'_>) -> Relation {
    let (Some(a), Some(b)) = (one.path, two.path) else {
        // 走来 and 走过来: one tells the way, the other leaves it open.
        return if one.path == two.path { Relation::Viewpoint } else { Relation::Fits };
    };
    if a == b {
        return Relation::Viewpoint;
    }
    let is = |x: char, y: char| (a, b) == (x, y) || (a, b) == (y, x);
    if is('上', '出') || is('下', '进') || is('起', '出') {
        return if ends_in(around.ground, DEEP) { Relation::Ground } else { Relation::Apart };
    }
    if is('上', '进') || is('下', '出') {
        return if ends_in(around.ground, BOARDED) { Relation::Ground } else { Relation::Apart };
    }
    if is('上', '过') {
        return if ends_in(around.verb, APPROACH) { Relation::Fits } else { Relation::Apart };
    }
    if is('上', '起') {
        return if ends_in(around.verb, RISING) { Relation::Fits } else { Relation::Apart };
    }
    if is('进', '出') {
        // The viewpoint turns with the way: who comes out of one place goes into the next, if the text has both.
        let turned = one.view.is_some() && two.view.is_some() && one.view != two.view;
        return if turned && around.passage && around.ground.is_empty() { Relation::Passage } else { Relation::Apart };
    }
    // A return and a crossing fit any way that is not its opposite.
    if a == '回' || b == '回' || a == '过' || b == '过' || is('开', '出') {
        let one_view = one.view.is_none() || two.view.is_none() || one.view == two.view;
        return if one_view { Relation::Fits } else { Relation::Apart };
    }
    Relation::Apart
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(one: &str, two: &str, around: Around<'_>) -> Relation {
        relate(Way::of(one).expect("directional"), Way::of(two).expect("directional"), around)
    }

    #[test]
    fn viewpoint_ground_and_passage() {
        let none = Around::default();
        assert_eq!(relation("出来", "出去", none), Relation::Viewpoint);
        assert_eq!(relation("出来", "进去", none), Relation::Apart);
        assert_eq!(relation("出来", "进去", Around { passage: true, ..none }), Relation::Passage);
        assert_eq!(relation("出来", "进来", Around { passage: true, ..none }), Relation::Apart);
        assert_eq!(relation("上来", "出来", Around { ground: "古井", ..none }), Relation::Ground);
        assert_eq!(relation("上来", "出来", Around { ground: "屋子", ..none }), Relation::Apart);
        assert_eq!(relation("上来", "下去", none), Relation::Apart);
        assert_eq!(relation("上来", "过来", Around { verb: "围", ..none }), Relation::Fits);
        assert_eq!(Way::of("里面"), None);
    }
}
