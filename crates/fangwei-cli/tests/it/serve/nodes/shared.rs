//! What is one on all nodes: sessions, lock-outs, the work of a batch, versions of marks, quotas.

use std::collections::BTreeSet;
use std::sync::Barrier;

use serde_json::{Value, json};

use super::super::client::{Client, Page, new_batch, sheet};
use super::super::scored::{enter, open_changed, sample};
use super::super::{annotators, queue, roles, token};
use super::Nodes;

/// Does something with every client at once, each on a thread of its own.
fn at_once<T: Send>(clients: Vec<Client>, act: impl Fn(usize, &mut Client) -> T + Sync) -> Vec<T> {
    let (act, barrier) = (&act, &Barrier::new(clients.len()));
    std::thread::scope(|threads| {
        let begin = |(number, mut client)| {
            threads.spawn(move || {
                barrier.wait();
                act(number, &mut client)
            })
        };
        let acting: Vec<_> = clients.into_iter().enumerate().map(begin).collect();
        acting.into_iter().map(|acting| acting.join().expect("no panic")).collect()
    })
}

/// How many answers have a status.
fn with_status(answers: &[(u16, Value)], status: u16) -> usize {
    answers.iter().filter(|(found, _)| *found == status).count()
}

#[test]
fn a_session_is_one_on_all_nodes() {
    let Some(nodes) = Nodes::start("session", 2) else { return };
    let before = nodes.proxy.taken();
    let page = Page::sign_in(&nodes.proxy.address, "root");
    for _ in 0..4 {
        // A page, and a change with the secret of a form that the node before has made.
        assert_eq!(page.get("/people").0, 200);
        assert_eq!(page.post("/people/invite", "role=annotator").0, 200);
    }
    let gone: Vec<usize> = nodes.proxy.taken().iter().zip(before).map(|(after, before)| after - before).collect();
    assert_eq!(gone, [5, 5], "every second request goes to the other node");
    assert_eq!(page.at(&nodes.each[1].address).post("/logout", "").0, 303);
    for node in &nodes.each {
        let (status, said) = page.at(&node.address).get("/api/batches");
        assert_eq!((status, &said["error"]), (401, &json!("sign-in")), "signed out on one node, signed out on all: {said}");
    }
    // Wrong passwords are counted together: neither node has seen as many as lock a name.
    let sign_in = |password: &str| {
        let form = format!("name=root&password={password}");
        let about = "content-type: application/x-www-form-urlencoded\r\n";
        nodes.client("").send("POST", "/login", about, form.as_bytes()).expect("an answer").0
    };
    assert_eq!([(); 8].map(|()| sign_in("wrong")), [401; 8]);
    assert_eq!([sign_in("bamboo-and-river-7"), sign_in("bamboo-and-river-7")], [429; 2], "locked on both");
}

/// The sample of 2023/roles several times over.
fn many_roles(copies: usize) -> (Vec<u8>, usize) {
    let text = String::from_utf8(roles()).expect("UTF-8");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let copy = |number: usize| {
        lines.iter().cloned().map(move |mut line| {
            line["qid"] = json!(format!("{}-{number}", line["qid"].as_str().expect("a name")));
            format!("{line}\n")
        })
    };
    ((0..copies).flat_map(copy).collect::<String>().into_bytes(), copies * lines.len())
}

#[test]
fn work_given_out_on_all_nodes_at_once_is_given_once() {
    const MANAGERS: usize = 4;
    let Some(nodes) = Nodes::start("assign", 2) else { return };
    let (folder, more) = (nodes.folder(), nodes.more());
    let people = annotators(&nodes.each[0], &folder, &more, MANAGERS);
    let (file, items) = many_roles(3);
    let batch = new_batch(&mut nodes.client(&nodes.root), "2023/roles", &file, 1);
    let mut held = [0; MANAGERS];
    while held.iter().sum::<usize>() < items {
        // Everybody sees the same work lying there, and wants it for people of their own.
        let asked: Vec<Value> =
            (0..MANAGERS).map(|at| json!({ "people": [people[at]], "load": held[at] + 2, "seed": at })).collect();
        let plan = |at: usize, client: &mut Client| client.must("POST", &format!("/api/batches/{batch}/plan"), &asked[at]);
        let plans = at_once(nodes.clients(&nodes.root, MANAGERS), plan);
        assert!(plans.iter().all(|plan| plan["given"].as_array().is_some_and(|given| given.len() == 2)), "{plans:?}");
        let answers = at_once(nodes.clients(&nodes.root, MANAGERS), |at, client| {
            let order = json!({ "request": asked[at], "hash": plans[at]["hash"] });
            client.json("POST", &format!("/api/batches/{batch}/assign"), &order).expect("an answer")
        });
        let (given, refused) = (with_status(&answers, 200), with_status(&answers, 409));
        assert_eq!((given, refused), (1, MANAGERS - 1), "one is first, the others look again: {answers:?}");
        held[answers.iter().position(|(status, _)| *status == 200).expect("one")] += 2;
    }
    assert_eq!(nodes.count("assignment"), items as i64);
    let given = nodes.rows("SELECT item, COUNT(*) FROM assignment WHERE state = 'new' GROUP BY item");
    assert_eq!((given.len(), given.iter().all(|(_, count)| *count == 1)), (items, true), "{given:?}");
    nodes.client(&nodes.root).must("POST", &format!("/api/batches/{batch}/state"), &json!({ "state": "open" }));
    for (name, held) in people.iter().zip(held) {
        let token = token(name, &folder, &more);
        assert_eq!(nodes.clients(&token, 2).iter_mut().map(|client| queue(client).len()).collect::<Vec<_>>(), [held; 2]);
    }
}

