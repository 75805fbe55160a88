//! The judgement: what the two words that differ say of the scene, by the first way of thinking that applies to both.

use fangwei::lexicon::Class;

use super::actors::{Actors, actors};
use super::difference::{Difference, Known, Words, known, words};
use super::motion::{Around, Relation, Way, relate};
use super::order::{Order, order, sentence};
use super::tables::{directions, kind_of, tables};
use crate::reading::Reading;

/// What was compared, and what follows.
#[derive(Clone, Debug)]
pub struct Contrast {
    /// The words that differ.
    pub words: Words,
    /// The quoted phrases.
    pub quoted: Difference,
    /// Who and what it is about.
    pub actors: Actors,
    /// How likely both show one scene.
    pub same: f64,
    /// What is compared: 处所, 终点, 位移方向, …
    pub element: &'static str,
    /// What both say, if they say the same.
    pub both: String,
    /// What a preposition at the difference governs.
    pub object: String,
    /// What the first says,
    pub first: String,
    /// and the second.
    pub second: String,
    /// By which way of thinking.
    pub ground: &'static str,
}

/// How sure a rule of the tables is.
const SURE: f64 = 0.9;
/// How sure a guess is.
const GUESS: f64 = 0.6;

/// Compares two texts; `None` if they are equal.
pub fn contrast(one: &Reading, two: &Reading) -> Option<Contrast> {
    let at = Difference::between(&one.chars, &two.chars)?;
    if let Some(order) = order(one, two, (&at.first(), &at.second())) {
        return Some(by_order(one, two, &at, &order));
    }
    let words = words(one, two, &at);
    let tagged = one.token_at(words.at.before).and_then(|token| token.class);
    let ways = Way::of(&words.one).zip(Way::of(&words.two));
    let ways = ways.filter(|_| tables().family(&words.one).is_none() || tagged == Some(Class::Directional));
    let found = actors(one, &words.at.first(), ways.is_some());
    let verbs: Vec<&str> = found.verbs.iter().map(String::as_str).collect();
    let mut contrast = Contrast {
        quoted: quoted(one, &words, &found),
        element: element(&found, &words),
        object: object_of(one, &words),
        words,
        same: 1.0 - GUESS,
        both: String::new(),
        first: String::new(),
        second: String::new(),
        ground: "unknown",
        actors: found.clone(),
    };
    let (a, b) = (contrast.words.one.clone(), contrast.words.two.clone());
    if let Some((way1, way2)) = ways {
        by_motion(&mut contrast, one, way1, way2);
        return Some(contrast);
    }
    match (known(&a), known(&b)) {
        (Some(Known::Family(one)), Some(Known::Family(two)))
            if one.class == Class::Preposition && two.class == Class::Preposition =>
        {
            by_preposition(&mut contrast, one.name, two.name);
        }
        (Some(Known::Family(one)), Some(Known::Family(two))) if one.class == Class::Verb || two.class == Class::Verb => {
            contrast.same = if one.name == two.name { SURE } else { 1.0 - SURE };
            contrast.ground = "verb";
            contrast.both = format!("是同一种动作或姿势，“{a}”和“{b}”说的是一回事");
            (contrast.first, contrast.second) = (format!("是“{a}”的姿势或动作"), format!("是“{b}”的姿势或动作"));
        }
        (Some(one), Some(two)) => by_region(&mut contrast, one, two, &verbs),
        _ => unknown(&mut contrast),
    }
    Some(contrast)
}

/// Locatives: one scene if the regions that they point to have one in common.
fn by_region(contrast: &mut Contrast, one: Known, two: Known, verbs: &[&str]) {
    let (a, b) = (contrast.words.one.clone(), contrast.words.two.clone());
    contrast.ground = "region";
    let thing = contrast.actors.ground.clone();
    let name = thing.clone();
    let compass =
        |word: &str| directions(word).filter(|found| found.len() > 1 || found.iter().any(|one| "东南西北".contains(*one)));
    let regions = |known: Known| match known {
        Known::Family(family) => tables().regions(family.name, &thing, verbs),
        _ => &[],
    };
    let (regions1, regions2) = (regions(one), regions(two));
    let says = |region: Option<&&'static str>, word: &str| {
        let said = region.and_then(|region| tables().says(region, &name));
        said.unwrap_or_else(|| toward(word, &name))
    };
    let common = regions1.iter().find(|region| regions2.contains(region));
    let equal = one == two || directions(&a).is_some() && directions(&a) == directions(&b);
    let same =
        if compass(&a).is_some() || compass(&b).is_some() { directions(&a) == directions(&b) } else { common.is_some() || equal };
    contrast.same = if same { SURE } else { 1.0 - SURE };
    contrast.both = format!("{}{}", verb_of(contrast.element), says(common.or(regions1.first()), &a));
    contrast.first = format!("{}{}", verb_of(contrast.element), says(regions1.first(), &a));
    contrast.second = format!("{}{}", verb_of(contrast.element), says(regions2.first(), &b));
}

