//! How many requests are under way at once: found by trying, as TCP finds the capacity of a line.
//!
//! The window doubles with every round that succeeds (slow start) until the server says 429 for the first time. Each burst of 429 halves it and keeps everybody
//! waiting as long as the server asked; then it grows by one a round.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The wait after a first 429 that names none; it doubles with each that follows.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// No wait that we choose ourselves is longer.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

#[derive(Debug)]
struct State {
    window: f64,
    under_way: usize,
    slow_start: bool,
    last_cut: Option<Instant>,
    not_before: Option<Instant>,
    /// Bursts of 429 since the last success.
    bursts: u32,
    waited: Duration,
    stopped: bool,
}

/// The gate that every request passes.
#[derive(Debug)]
pub struct Pace {
    most: usize,
    state: Mutex<State>,
    changed: Condvar,
}

/// How things stand, for people.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    /// How many requests may be under way.
    pub window: usize,
    /// How many are.
    pub under_way: usize,
    /// How long everybody has been kept waiting by 429, all in all.
    pub waited: Duration,
    /// How long everybody is still kept waiting.
    pub waiting: Duration,
}

impl Pace {
    /// At most `most` at once.
    pub fn new(most: usize) -> Pace {
        let state = State {
            window: 1.0,
            under_way: 0,
            slow_start: true,
            last_cut: None,
            not_before: None,
            bursts: 0,
            waited: Duration::ZERO,
            stopped: false,
        };
        Pace { most: most.max(1), state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place; `false` once everything is stopped.
    pub fn enter(&self) -> bool {
        let mut state = self.state();
        loop {
            if state.stopped {
                return false;
            }
            let now = Instant::now();
            match state.not_before {
                Some(until) if until > now => {
                    state = self.changed.wait_timeout(state, until - now).unwrap_or_else(PoisonError::into_inner).0;
                }
                _ if state.under_way < state.window as usize => {
                    state.under_way += 1;
                    return true;
                }
                _ => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// A request that was under way succeeded.
    pub fn succeeded(&self) {
        let mut state = self.state();
        state.under_way -= 1;
        state.bursts = 0;
        // In slow start each success lets in one more, so a round doubles the window; afterwards a round adds one.
        state.window += if state.slow_start { 1.0 } else { 1.0 / state.window };
        if state.window >= self.most as f64 {
            state.window = self.most as f64;
            state.slow_start = false;
        }
        drop(state);
        self.changed.notify_all();
    }

    /// A request that began at `began` was answered with 429.
    pub fn busy(&self, began: Instant, after: Option<Duration>) {
        let mut state = self.state();
        state.under_way -= 1;
        state.slow_start = false;
        let now = Instant::now();
        // Requests that were sent before the last cut tell nothing about the window after it.
        if state.last_cut.is_none_or(|cut| began > cut) {
            state.window = (state.window / 2.0).max(1.0);
            state.last_cut = Some(now);
            state.bursts += 1;
        }
        let own = FIRST_WAIT.saturating_mul(1 << state.bursts.saturating_sub(1).min(10)).min(LONGEST_WAIT);
        let until = now + after.unwrap_or(own);
        let before = state.not_before.map_or(now, |before| before.max(now));
        if until > before {
            state.waited += until - before;
            state.not_before = Some(until);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// A request that was under way failed for a reason that says nothing about the pace.
    pub fn failed(&self) {
        self.state().under_way -= 1;
        self.changed.notify_all();
    }

    /// Lets nobody in any more.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }

    /// Whether everything is stopped.
    pub fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    /// Sleeps, unless everything is stopped meanwhile.
    pub fn sleep(&self, time: Duration) {
        let until = Instant::now() + time;
        let mut state = self.state();
        while !state.stopped {
            let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else { return };
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// How things stand.
    pub fn standing(&self) -> Standing {
        let state = self.state();
        let waiting = state.not_before.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()));
        Standing { window: state.window as usize, under_way: state.under_way, waited: state.waited, waiting }
    }
}

/// The wait before try number `attempt` + 1 after something that may pass: 1, 2, 4 … s, up to a minute, each between half and all of it, so that requests
/// that failed together do not come back together. `number` decides, so that a run can be repeated.
pub fn back_off(attempt: u32, number: u64, unit: Duration) -> Duration {
    let full = unit.saturating_mul(1 << attempt.saturating_sub(1).min(10)).min(LONGEST_WAIT);
    let share = (number.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(u64::from(attempt)) % 1024) as f64 / 1024.0;
    full.mul_f64(0.5 + share / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(pace: &Pace) {
        let window = pace.standing().window;
        for _ in 0..window {
            assert!(pace.enter());
        }
        for _ in 0..window {
            pace.succeeded();
        }
    }

    #[test]
    fn slow_start_doubles_up_to_the_most() {
        let pace = Pace::new(10);
        let mut windows = Vec::new();
        for _ in 0..5 {
            windows.push(pace.standing().window);
            round(&pace);
        }
        assert_eq!(windows, [1, 2, 4, 8, 10]);
    }

    #[test]
    fn a_burst_of_429_halves_once_and_then_it_grows_by_one_a_round() {
        let pace = Pace::new(64);
        (0..4).for_each(|_| round(&pace));
        assert_eq!(pace.standing().window, 16);
        let began = Instant::now();
        (0..16).for_each(|_| assert!(pace.enter()));
        (0..16).for_each(|_| pace.busy(began, Some(Duration::from_millis(20))));
        assert_eq!(pace.standing().window, 8, "sixteen refusals of one burst are one burst");
        let asked = Instant::now();
        assert!(pace.enter());
        assert!(asked.elapsed() >= Duration::from_millis(10), "nobody enters before the server's time is over");
        pace.failed();
        round(&pace);
        round(&pace);
        assert_eq!(pace.standing().window, 9, "a round of eight adds a little less than one: 8.9, then 9.8");
    }

    #[test]
    fn waits_grow_and_differ() {
        let wait = |attempt, number| back_off(attempt, number, Duration::from_secs(1));
        assert!(wait(1, 7) >= Duration::from_millis(500) && wait(1, 7) <= Duration::from_secs(1));
        assert!(wait(4, 7) >= Duration::from_secs(4) && wait(30, 7) <= LONGEST_WAIT);
        assert_ne!(wait(3, 7), wait(3, 8));
        assert_eq!(wait(3, 7), wait(3, 7));
    }

    #[test]
    fn who_waits_is_woken_by_a_stop() {
        let pace = Pace::new(1);
        assert!(pace.enter());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| pace.enter());
            pace.stop();
            assert!(!waiting.join().expect("no panic"));
        });
        let began = Instant::now();
        pace.sleep(Duration::from_mins(1));
        assert!(began.elapsed() < Duration::from_secs(5));
    }
}