#[test]
fn of_two_saves_on_two_nodes_one_wins_and_none_is_lost() {
    const ROUNDS: usize = 10;
    let Some(nodes) = Nodes::start("saves", 2) else { return };
    let mut manager = nodes.client(&nodes.root);
    let batch = super::super::client::make_batch(&mut manager, "2023/roles", &roles(), &["root".to_owned()], 1);
    let id = queue(&mut manager).remove(0);
    let path = format!("/api/work/{id}");
    let save = |client: &mut Client, base: usize, text: usize, name: &str| {
        client.json("PUT", &path, &json!({ "base": base, "sheet": sheet(text), "client": name })).expect("an answer")
    };
    let mut kept: Vec<Value> = Vec::new();
    for round in 0..ROUNDS {
        let (base, number) = (kept.len(), |at: usize| 10 * round + at);
        let answers =
            at_once(nodes.clients(&nodes.root, 2), |at, client| save(client, base, number(at), &format!("{round} {at}")));
        assert_eq!((with_status(&answers, 200), with_status(&answers, 409)), (1, 1), "{answers:?}");
        let winner = usize::from(answers[1].0 == 200);
        let (won, lost) = (&answers[winner].1, &answers[1 - winner].1["detail"]);
        assert_eq!(won["version"], base + 1, "{won}");
        assert_eq!((&lost["version"], &lost["sheet"]), (&json!(base + 1), &sheet(number(winner))), "who comes second sees it");
        // Who lost keeps theirs on top of it, on whichever node; sent again after a broken connection it is the same version.
        let name = format!("{round} again");
        let again = at_once(nodes.clients(&nodes.root, 2), |_, client| save(client, base + 1, number(1 - winner), &name));
        assert!(again.iter().all(|(status, said)| *status == 200 && said["version"] == base + 2), "{again:?}");
        kept.extend([sheet(number(winner)), sheet(number(1 - winner))]);
    }
    let lines = nodes.agreed(&nodes.root, &format!("/api/batches/{batch}/marks"));
    let lines = lines.as_str().expect("lines of JSON").lines();
    let mut marks: Vec<Value> = lines.map(|line| serde_json::from_str(line).expect("JSON")).collect();
    marks.sort_by_key(|mark| mark["version"].as_u64());
    let sheets: Vec<&Value> = marks.iter().map(|mark| &mark["content"]["sheet"]).collect();
    assert_eq!(sheets, kept.iter().collect::<Vec<_>>(), "every version, as it was sent");
}

#[test]
fn a_quota_is_one_on_all_nodes() {
    const A_DAY: usize = 5;
    let Some(nodes) = Nodes::start("quota", 2) else { return };
    let (folder, more) = (nodes.folder(), nodes.more());
    let contest = open_changed(&folder, &more, |_| ());
    let tokens = [0, 1].map(|number| enter(&nodes.each[number], &contest, &folder, &more, &nodes.root, number));
    let file = sample("2022/judge");
    let submit = |client: &mut Client, name: &str| {
        let path = format!("/api/contests/{contest}/submissions?task=judge&client={name}");
        client.send("POST", &path, "", &file).expect("an answer")
    };
    let id = |said: &Value| said["submission"]["id"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned();
    // Twice as many as a day has, all at once.
    let answers = at_once(nodes.clients(&tokens[0], 2 * A_DAY), |at, client| submit(client, &format!("f{at}")));
    assert_eq!((with_status(&answers, 201), with_status(&answers, 422)), (A_DAY, A_DAY), "{answers:?}");
    for (_, said) in answers.iter().filter(|(status, _)| *status == 422) {
        assert_eq!(said["detail"]["quota"]["today"], 0, "{said}");
    }
    let numbers = nodes.rows("SELECT day, day_number FROM submission ORDER BY day_number");
    assert_eq!(numbers.iter().map(|(_, number)| *number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    // Sent again on the other node, what was taken is the same submission, though nothing is left.
    for (at, (status, said)) in answers.iter().enumerate() {
        let (again, same) = submit(&mut nodes.each[(at + 1) % 2].client(&tokens[0]), &format!("f{at}"));
        assert_eq!(again, *status, "{same}");
        if again == 201 {
            assert_eq!(id(&same), id(said));
        }
    }
    // One file under one name, from everywhere at once: one submission.
    let answers = at_once(nodes.clients(&tokens[1], 6), |_, client| submit(client, "once"));
    assert_eq!(with_status(&answers, 201), 6, "{answers:?}");
    assert_eq!(answers.iter().map(|(_, said)| id(said)).collect::<BTreeSet<_>>().len(), 1, "{answers:?}");
    assert_eq!(nodes.count("submission"), A_DAY as i64 + 1);
    let left = nodes.agreed(&tokens[1], &format!("/api/contests/{contest}/quota"));
    assert!(left.to_string().contains(&format!("\"today\":{}", A_DAY - 1)), "{left}");
}