/// A locative of directions in other words.
fn toward(word: &str, thing: &str) -> String {
    match directions(word) {
        Some(found) if !found.is_empty() => {
            let side = |direction: &char| if *direction == '中' { "中间".to_owned() } else { format!("{direction}边") };
            let sides: Vec<String> = found.iter().map(side).collect();
            let straight = if word.contains('正') && found.len() == 1 { "不偏不倚的" } else { "" };
            let between = if sides.len() > 1 { "之间的方位" } else { "" };
            format!("{thing}{straight}{}{between}", sides.join("与"))
        }
        _ => format!("{thing}“{word}”所指的地方"),
    }
}

/// What the thing does at the region, by the element that is compared.
fn verb_of(element: &str) -> &'static str {
    match element {
        "终点" => "到达",
        "起点" => "离开",
        "路径" => "经过",
        "位移方向" => "移向",
        "朝向" => "面对着",
        _ => "位于",
    }
}

/// Directional verbs.
fn by_motion(contrast: &mut Contrast, reading: &Reading, one: Way, two: Way) {
    let range = contrast.words.at.first();
    let clause = reading.clause_of.get(range.start).copied().unwrap_or(0);
    // What the clause itself names as left or entered.
    let named = named_ground(reading, &range, clause);
    let goes = |character: &char| "进入出".contains(*character);
    let passage = reading.tokens.iter().enumerate().any(|(number, token)| {
        let moves = token.class == Some(Class::Directional) || token.is('v');
        let place = reading.tokens.get(number + 1).is_some_and(|next| next.is('n') || next.is('s'));
        token.clause != clause && moves && token.text.chars().any(|character| goes(&character)) && place
    });
    let verb = reading.tokens[..reading.token_of.get(range.start).copied().unwrap_or(0)]
        .last()
        .map_or("", |token| token.text.as_str())
        .to_owned();
    let relation = relate(one, two, Around { verb: &verb, ground: &named, passage });
    contrast.element = "位移方向";
    contrast.ground = match relation {
        Relation::Viewpoint => "viewpoint",
        Relation::Fits => "fits",
        Relation::Ground => "medium",
        Relation::Passage => "passage",
        Relation::Apart => "apart",
    };
    contrast.same = if relation == Relation::Apart { 1.0 - SURE } else { SURE };
    let place = if named.is_empty() { enclosure(reading, range.start) } else { named };
    if contrast.actors.ground.is_empty() {
        contrast.actors.ground.clone_from(&place);
        if !place.is_empty() && !contrast.actors.entities.contains(&place) {
            contrast.actors.entities.push(place.clone());
        }
    }
    let way = if one.path.is_some() { one } else { two };
    contrast.both = match relation {
        Relation::Passage => format!("是离开一处、进到{}里面", if place.is_empty() { "另一处" } else { &place }),
        Relation::Ground if matches!(one.path, Some('上' | '出' | '起')) => format!("是从{place}的深处升到{place}的外面"),
        Relation::Ground => format!("是从{place}的外面进到{place}当中"),
        Relation::Viewpoint if one.view != two.view => format!("是{}，只是叙述的人站在不同的一边", way.says(&place)),
        _ => format!("是{}", way.says(&place)),
    };
    contrast.first = format!("是{}", one.says(&place));
    contrast.second = format!("是{}", two.says(&place));
}

