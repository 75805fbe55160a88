//! The mock behind HTTP on the loopback address: what a client meets there, it also meets out in the world.

use std::io::{BufReader, BufWriter, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use fangwei::ask::Message;
use serde_json::{Value, json};

use super::fault::Kind;
use super::{Mock, http};
use crate::provider::about_tokens;

/// So many characters are one piece of a stream.
const PIECE: usize = 8;

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    over: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts at a port of the loopback address; 0 takes any that is free.
    pub fn start(mock: Arc<Mock>, port: u16) -> std::io::Result<Server> {
        let listener = TcpListener::bind(("127.0.0.1", port))?;
        let address = listener.local_addr()?;
        let over = Arc::new(AtomicBool::new(false));
        let ended = over.clone();
        let listening = std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                let mock = mock.clone();
                std::thread::spawn(move || {
                    // A client that goes away is its own affair.
                    let _ = serve(&mock, &stream);
                    let _ = stream.shutdown(Shutdown::Both);
                });
            }
        });
        Ok(Server { address, over, listening: Some(listening) })
    }

    /// `http://127.0.0.1:PORT/v1`
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // Wakes the listener, so that it sees that it is over.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

fn serve(mock: &Mock, stream: &TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let mut writer = BufWriter::new(stream);
    while let Some(asked) = http::read(&mut reader)? {
        let goes_on = match (asked.method.as_str(), asked.path.as_str()) {
            ("POST", path) if path.ends_with("/chat/completions") => complete(mock, &asked.body, &mut writer)?,
            ("GET", path) if path.ends_with("/models") => {
                http::write(&mut writer, 200, "", &json!({ "data": [{ "id": "mock", "object": "model" }] }).to_string())?;
                true
            }
            (method, path) => {
                refuse(&mut writer, 404, "", &format!("expected POST /v1/chat/completions, found {method} {path}"), None)?;
                true
            }
        };
        if !goes_on {
            return Ok(());
        }
    }
    Ok(())
}

fn refuse(writer: &mut impl Write, status: u16, more: &str, words: &str, parameter: Option<&str>) -> std::io::Result<()> {
    let body = json!({ "error": { "message": words, "type": "invalid_request_error", "param": parameter } });
    http::write(writer, status, more, &body.to_string())
}

/// Answers one request; `false` where the connection is to be closed.
fn complete(mock: &Mock, body: &[u8], writer: &mut impl Write) -> std::io::Result<bool> {
    std::thread::sleep(mock.delay);
    let Ok(body) = serde_json::from_slice::<Value>(body) else {
        refuse(writer, 400, "", "expected a JSON object", None)?;
        return Ok(true);
    };
    if let Some(parameter) = mock.refuses.iter().find(|name| sends(&body, name)) {
        refuse(
            writer,
            400,
            "",
            &format!("Unsupported parameter: '{parameter}' is not supported with this model."),
            Some(parameter),
        )?;
        return Ok(true);
    }
    let Ok(messages) = serde_json::from_value::<Vec<Message>>(body["messages"].clone()) else {
        refuse(writer, 400, "", "expected messages with a role and a content", Some("messages"))?;
        return Ok(true);
    };
    let fault = mock.fault().map(|fault| fault.kind);
    match fault {
        Some(Kind::Busy { after }) => {
            let more = after.map(|after| format!("Retry-After: {}\r\n", after.as_secs_f64())).unwrap_or_default();
            refuse(writer, 429, &more, "Rate limit reached", None)?;
            return Ok(true);
        }
        Some(Kind::Status(status)) => {
            refuse(writer, status, "", &format!("The script says {status}"), None)?;
            return Ok(true);
        }
        Some(Kind::Silence(time)) => {
            std::thread::sleep(time);
            return Ok(false);
        }
        Some(Kind::Drop) if body["stream"] != json!(true) => return Ok(false),
        _ => {}
    }
    let reply = mock.reply(&messages);
    let prompt: u64 = messages.iter().map(|message| about_tokens(&message.content) + 4).sum();
    let usage = json!({ "prompt_tokens": prompt, "completion_tokens": about_tokens(&reply.text) });
    if body["stream"] == json!(true) {
        return stream(&reply.text, reply.finish, &usage, fault, writer);
    }
    let message = if body["tools"].is_array() {
        json!({ "role": "assistant", "content": null, "tool_calls": [{ "function": { "name": "answer", "arguments": reply.text } }] })
    } else {
        json!({ "role": "assistant", "content": reply.text })
    };
    let choice = json!({ "index": 0, "message": message, "finish_reason": reply.finish });
    let answer = json!({ "id": "mock", "model": body["model"], "choices": [choice], "usage": usage }).to_string();
    match fault {
        Some(Kind::Half) => {
            http::write(writer, 200, "", answer.get(..answer.floor_char_boundary(answer.len() / 2)).unwrap_or_default())?;
        }
        Some(Kind::Slow(time)) => {
            std::thread::sleep(time);
            http::write(writer, 200, "", &answer)?;
        }
        _ => http::write(writer, 200, "", &answer)?,
    }
    Ok(true)
}

/// Whether a request sends a parameter, or a form of reply by that name.
fn sends(body: &Value, name: &str) -> bool {
    body.get(name).is_some() || body.pointer("/response_format/type").is_some_and(|form| form == name)
}

fn stream(text: &str, finish: &str, usage: &Value, fault: Option<Kind>, writer: &mut impl Write) -> std::io::Result<bool> {
    http::begin_stream(writer)?;
    let characters: Vec<char> = text.chars().collect();
    let pieces = characters.chunks(PIECE).count();
    for (number, piece) in characters.chunks(PIECE).enumerate() {
        let delta = json!({ "choices": [{ "index": 0, "delta": { "content": piece.iter().collect::<String>() }, "finish_reason": null }] });
        match fault {
            Some(Kind::Slow(time)) => std::thread::sleep(time),
            Some(Kind::Drop) if number * 2 >= pieces => return Ok(false),
            Some(Kind::Half) if number * 2 >= pieces => {
                http::write_event(writer, "{\"choices\":[{\"del")?;
                return Ok(false);
            }
            _ => {}
        }
        http::write_event(writer, &delta.to_string())?;
    }
    if matches!(fault, Some(Kind::Drop | Kind::Half)) {
        return Ok(false);
    }
    http::write_event(writer, &json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": finish }] }).to_string())?;
    http::write_event(writer, &json!({ "choices": [], "usage": usage }).to_string())?;
    http::write_event(writer, "[DONE]")?;
    http::write_event(writer, "")?;
    Ok(true)
}
