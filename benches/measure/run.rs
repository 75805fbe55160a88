//! Runs the program and tells what it cost.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs the program; wall time, seconds of all its threads on a processor, and peak resident memory in MB.
pub fn run(args: &[&str]) -> (Duration, f64, f64) {
    let start = Instant::now();
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_fangwei")).args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let stat = PathBuf::from(format!("/proc/{}/stat", child.id()));
    let (mut peak, mut busy) = (0.0_f64, 0.0_f64);
    loop {
        // The 14th and 15th fields are hundredths of seconds in the program and in the system.
        if let Ok(text) = std::fs::read_to_string(&stat) {
            let ticks = text.split_whitespace().skip(13).take(2).filter_map(|word| word.parse::<f64>().ok());
            busy = busy.max(ticks.sum::<f64>() / 100.0);
        }
        if let Ok(text) = std::fs::read_to_string(&status)
            && let Some(line) = text.lines().find(|line| line.starts_with("VmHWM"))
        {
            let kilobytes: f64 = line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).unwrap_or(0.0);
            peak = peak.max(kilobytes / 1024.0);
        }
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "fangwei {args:?} failed");
            return (start.elapsed(), busy, peak);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
