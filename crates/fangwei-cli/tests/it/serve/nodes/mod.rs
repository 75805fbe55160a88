//! Several `fangwei serve` on one PostgreSQL behind a proxy: what one node was told holds on all of them, and what one that dies has begun the others end.

mod killed;
mod proxy;
mod shared;

use std::sync::Mutex;

use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Row};
use tokio::runtime::Runtime;

use self::proxy::Proxy;
use super::client::{Client, Served};
use super::{new_database, token};
use crate::Scratch;

/// Nodes on one database, and a proxy in front of them. Each has a folder of its own: they share nothing else.
struct Nodes {
    each: Vec<Served>,
    proxy: Proxy,
    /// A token of the admin, who is called root.
    root: String,
    address: String,
    database: Mutex<(Runtime, AnyConnection)>,
    scratch: Scratch,
}

impl Nodes {
    /// Starts nodes together on an empty database. `None`, with a message, where no server is named.
    fn start(name: &str, count: usize) -> Option<Nodes> {
        let Ok(server) = std::env::var("FANGWEI_POSTGRES") else {
            eprintln!(
                "skipped: several nodes need PostgreSQL, and FANGWEI_POSTGRES names no server (scripts/with-postgres starts one)"
            );
            return None;
        };
        let (scratch, address) = (Scratch::new(&format!("nodes-{name}")), new_database(&server));
        let folders: Vec<String> = (0..count).map(|number| scratch.path(&format!("node{number}"))).collect();
        let each: Vec<Served> = std::thread::scope(|threads| {
            let starting: Vec<_> =
                folders.iter().map(|folder| threads.spawn(|| Served::start(folder, "0", &["--database", &address]))).collect();
            starting.into_iter().map(|node| node.join().expect("it starts")).collect()
        });
        let proxy = Proxy::start(each.iter().map(|node| node.address.clone()).collect());
        let runtime = Runtime::new().expect("a runtime");
        let connection = runtime.block_on(AnyConnection::connect(&address)).expect("the server answers");
        let database = Mutex::new((runtime, connection));
        let mut nodes = Nodes { each, proxy, root: String::new(), address, database, scratch };
        nodes.make_admin();
        Some(nodes)
    }

    /// Every node has printed a link; one of them works, wherever it is opened.
    fn make_admin(&mut self) {
        let links: Vec<String> = self.each.iter().map(|node| node.first.clone().expect("a link")).collect();
        let works = |link: &&String| {
            let (_, path) = link.split_once("/join/").expect("a link");
            self.client("").get(&format!("/join/{path}")).expect("an answer").0 == 200
        };
        let good: Vec<&String> = links.iter().filter(works).collect();
        assert_eq!(good.len(), 1, "of the links that nodes print at once one works: {links:?}");
        self.each[1].join(good[0], "root");
        self.root = token("root", &self.folder(), &self.more());
    }

    /// What commands are told to find the database.
    fn more(&self) -> [&str; 2] {
        ["--database", &self.address]
    }

    /// A folder for commands.
    fn folder(&self) -> String {
        self.scratch.path("node0")
    }

    /// A connection to the next node, by way of the proxy.
    fn client(&self, token: &str) -> Client {
        Client::connect(&self.proxy.address, token).expect("the proxy listens")
    }

    /// One connection to each node, in turn as many as are asked for.
    fn clients(&self, token: &str, count: usize) -> Vec<Client> {
        self.each.iter().cycle().take(count).map(|node| node.client(token)).collect()
    }

    /// What all nodes say to a question: the same, but for their addresses.
    fn agreed(&self, token: &str, path: &str) -> Value {
        let ask = |node: &Served| match node.client(token).get(path).expect("an answer") {
            (status, Value::String(page)) => (status, json!(page.replace(&node.address, "site"))),
            answer => answer,
        };
        let answers: Vec<(u16, Value)> = self.each.iter().map(ask).collect();
        let (status, said) = &answers[0];
        assert_eq!(*status, 200, "{path}: {said}");
        for answer in &answers[1..] {
            assert_eq!(answer, &answers[0], "{path}");
        }
        said.clone()
    }

    /// Rows of two columns, a text and a number, from the database itself.
    fn rows(&self, select: &str) -> Vec<(String, i64)> {
        let mut database = self.database.lock().expect("no panic");
        let (runtime, connection) = &mut *database;
        let query = sqlx::query(AssertSqlSafe(select.to_owned()));
        let rows = runtime.block_on(query.fetch_all(connection)).expect("rows");
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    }

    /// A number from the database itself.
    fn count(&self, of: &str) -> i64 {
        self.rows(&format!("SELECT '', COUNT(*) FROM {of}"))[0].1
    }
}

#[test]
fn nodes_that_start_together_make_one_database_and_one_admin() {
    for round in 0..4 {
        let Some(nodes) = Nodes::start(&format!("together{round}"), 3) else { return };
        let health = nodes.agreed("", "/healthz");
        assert_eq!(health["status"], "ready");
        assert_eq!(nodes.count("account"), 1);
        assert_eq!(nodes.count("link WHERE used_at IS NULL"), 0, "no link is left that makes an admin");
    }
}