/// The noun after 从, 由, 进, 出 or 到 in the clause of a directional verb, or right after the verb itself.
fn named_ground(reading: &Reading, range: &std::ops::Range<usize>, clause: usize) -> String {
    let tokens = || reading.tokens.iter().enumerate().filter(|(_, token)| token.clause == clause);
    let after = tokens().find(|(_, token)| token.begin >= range.end && !matches!(token.text.as_str(), "了" | "着"));
    let goal = after.filter(|(_, token)| token.is('n') && is_place(token.text.as_str()));
    let source = tokens().filter(|(_, token)| token.end <= range.start).find(|(number, token)| {
        let governed =
            *number > 0 && matches!(reading.tokens[*number - 1].text.as_str(), "从" | "由" | "自" | "打" | "到" | "往" | "向");
        governed && !token.is_mark() && !token.is('r')
    });
    let name = source.or(goal).map(|(_, token)| token.text.as_str()).unwrap_or_default();
    // 井里 may be one word: the place is the well.
    let bare = name.trim_end_matches(['里', '中', '内', '上', '下', '外']);
    if bare.is_empty() { name } else { bare }.to_owned()
}

fn is_place(noun: &str) -> bool {
    matches!(
        kind_of(noun),
        Some("volume" | "building" | "vehicle" | "region" | "container" | "vessel" | "water" | "opening" | "road" | "liquid")
    )
}

/// The place that the text before speaks of: the last noun for something that can be entered.
fn enclosure(reading: &Reading, before: usize) -> String {
    let mut places = reading.tokens.iter().rev().filter(|token| token.end <= before && token.is('n') && is_place(&token.text));
    places.next().map(|token| token.text.to_string()).unwrap_or_default()
}

/// Nouns that one moves along.
const TRACKS: &str = "路街道巷径阶梯桥廊岸堤线";
/// Verbs of putting and settling, with which 在 and 到 name one place.
const SETTLING: &str = "放坐躺站摆搁落停倒跪蹲贴挂插藏埋写画印丢扔洒铺趴靠住装塞";
/// Verbs of taking out, with which 在 and 从 name one place.
const TAKING: &str = "捞拿取掏抽挖摘找捡拾拔抓捉买听看见传";

/// Prepositions: those of one family say the same; others may, with some verbs and nouns.
fn by_preposition(contrast: &mut Contrast, one: &str, two: &str) {
    let is = |a: &str, b: &str| (one, two) == (a, b) || (one, two) == (b, a);
    let any =
        |characters: &str| contrast.actors.verbs.iter().any(|verb| verb.chars().any(|character| characters.contains(character)));
    let named = contrast.object.clone();
    let object = named.chars().last().is_some_and(|last| TRACKS.contains(last));
    let same = one == two
        || (is("from", "along") || is("from", "via") || is("along", "via") || is("at", "along")) && object
        || is("at", "to") && any(SETTLING)
        || is("at", "from") && any(TAKING)
        || is("toward", "to")
        || is("at", "next-to");
    contrast.same = if same { SURE } else { 1.0 - SURE };
    contrast.ground = "preposition";
    let object = if named.is_empty() { "同一个地方".to_owned() } else { named };
    let says = |family: &str| match family {
        "toward" => format!("指着{object}那一方，以它为目标"),
        "from" => format!("以{object}为出发的地方"),
        "along" | "via" => format!("以{object}为经过的路线"),
        "to" => format!("以{object}为到达的地方"),
        "apart" => format!("与{object}隔着同样长的一段距离"),
        "about" => format!("在{object}的四面移动"),
        _ => format!("处在{object}那里"),
    };
    contrast.element = match one {
        "toward" if contrast.actors.verbs.is_empty() => "朝向",
        "toward" => "方向",
        "from" if two == "along" => "路径",
        "from" => "起点",
        "along" | "via" => "路径",
        "to" => "终点",
        "apart" => "距离",
        _ => "处所",
    };
    (contrast.both, contrast.first, contrast.second) = (says(two), says(one), says(two));
}

/// What a preposition governs: the first thing or direction after it in its clause.
fn object_of(reading: &Reading, words: &Words) -> String {
    let clause = reading.clause_of.get(words.at.before).copied();
    let after = reading.tokens.iter().filter(|token| token.begin >= words.at.end1 && Some(token.clause) == clause).take(6);
    let found = after
        .clone()
        .find(|token| token.is('n') || token.is('s') || token.is('N') || token.class.is_some_and(|class| class != Class::Verb));
    found.map(|token| token.text.to_string()).unwrap_or_default()
}

/// Words that no table has: the same directions or none.
fn unknown(contrast: &mut Contrast) {
    let (a, b) = (contrast.words.one.clone(), contrast.words.two.clone());
    let same = directions(&a).is_some() && directions(&a) == directions(&b);
    contrast.same = if same { GUESS } else { 1.0 - GUESS };
    "是同一个地方".clone_into(&mut contrast.both);
    let name = contrast.actors.ground.clone();
    (contrast.first, contrast.second) = (format!("是{}", toward(&a, &name)), format!("是{}", toward(&b, &name)));
}

