//! A proxy as small as it can be: every connection goes to the next node that takes it, byte by byte. So the requests of one browser land on all of them in turn.

use std::io::copy;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::spawn;

/// A proxy on a port of this machine, gone with the value.
pub struct Proxy {
    /// Where it listens: `127.0.0.1:8000`.
    pub address: String,
    behind: Arc<Behind>,
}

struct Behind {
    nodes: Vec<String>,
    /// How many connections each node has taken.
    taken: Vec<AtomicUsize>,
    is_over: AtomicBool,
}

impl Proxy {
    /// Listens in front of nodes.
    pub fn start(nodes: Vec<String>) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let taken = nodes.iter().map(|_| AtomicUsize::new(0)).collect();
        let behind = Arc::new(Behind { nodes, taken, is_over: AtomicBool::new(false) });
        let known = behind.clone();
        spawn(move || {
            for (number, stream) in listener.incoming().flatten().enumerate() {
                if known.is_over.load(Ordering::SeqCst) {
                    return;
                }
                let known = known.clone();
                spawn(move || known.pass_on(&stream, number));
            }
        });
        Proxy { address, behind }
    }

    /// How many connections each node has taken.
    pub fn taken(&self) -> Vec<usize> {
        self.behind.taken.iter().map(|taken| taken.load(Ordering::SeqCst)).collect()
    }
}

impl Behind {
    /// Joins a connection with the next node. One that is gone refuses, and the one after it gets the connection; where all are gone it ends.
    fn pass_on(&self, stream: &TcpStream, number: usize) {
        let mut places = (number..).take(self.nodes.len()).map(|number| number % self.nodes.len());
        let found = places.find_map(|place| Some((place, TcpStream::connect(&self.nodes[place]).ok()?)));
        let Some((place, node)) = found else { return };
        self.taken[place].fetch_add(1, Ordering::SeqCst);
        std::thread::scope(|threads| {
            threads.spawn(|| pour(stream, &node));
            pour(&node, stream);
        });
    }
}

/// Copies until one side ends, and tells the other. A connection that broke ends here, as it does for whoever uses it.
fn pour(mut from: &TcpStream, mut to: &TcpStream) {
    let _ = copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.behind.is_over.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect(&self.address);
    }
}
