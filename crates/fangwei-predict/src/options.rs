//! Options of predictors: named, with a default, checked before anything is trained or answered.

use std::collections::BTreeMap;

use fangwei::lang::{Lang, Unknown, Words, expected_found, words};

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A whole number in a range.
    Int(i64, i64),
    /// A number in a range.
    Number(f64, f64),
    /// `true` or `false`.
    Switch,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any text.
    Text,
}

/// When an option counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In training; the model keeps it.
    Train,
    /// In answering; may be given anew each time.
    Predict,
}

/// An option.
#[derive(Debug)]
pub struct Spec {
    /// Its name: `candidates`.
    pub name: &'static str,
    /// Its value where none is given.
    pub default: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// When it counts.
    pub when: When,
    /// What it does.
    pub help: Words,
}

/// How many candidates an answer may have; every predictor that gives candidates has it.
pub const CANDIDATES: Spec = Spec {
    name: "candidates",
    default: "3",
    kind: Kind::Int(1, 3),
    when: When::Predict,
    help: words("2023/anomaly：至多几个候选答案，只计最好的一个", "2023/anomaly: most candidates, of which the best counts"),
};

/// Whether trees look again at what the first models guessed; off, to see what that stage is worth.
pub const SECOND_LOOK: Spec = Spec {
    name: "second-look",
    default: "true",
    kind: Kind::Switch,
    when: When::Train,
    help: words(
        "2023/anomaly、2022/roles、2023/roles：是否训练复看一遍的树模型；关掉可以看出这一步值多少",
        "2023/anomaly, 2022/roles, 2023/roles: whether trees learn to look again at the first guesses; off tells what this stage is worth",
    ),
};

/// An answer of each type.
pub const ALL_TYPES: Spec = Spec {
    name: "all-types",
    default: "false",
    kind: Kind::Switch,
    when: When::Predict,
    help: words(
        "2022/attribute：总是回答 A、B、C 三类；文本和要素得分升高，类型准确率近于零",
        "2022/attribute: always answer A, B and C; text and elements earn more, the accuracy of types falls to almost nothing",
    ),
};

/// Why options cannot be used.
#[derive(Clone, PartialEq, Debug)]
pub enum OptionError {
    /// Nobody knows the name.
    Unknown(Unknown),
    /// The value does not fit.
    Value {
        /// The option.
        name: String,
        /// What it takes.
        expected: String,
        /// What was given.
        found: String,
    },
}

impl OptionError {
    /// The message in one language.
    pub fn say(&self, lang: Lang) -> String {
        match self {
            OptionError::Unknown(unknown) => unknown.say(lang),
            OptionError::Value { name, expected, found } => expected_found(lang, name, expected, found),
        }
    }
}

impl std::fmt::Display for OptionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.say(Lang::En))
    }
}

impl std::error::Error for OptionError {}

impl Kind {
    /// What values it takes, in words.
    pub fn expected(self) -> String {
        match self {
            Kind::Int(low, high) => format!("{low}..={high}"),
            Kind::Number(low, high) => format!("{low}..={high}"),
            Kind::Switch => "true / false".to_owned(),
            Kind::Choice(choices) => choices.join(" / "),
            Kind::Text => "text".to_owned(),
        }
    }

    fn accepts(self, value: &str) -> bool {
        match self {
            Kind::Int(low, high) => value.parse().is_ok_and(|number: i64| (low..=high).contains(&number)),
            Kind::Number(low, high) => value.parse().is_ok_and(|number: f64| (low..=high).contains(&number)),
            Kind::Switch => matches!(value, "true" | "false"),
            Kind::Choice(choices) => choices.contains(&value),
            Kind::Text => true,
        }
    }
}

/// Values of the options of a predictor, checked.
#[derive(Clone, Debug)]
pub struct Options {
    specs: &'static [Spec],
    values: BTreeMap<&'static str, String>,
}

impl Options {
    /// Defaults, and in their place what was given.
    pub fn new<'g>(specs: &'static [Spec], given: impl IntoIterator<Item = (&'g str, &'g str)>) -> Result<Options, OptionError> {
        let values = specs.iter().map(|spec| (spec.name, spec.default.to_owned())).collect();
        Options { specs, values }.with(given)
    }

    /// The same with some other values.
    pub fn with<'g>(mut self, given: impl IntoIterator<Item = (&'g str, &'g str)>) -> Result<Options, OptionError> {
        let specs = self.specs;
        for (name, value) in given {
            let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
                let unknown = Unknown::new(words("没有这个选项", "unknown option"), name, specs.iter().map(|spec| spec.name));
                return Err(OptionError::Unknown(unknown));
            };
            if !spec.kind.accepts(value) {
                let expected = spec.kind.expected();
                return Err(OptionError::Value { name: name.to_owned(), expected, found: value.to_owned() });
            }
            self.values.insert(spec.name, value.to_owned());
        }
        Ok(self)
    }

    /// The value of an option; of one that the predictor does not have, the empty text.
    pub fn text(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// A whole number.
    pub fn int(&self, name: &str) -> i64 {
        self.text(name).parse().unwrap_or(0)
    }

    /// A number.
    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or(0.0)
    }

    /// A switch.
    pub fn is_on(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    /// Names and values of the options that count then, sorted.
    pub fn of(&self, when: When) -> BTreeMap<String, String> {
        let wanted = self.specs.iter().filter(|spec| spec.when == when);
        wanted.map(|spec| (spec.name.to_owned(), self.text(spec.name).to_owned())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[Spec] =
        &[CANDIDATES, Spec { name: "trees", default: "true", kind: Kind::Switch, when: When::Train, help: words("", "") }];

    #[test]
    fn defaults_values_and_mistakes() {
        let options = Options::new(SPECS, [("candidates", "1")]).expect("fits");
        assert_eq!((options.int("candidates"), options.is_on("trees")), (1, true));
        let error = Options::new(SPECS, [("candidate", "1")]).expect_err("no such option");
        assert!(error.to_string().contains("did you mean candidates?"), "{error}");
        let error = Options::new(SPECS, [("candidates", "4")]).expect_err("too many");
        assert_eq!(error.to_string(), "candidates: expected 1..=3, found 4");
    }
}
