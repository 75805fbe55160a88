//! `2022-draft/relations`: events and spatial relations as a graph; UAS and LAS over its edges.
//!
//! Notation: `%放%` is an event, `#瓷碗#` an entity, `桌##上` a noun and its locative, `<在>房角##里` a preposition before a place, `房##内^房角` two places at once.

use smol_str::SmolStr;

use crate::answer::{Answer, DraftRole, Graph, Kind};
use crate::lang::{Say, words};
use crate::record::{Check, Code, Fields, Json, list_of};
use crate::score::{Alignment, Measures, Pair, RoleRow, Side, Total, f1, ratio};
use crate::task::{About, Item, Mode, Quirk, Rules, Scale, Task, Texts};

/// The task.
#[derive(Debug)]
pub struct Relations;

/// An edge of the graph: head, role, node, all without notation.
type Triple = (SmolStr, SmolStr, SmolStr);

/// A head or node without its signs: `<在>` falls away, so do `##` and the signs around events and entities.
fn node(text: &str) -> SmolStr {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        rest = after.split_once('>').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.replace("##", "").trim_matches(['%', '#']).into()
}

/// A text for people: a long head would be shown once for each of its edges.
fn brief(text: &str) -> String {
    if text.chars().nth(60).is_none() { text.to_owned() } else { text.chars().take(59).chain(['…']).collect() }
}

fn triples(graph: &Graph) -> Vec<Triple> {
    let mut triples = Vec::new();
    for (head, roles) in graph.events.iter().chain(&graph.relations) {
        // One head for all its edges: a long head with many edges must not be copied for each.
        let head = node(head);
        for (role, values) in roles {
            let nodes = values.iter().flat_map(|value| value.split('^'));
            triples.extend(nodes.map(|value| (head.clone(), role.clone(), node(value))));
        }
    }
    triples
}

fn graph(answer: Option<&Answer>) -> Option<&Graph> {
    if let Some(Answer::Graph(graph)) = answer { Some(graph) } else { None }
}

/// How many edges two graphs share, each as often as both have it.
fn shared<T: PartialEq>(gold: &[T], pred: &[T]) -> usize {
    let mut left: Vec<&T> = gold.iter().collect();
    pred.iter().filter(|edge| left.iter().position(|other| other == edge).map(|at| left.swap_remove(at)).is_some()).count()
}

fn hits(gold: &[Triple], pred: &[Triple]) -> (usize, usize) {
    let unlabelled = |triples: &[Triple]| triples.iter().map(|(head, _, node)| (head.clone(), node.clone())).collect::<Vec<_>>();
    (shared(&unlabelled(gold), &unlabelled(pred)), shared(gold, pred))
}

fn read_roles(given: &Json<'_>, check: &mut Check) -> Option<(SmolStr, Vec<DraftRole>)> {
    let Json::Map(fields) = given else {
        check.add(Code::NotAnObject, "{\"%…%\": {…}}", given.brief());
        return None;
    };
    let [(head, roles)] = fields.as_slice() else {
        check.add(Code::BadLength, Say::new("一个事件或实体", "one event or entity"), fields.len().to_string());
        return None;
    };
    let Json::Map(roles) = roles else {
        check.at(head.as_ref(), |check| check.add(Code::NotAnObject, Say::new("角色与取值", "roles with values"), roles.brief()));
        return None;
    };
    let (mut read, mut whole) = (Vec::new(), true);
    for (role, value) in roles {
        let values: Option<Vec<SmolStr>> = match value {
            Json::Text(text) => Some(vec![text.as_ref().into()]),
            Json::List(list) => list.iter().map(|value| value.as_str().map(SmolStr::new)).collect(),
            _ => None,
        };
        match values {
            Some(values) => read.push((SmolStr::new(role), values)),
            None => {
                whole = false;
                check.at(head.as_ref(), |check| {
                    check.at(role.as_ref(), |check| check.add(Code::BadType, Say::new("字符串", "a string"), value.brief()));
                });
            }
        }
    }
    whole.then(|| (SmolStr::new(head), read))
}

/// Notes signs that do not come in pairs.
fn check_notation(text: &str, check: &mut Check) {
    let paired = text.matches('<').count() == text.matches('>').count();
    let signs = text.matches('%').count();
    if !paired || !signs.is_multiple_of(2) || text.is_empty() {
        check.add(Code::BadNotation, Say::new("成对的 < >、% %", "signs in pairs: < >, % %"), format!("“{text}”"));
    }
}

/// The numbers of an item.
const SCALE: Scale = Scale {
    columns: &["unlabelled", "labelled", "pred", "gold", "labelled.f1"],
    own: 5,
    item: 4,
    ranking: "LAS.f1",
    accuracy: false,
};

/// What the task is called and how its records look.
const ABOUT: About = About {
    id: "2022-draft/relations",
    alias: "2022-draft/task3",
    title: words("中文空间实体识别与空间方位关系标注（早期设计）", "Events and relations as a graph (early design)"),
    guide: words(include_str!("guide/relations.zh.md"), include_str!("guide/relations.en.md")),
    prompts: &[("ours", include_str!("prompt/relations.ours.md"))],
    qid_names: &["qid", "id"],
    fields: &["qid", "id", "context", "result"],
    answer: "result",
};

impl Task for Relations {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn scale(&self) -> &Scale {
        &SCALE
    }

    fn kind(&self) -> Kind {
        Kind::Graph
    }

    fn read_answer(&self, given: &Json<'_>, check: &mut Check) -> Option<Answer> {
        let result = Fields(given).need("result", check)?;
        check.at("result", |check| {
            let fields = Fields::of(result, check)?;
            let mut side = |name: &str| {
                let value = fields.need(name, check)?;
                check.at(name, |check| list_of(value, check, read_roles))
            };
            let (events, relations) = (side("events"), side("relations"));
            Some(Answer::Graph(Graph { events: events?, relations: relations? }))
        })
    }

