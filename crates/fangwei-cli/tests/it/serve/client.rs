//! The platform as a process, and what talks to it over real sockets: connections that stay open, no more of HTTP than that needs.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The program with its arguments, in English.
pub fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fangwei"));
    command.args(args).env_remove("LC_ALL").env_remove("LC_MESSAGES").env("LANG", "en_US.UTF-8").stdin(Stdio::null());
    command
}

/// What the program prints; it must end well.
pub fn said(args: &[&str]) -> String {
    let output = program(args).output().expect("the program starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// `fangwei serve`, ended with the value if not before.
pub struct Served {
    pub child: Child,
    /// Where it listens: `127.0.0.1:8000`.
    pub address: String,
    /// The link for the first admin, where it printed one.
    pub first: Option<String>,
}

impl Served {
    /// Starts it on a folder and waits until it answers. Port 0 takes a free one.
    pub fn start(folder: &str, port: &str, more: &[&str]) -> Served {
        let listen = format!("127.0.0.1:{port}");
        let args: Vec<&str> = ["serve", folder, "--listen", &listen].into_iter().chain(more.iter().copied()).collect();
        let mut child = program(&args).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = || {
            let mut line = String::new();
            out.read_line(&mut line).expect("output");
            line
        };
        let ready = line();
        let address = ready.split("http://").nth(1).and_then(|rest| rest.split_whitespace().next());
        let address = address.unwrap_or_else(|| panic!("expected an address, found {ready:?}")).to_owned();
        let mut served = Served { child, address, first: None };
        let mut client = served.client("");
        let (status, health) = client.get("/healthz").expect("it answers as soon as it says so");
        assert_eq!(status, 200, "{health}");
        let (_, signed_in) = client.get("/api/work").expect("an answer");
        assert_eq!(signed_in["error"], "sign-in", "{signed_in}");
        // Only a platform without accounts says more, and what it says is there by now.
        if ready_for_first(folder, more) {
            line();
            served.first = Some(line().trim().to_owned());
        }
        served
    }

    /// The port, to start again there.
    pub fn port(&self) -> String {
        self.address.rsplit(':').next().expect("a port").to_owned()
    }

    /// A connection with a token, or with none.
    pub fn client(&self, token: &str) -> Client {
        Client::connect(&self.address, token).expect("a connection")
    }

    /// Makes an account from the address of its invitation.
    pub fn join(&self, link: &str, name: &str) {
        let (_, path) = link.split_once("/join/").unwrap_or_else(|| panic!("expected an invitation, found {link:?}"));
        let form = format!("name={name}&password=bamboo-and-river-7&again=bamboo-and-river-7");
        let about = "content-type: application/x-www-form-urlencoded\r\n";
        let (status, said) = self.client("").send("POST", &format!("/join/{path}"), about, form.as_bytes()).expect("an answer");
        assert_eq!(status, 303, "{said}");
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        let done = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(done.expect("kill").success());
    }

    /// The exit code, once it ends.
    pub fn ended(&mut self, within: Duration) -> Option<i32> {
        let begun = Instant::now();
        while begun.elapsed() < within {
            if let Some(status) = self.child.try_wait().expect("a state") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("it still runs after {within:?}");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether there is no account yet.
fn ready_for_first(folder: &str, more: &[&str]) -> bool {
    let args: Vec<&str> = ["account", "list", folder, "--json"].into_iter().chain(more.iter().copied()).collect();
    said(&args).trim() == "[]"
}

/// One connection, kept open.
pub struct Client {
    stream: BufReader<TcpStream>,
    token: String,
}

impl Client {
    /// Connects.
    pub fn connect(address: &str, token: &str) -> std::io::Result<Client> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        Ok(Client { stream: BufReader::new(stream), token: token.to_owned() })
    }

    /// Asks for something.
    pub fn get(&mut self, path: &str) -> std::io::Result<(u16, Value)> {
        self.send("GET", path, "", b"")
    }

    /// Sends JSON.
    pub fn json(&mut self, method: &str, path: &str, body: &Value) -> std::io::Result<(u16, Value)> {
        self.send(method, path, "content-type: application/json\r\n", body.to_string().as_bytes())
    }

    /// Sends JSON that must be taken.
    pub fn must(&mut self, method: &str, path: &str, body: &Value) -> Value {
        let (status, said) = self.json(method, path, body).expect("an answer");
        assert!((200..300).contains(&status), "{method} {path}: {status} {said}");
        said
    }

    /// Sends a request and waits for its answer.
    pub fn send(&mut self, method: &str, path: &str, more: &str, body: &[u8]) -> std::io::Result<(u16, Value)> {
        let head = self.head(method, path, more, body.len());
        self.write(&[head.as_bytes(), body].concat())?;
        self.answer()
    }

    /// The head of a request.
    pub fn head(&self, method: &str, path: &str, more: &str, length: usize) -> String {
        let token = if self.token.is_empty() { String::new() } else { format!("authorization: Bearer {}\r\n", self.token) };
        format!("{method} {path} HTTP/1.1\r\nhost: site\r\n{token}{more}content-length: {length}\r\n\r\n")
    }

    /// Writes part of a request.
    pub fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// Reads an answer: its status, and its body as JSON, or as a string where it is none.
    pub fn answer(&mut self) -> std::io::Result<(u16, Value)> {
        let broken = |why: &str| Error::new(ErrorKind::InvalidData, why.to_owned());
        let mut status = 0;
        let mut length = None;
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest.split(' ').next().and_then(|code| code.parse().ok()).ok_or_else(|| broken("no status"))?;
            } else if let Some((name, value)) = line.split_once(": ")
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.parse().ok();
            }
        }
        let mut body = vec![0; length.ok_or_else(|| broken("expected a content-length"))?];
        self.stream.read_exact(&mut body)?;
        let text = String::from_utf8_lossy(&body);
        Ok((status, serde_json::from_str(&text).unwrap_or_else(|_| json!(text))))
    }
}

/// A browser, as far as forms need one: every request is a connection of its own.
pub struct Page {
    address: String,
    cookie: String,
    csrf: String,
}

impl Page {
    /// Signs in.
    pub fn sign_in(address: &str, name: &str) -> Page {
        let ask = |request: String| {
            let mut stream = TcpStream::connect(address).expect("a connection");
            stream.write_all(request.as_bytes()).expect("sent");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("an answer");
            answer
        };
        let form = format!("name={name}&password=bamboo-and-river-7");
        let head = "host: site\r\nconnection: close\r\ncontent-type: application/x-www-form-urlencoded";
        let answer = ask(format!("POST /login HTTP/1.1\r\n{head}\r\ncontent-length: {}\r\n\r\n{form}", form.len()));
        let cookie = answer.split("fangwei=").nth(1).and_then(|rest| rest.split(';').next()).expect("a session");
        let cookie = format!("fangwei={cookie}");
        let page = ask(format!("GET /me HTTP/1.1\r\nhost: site\r\nconnection: close\r\ncookie: {cookie}\r\n\r\n"));
        let csrf = page.split("name=\"csrf\" content=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a secret");
        Page { address: address.to_owned(), csrf: csrf.to_owned(), cookie }
    }

    /// The same browser at another address of the platform.
    pub fn at(&self, address: &str) -> Page {
        Page { address: address.to_owned(), cookie: self.cookie.clone(), csrf: self.csrf.clone() }
    }

    /// Asks for something.
    pub fn get(&self, path: &str) -> (u16, Value) {
        self.send("GET", path, b"")
    }

    /// Sends a form.
    pub fn post(&self, path: &str, fields: &str) -> (u16, Value) {
        self.send("POST", path, format!("{fields}&csrf={}", self.csrf).as_bytes())
    }

    fn send(&self, method: &str, path: &str, body: &[u8]) -> (u16, Value) {
        let about = format!("cookie: {}\r\ncontent-type: application/x-www-form-urlencoded\r\n", self.cookie);
        let mut client = Client::connect(&self.address, "").expect("a connection");
        client.send(method, path, &about, body).expect("an answer")
    }
}

/// Makes a batch of a sample, gives its items to people, and opens it; its id.
pub fn make_batch(manager: &mut Client, task: &str, file: &[u8], people: &[String], per_item: usize) -> String {
    let batch = new_batch(manager, task, file, per_item);
    let request = json!({ "people": people, "load": 1000, "seed": 1 });
    let plan = manager.must("POST", &format!("/api/batches/{batch}/plan"), &request);
    let order = json!({ "request": request, "hash": plan["hash"] });
    manager.must("POST", &format!("/api/batches/{batch}/assign"), &order);
    manager.must("POST", &format!("/api/batches/{batch}/state"), &json!({ "state": "open" }));
    batch
}

/// Makes a batch of a sample that nobody has anything of yet; its id.
pub fn new_batch(manager: &mut Client, task: &str, file: &[u8], per_item: usize) -> String {
    let about = json!({ "name": format!("{task} {per_item}"), "task": task, "mode": "annotate", "per_item": per_item });
    let batch = manager.must("POST", "/api/batches", &about)["id"].as_str().expect("an id").to_owned();
    let (status, said) =
        manager.send("POST", &format!("/api/batches/{batch}/items?file=gold.jsonl"), "", file).expect("an answer");
    assert_eq!(status, 201, "{said}");
    batch
}

/// A sheet of 2023/roles that says which save it is.
pub fn sheet(save: usize) -> Value {
    let records: Vec<Value> = (0..4)
        .map(|id| {
            let at = 4 * id;
            json!({ "id": id + 1, "type": "tuple", "fields": {
                "空间实体": [{ "idxes": [at, at + 1] }], "事件": [{ "idxes": [at + 2] }], "处所": [{ "idxes": [at + 3, at + 4] }] } })
        })
        .collect();
    json!({ "choices": {}, "texts": { "note": format!("第 {save} 次保存") }, "records": records, "waivers": [] })
}
