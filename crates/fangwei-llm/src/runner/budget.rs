//! What may be spent: tokens, or money where prices are known. What is under way is reserved, so that a budget is not overrun by what was already asked.

use serde::{Deserialize, Serialize};

use crate::provider::Usage;

/// Money for a million tokens, in any one currency.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Price {
    /// Of messages.
    pub prompt: f64,
    /// Of replies.
    pub completion: f64,
}

impl Price {
    /// What a request cost.
    pub fn of(self, usage: Usage) -> f64 {
        (usage.prompt as f64 * self.prompt + usage.completion as f64 * self.completion) / 1e6
    }

    /// Reads `IN,OUT`, both for a million tokens.
    pub fn parse(text: &str) -> Option<Price> {
        let (prompt, completion) = text.split_once(',')?;
        let price = |text: &str| text.trim().parse::<f64>().ok().filter(|price| *price >= 0.0 && price.is_finite());
        Some(Price { prompt: price(prompt)?, completion: price(completion)? })
    }
}

/// The most that may be spent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Budget {
    /// Tokens of messages and replies.
    Tokens(u64),
    /// Money, in the currency of the prices.
    Money(f64),
}

impl Budget {
    /// Reads `200000`, `200k` or `2M` as tokens, `$3`, `¥20`, `3usd` or `20元` as money.
    pub fn parse(text: &str) -> Option<Budget> {
        let text = text.trim();
        let money = ["$", "¥", "￥", "€", "usd", "cny", "eur", "元"];
        let lower = text.to_lowercase();
        if let Some(sign) = money.iter().find(|sign| lower.starts_with(**sign) || lower.ends_with(**sign)) {
            let amount = lower.replacen(sign, "", 1).trim().parse::<f64>().ok();
            return amount.filter(|amount| *amount > 0.0 && amount.is_finite()).map(Budget::Money);
        }
        let (number, factor) = match lower.strip_suffix('k') {
            Some(number) => (number, 1e3),
            None => lower.strip_suffix('m').map_or((lower.as_str(), 1.0), |number| (number, 1e6)),
        };
        let tokens = number.replace('_', "").parse::<f64>().ok()? * factor;
        (1.0..1e15).contains(&tokens).then_some(Budget::Tokens(tokens as u64))
    }
}

/// What was spent.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Spent {
    /// Requests that were answered.
    pub requests: u64,
    /// Tokens of messages.
    pub prompt: u64,
    /// Tokens of replies.
    pub completion: u64,
}

impl Spent {
    /// Adds a request.
    pub fn add(&mut self, usage: Usage) {
        self.requests += 1;
        self.prompt += usage.prompt;
        self.completion += usage.completion;
    }

    /// Tokens of messages and replies.
    pub fn tokens(&self) -> u64 {
        self.prompt + self.completion
    }

    /// What it cost.
    pub fn money(&self, price: Price) -> f64 {
        price.of(Usage { prompt: self.prompt, completion: self.completion, estimated: false })
    }

    /// Whether `under_way` requests and one more like those before would still be within the budget. `about` is the guess for the first.
    pub fn allows(&self, budget: Budget, price: Price, under_way: u64, about: Usage) -> bool {
        let each = |total: f64, guess: f64| if self.requests == 0 { guess } else { total / self.requests as f64 };
        let (spent, one, most) = match budget {
            Budget::Tokens(most) => {
                let guess = (about.prompt + about.completion) as f64;
                (self.tokens() as f64, each(self.tokens() as f64, guess), most as f64)
            }
            Budget::Money(most) => (self.money(price), each(self.money(price), price.of(about)), most),
        };
        spent + one * (under_way + 1) as f64 <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_tokens_or_money() {
        assert_eq!(Budget::parse("200k"), Some(Budget::Tokens(200_000)));
        assert_eq!(Budget::parse("1_500"), Some(Budget::Tokens(1500)));
        assert_eq!(Budget::parse("$2.5"), Some(Budget::Money(2.5)));
        assert_eq!(Budget::parse("20元"), Some(Budget::Money(20.0)));
        for bad in ["", "-3", "$", "many", "0"] {
            assert_eq!(Budget::parse(bad), None, "{bad}");
        }
        assert_eq!(Price::parse("0.5, 1.5"), Some(Price { prompt: 0.5, completion: 1.5 }));
    }

    #[test]
    fn what_is_under_way_is_reserved() {
        let mut spent = Spent::default();
        let usage = Usage { prompt: 80, completion: 20, estimated: false };
        assert!(spent.allows(Budget::Tokens(100), Price::default(), 0, usage));
        assert!(!spent.allows(Budget::Tokens(100), Price::default(), 1, usage), "two of 100 tokens are more than 100");
        spent.add(usage);
        assert!(spent.allows(Budget::Tokens(300), Price::default(), 1, usage));
        assert!(!spent.allows(Budget::Tokens(299), Price::default(), 1, usage));
        // 80 at 1 and 20 at 2 for a million are 0.00012
        assert!((spent.money(Price { prompt: 1.0, completion: 2.0 }) - 0.000_12).abs() < 1e-12);
    }
}