    fn write_answer(&self, answer: &Answer) -> Vec<(&'static str, Json<'static>)> {
        let Some(graph) = graph(Some(answer)) else { return Vec::new() };
        let value = |values: &Vec<SmolStr>| match values.as_slice() {
            [one] => Json::text(one.to_string()),
            many => Json::List(many.iter().map(|value| Json::text(value.to_string())).collect()),
        };
        let head = |(head, roles): &(SmolStr, Vec<DraftRole>)| {
            let roles = Json::map(roles.iter().map(|(role, values)| (role.to_string(), value(values))));
            Json::map([(head.to_string(), roles)])
        };
        let side = |heads: &Vec<(SmolStr, Vec<DraftRole>)>| Json::List(heads.iter().map(head).collect());
        vec![("result", Json::map([("events", side(&graph.events)), ("relations", side(&graph.relations))]))]
    }

    fn check_answer(&self, answer: &Answer, _: Option<&Texts>, check: &mut Check) {
        let Some(graph) = graph(Some(answer)) else { return };
        for (name, sign, heads) in [("events", '%', &graph.events), ("relations", '#', &graph.relations)] {
            for (number, (head, roles)) in heads.iter().enumerate() {
                check.at("result", |check| {
                    check.at(name, |check| {
                        check.at(number, |check| {
                            let framed = head.len() > 2 && head.starts_with(sign) && head.ends_with(sign);
                            if !framed {
                                check.add(Code::BadNotation, format!("{sign}…{sign}"), format!("“{head}”"));
                            }
                            check.at(head, |check| {
                                for (role, values) in roles {
                                    check.at(role, |check| values.iter().for_each(|value| check_notation(value, check)));
                                }
                            });
                        });
                    });
                });
            }
        }
    }

    fn quirks(&self) -> &'static [Quirk] {
        &[]
    }

    fn score(&self, _: Rules, item: &Item, pred: Option<&Answer>, row: &mut [f64]) {
        let gold = graph(item.gold.as_ref()).map(triples).unwrap_or_default();
        let pred = graph(pred).map(triples).unwrap_or_default();
        let (unlabelled, labelled) = hits(&gold, &pred);
        let f = f1(ratio(labelled as f64, pred.len() as f64), ratio(labelled as f64, gold.len() as f64));
        row.copy_from_slice(&[unlabelled as f64, labelled as f64, pred.len() as f64, gold.len() as f64, f]);
    }

    fn measures(&self, _: Mode, total: &Total) -> Measures {
        let [unlabelled, labelled, pred, gold, _] = total.sums[..] else { return Measures::default() };
        let level = |hits: f64| {
            let (p, r) = (ratio(hits, pred), ratio(hits, gold));
            Measures::default().number("precision", p).number("recall", r).number("f1", f1(p, r))
        };
        Measures::default().level("UAS", level(unlabelled)).level("LAS", level(labelled))
    }

    fn align(&self, _: Rules, item: &Item, pred: Option<&Answer>) -> Alignment {
        let gold = graph(item.gold.as_ref()).map(triples).unwrap_or_default();
        let pred = graph(pred).map(triples).unwrap_or_default();
        let (unlabelled, labelled) = hits(&gold, &pred);
        let ratios = |hits: usize| f1(ratio(hits as f64, pred.len() as f64), ratio(hits as f64, gold.len() as f64));
        let side = |(head, role, node): &Triple| {
            let [head, role, node] = [head, role, node].map(|text| brief(text));
            Side { text: format!("{head} –{role}→ {node}"), ..Side::default() }
        };
        let mut left: Vec<&Triple> = pred.iter().collect();
        let mut rows = Vec::new();
        for wanted in &gold {
            let same = left.iter().position(|edge| *edge == wanted);
            let near = same.or_else(|| left.iter().position(|edge| edge.0 == wanted.0 && edge.2 == wanted.2));
            let have = near.map(|at| left.remove(at));
            rows.push(RoleRow {
                role: brief(&wanted.1),
                gold: Some(side(wanted)),
                pred: have.map(side),
                hits: f64::from(u8::from(same.is_some())),
                gold_size: 1.0,
                pred_size: f64::from(u8::from(have.is_some())),
                note: None,
            });
        }
        rows.extend(left.into_iter().map(|edge| RoleRow {
            role: brief(&edge.1),
            pred: Some(side(edge)),
            pred_size: 1.0,
            ..RoleRow::default()
        }));
        Alignment {
            numbers: vec![("UAS.f1".to_owned(), ratios(unlabelled)), ("LAS.f1".to_owned(), ratios(labelled))],
            pairs: vec![Pair { gold: Some(0), pred: Some(0), earned: ratios(labelled), rows, note: None }],
            notes: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_fall_away() {
        assert_eq!(node("%放%"), "放");
        assert_eq!(node("<在>房角##里"), "房角里");
        assert_eq!(node("#席子#"), "席子");
        assert_eq!(node("<在"), "");
    }

    #[test]
    fn a_value_of_two_places_is_two_edges() {
        let graph = Graph {
            events: Vec::new(),
            relations: vec![("#席子#".into(), vec![("起点".into(), vec!["房##内^房角".into()])])],
        };
        let edge = |node: &str| Triple::from(("席子".into(), "起点".into(), node.into()));
        assert_eq!(triples(&graph), [edge("房内"), edge("房角")]);
    }

    #[test]
    fn an_edge_is_shared_as_often_as_both_have_it() {
        assert_eq!(shared(&["a", "a", "b"], &["a", "c", "a", "a"]), 2);
    }
}