/// An order or a converse relation.
fn by_order(one: &Reading, two: &Reading, at: &Difference, order: &Order) -> Contrast {
    let words = Words { one: one.text(at.first()), two: two.text(at.second()), at: at.clone() };
    let whole = sentence(one, &at.first());
    let clause_begin = (whole.start..=at.before)
        .rev()
        .take_while(|place| *place == at.before || !"，。；！？".contains(one.chars[*place]))
        .last();
    let mark = |place: &usize| !one.chars[*place].is_alphanumeric();
    let after = (at.end1..whole.end).rev().skip_while(mark).count();
    let mut entities: Vec<String> = order.first.clone();
    entities.truncate(6);
    let figure = entities.join("”、“");
    Contrast {
        quoted: at.wider(clause_begin.unwrap_or(at.before), after),
        words,
        actors: Actors { figure, entities, ..Actors::default() },
        same: if order.same { SURE } else { 1.0 - SURE },
        element: "位置关系",
        both: format!("是{}", order.says(false)),
        first: format!("是{}", order.says(false)),
        second: format!("是{}", order.says(true)),
        object: String::new(),
        ground: "order",
    }
}

/// What is compared, by the preposition and the verb.
fn element(actors: &Actors, words: &Words) -> &'static str {
    let turned = |verb: &str| verb.contains('朝') || verb.contains("面向") || verb.contains("面对");
    match actors.preposition.as_str() {
        "从" | "由" | "自" | "打" if actors.verb.contains('过') || actors.verbs.iter().any(|verb| verb.contains('过')) => {
            "路径"
        }
        "从" | "由" | "自" | "打" => "起点",
        "到" | "至" => "终点",
        "向" | "往" | "朝" | "朝着" | "向着" => "位移方向",
        "沿" | "沿着" | "顺着" => "路径",
        _ if turned(&actors.verb) || turned(&words.one) => "朝向",
        _ if actors.verb.ends_with('到') => "终点",
        _ => "处所",
    }
}

/// The phrase that is quoted: with the thing before a locative, the verb before a directional, what a preposition governs; else the neighbouring word.
fn quoted(one: &Reading, words: &Words, actors: &Actors) -> Difference {
    // Whole words: 右岸, not 右.
    let rest = words
        .at
        .end1
        .checked_sub(1)
        .and_then(|place| one.token_at(place))
        .map_or(0, |token| token.end.saturating_sub(words.at.end1));
    let at = &words.at.wider(words.at.before, if rest <= 2 { rest } else { 0 });
    let token = |place: usize| one.token_at(place);
    let clause = one.clause_of.get(at.before).copied().unwrap_or(0);
    let in_clause = |place: usize| {
        one.clause_of.get(place) == Some(&clause) && one.chars.get(place).is_some_and(|character| character.is_alphanumeric())
    };
    match known(&words.one) {
        Some(Known::Way(_)) => {
            let begin =
                actors.verb_at.as_ref().map(|verb| verb.start).filter(|begin| *begin < at.before && at.before - begin <= 12);
            let before = at.before.checked_sub(1).filter(|place| in_clause(*place)).and_then(token).map(|token| token.begin);
            at.wider(begin.or(before).unwrap_or(at.before), 0)
        }
        Some(Known::Family(family)) if family.class == Class::Preposition || family.class == Class::Verb => {
            let mut after = 0;
            let mut seen = false;
            for place in at.end1..one.chars.len().min(at.end1 + 12) {
                let Some(next) = token(place) else { break };
                if !in_clause(place) || seen && next.class.is_none() {
                    break;
                }
                seen |= next.end == place + 1 && (next.is('n') || next.is('r') || next.is('v') || next.class.is_some());
                after = place + 1 - at.end1;
            }
            at.wider(at.before, after)
        }
        _ => {
            let ground = actors.ground_at.as_ref().map(|ground| ground.start).filter(|begin| at.before - begin <= 12);
            let before = || at.before.checked_sub(1).filter(|place| in_clause(*place)).and_then(token).map(|token| token.begin);
            at.wider(ground.or_else(before).unwrap_or(at.before), 0)
        }
    }
}
