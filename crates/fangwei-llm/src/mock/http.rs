//! As much of HTTP/1.1 as a client of chat completions needs.

use std::io::{BufRead, Read, Write};

/// A request.
#[derive(Debug, Default)]
pub struct Asked {
    /// `POST`
    pub method: String,
    /// `/v1/chat/completions`
    pub path: String,
    /// What came with it.
    pub body: Vec<u8>,
}

/// No request is longer.
const LONGEST: u64 = 64 << 20;

/// Reads a request; `None` where the client has gone.
pub fn read(stream: &mut impl BufRead) -> std::io::Result<Option<Asked>> {
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let mut asked = Asked {
        method: words.next().unwrap_or_default().into(),
        path: words.next().unwrap_or_default().into(),
        body: Vec::new(),
    };
    let mut length = 0;
    loop {
        let mut header = String::new();
        if stream.read_line(&mut header)? == 0 {
            return Ok(None);
        }
        let Some((name, value)) = header.split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    stream.take(length.min(LONGEST)).read_to_end(&mut asked.body)?;
    Ok(Some(asked))
}

/// Writes a whole answer.
pub fn write(stream: &mut impl Write, status: u16, more: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} -\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{more}\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    stream.flush()
}

/// Begins a stream of events.
pub fn begin_stream(stream: &mut impl Write) -> std::io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")?;
    stream.flush()
}

/// Writes an event; an empty one ends the stream.
pub fn write_event(stream: &mut impl Write, data: &str) -> std::io::Result<()> {
    if data.is_empty() {
        stream.write_all(b"0\r\n\r\n")?;
    } else {
        let event = format!("data: {data}\n\n");
        stream.write_all(format!("{:x}\r\n{event}\r\n", event.len()).as_bytes())?;
    }
    stream.flush()
}
