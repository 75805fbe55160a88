//! What one request meets.

use std::time::{Duration, Instant};

use fangwei_llm::chat::{Chat, Model};
use fangwei_llm::mock::{Mock, Saying, Server};
use fangwei_llm::provider::{Provider, ProviderError, Request, Sampling, Shape, Trouble};

use crate::{World, connection, mock, question};

const LONG: Duration = Duration::from_secs(20);

fn trouble(world: &World, timeout: Duration, stream: bool) -> Trouble {
    match world.chat(timeout, stream).ask(&question(1)) {
        Err(ProviderError::Passing { kind, .. }) => kind,
        other => panic!("expected something that may pass, found {other:?}"),
    }
}

#[test]
fn an_echo_at_once_and_in_pieces() {
    let world = World::new(mock(&[]));
    for stream in [false, true] {
        let response = world.chat(LONG, stream).ask(&question(1)).expect("an answer");
        assert_eq!(response.text, question(1).messages[0].content);
        assert_eq!((response.finish.as_deref(), response.usage.estimated), (Some("stop"), false));
        // The question has twelve wide characters and three others, which are one token; four are for the message.
        assert_eq!(response.usage.prompt, 12 + 1 + 4);
    }
}

#[test]
fn failures_that_may_pass() {
    assert_eq!(trouble(&World::new(mock(&["drop"])), LONG, false), Trouble::Connection);
    assert_eq!(trouble(&World::new(mock(&["drop"])), LONG, true), Trouble::Connection);
    assert_eq!(trouble(&World::new(mock(&["half"])), LONG, false), Trouble::Garbled);
    assert_eq!(trouble(&World::new(mock(&["half"])), LONG, true), Trouble::Garbled);
    assert_eq!(trouble(&World::new(mock(&["503"])), LONG, false), Trouble::Server);
    assert_eq!(trouble(&World::new(mock(&["silence=3"])), Duration::from_millis(300), false), Trouble::Timeout);
    assert_eq!(trouble(&World::new(mock(&["silence=3"])), Duration::from_millis(300), true), Trouble::Timeout);
}

#[test]
fn a_slow_stream_is_not_silent() {
    // About three pieces, each within the time-out, all together beyond it.
    let world = World::new(mock(&["slow=0.25"]));
    let began = Instant::now();
    let response = world.chat(Duration::from_millis(400), true).ask(&question(1)).expect("slowly, but it comes");
    assert_eq!(response.text, question(1).messages[0].content);
    assert!(began.elapsed() > Duration::from_millis(450), "{:?}", began.elapsed());
}

#[test]
fn no_server_at_all() {
    let address = {
        let server = Server::start(std::sync::Arc::new(mock(&[])), 0).expect("a port");
        server.base_url()
    };
    let chat = Chat::new(&connection(&address, LONG), Model { name: "m".into(), ..Model::default() }, None).expect("an address");
    let error = chat.ask(&question(1)).expect_err("nobody is there");
    assert!(matches!(error, ProviderError::Passing { kind: Trouble::Connection, .. }), "{error:?}");
}

#[test]
fn a_refusal_is_told_in_the_servers_words() {
    let world = World::new(mock(&["400"]));
    let error = world.chat(LONG, false).ask(&question(1)).expect_err("refused");
    assert_eq!(error.to_string(), "the server refused (400): The script says 400");
    let error = Chat::new(&connection("ftp://x", LONG), Model::default(), None).expect_err("no address");
    assert_eq!(error.to_string(), "base URL: expected http://… or https://…, found ftp://x");
}

#[test]
fn what_a_server_does_not_take_is_learned_once() {
    let mut plain = Mock::new(Saying::Fixed("{\"judge\": 1}".into()));
    plain.refuses = ["seed", "max_tokens", "json_schema", "temperature"].map(str::to_owned).to_vec();
    let world = World::new(plain);
    let request = Request {
        shape: Shape::Schema,
        schema: Some(std::sync::Arc::new(serde_json::json!({ "type": "object" }))),
        sampling: Sampling { temperature: Some(0.0), seed: Some(1), max_tokens: Some(100) },
        ..question(1)
    };
    let chat = world.chat(LONG, false);
    chat.ask(&request).expect("answered without them");
    assert_eq!(chat.capabilities().left_out(), ["seed", "max_tokens", "response_format", "temperature"]);
    assert_eq!(world.mock.requests(), 1, "refused parameters never reached the model");
    chat.ask(&request).expect("answered at once");
    // A later run begins with what this one learned, and whoever asked for a temperature by name is told that there is none.
    let firm = |known| {
        Chat::new(&connection(&world.server.base_url(), LONG), Model { name: "m".into(), firm: true, ..Model::default() }, known)
    };
    firm(Some(chat.capabilities())).expect("an address").ask(&request).expect("nothing to be learned");
    let error = firm(None).expect("an address").ask(&request).expect_err("another experiment");
    assert!(matches!(error, ProviderError::Parameter { parameter: "seed", .. }), "{error:?}");
}

#[test]
fn tools_give_their_arguments() {
    let world = World::new(Mock::new(Saying::Fixed("{\"judge\": 1}".into())));
    let request = Request { shape: Shape::Tools, schema: Some(std::sync::Arc::default()), ..question(1) };
    assert_eq!(world.chat(LONG, false).ask(&request).expect("an answer").text, "{\"judge\": 1}");
}
