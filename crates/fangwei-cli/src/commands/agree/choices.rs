//! The choices that users have, by name.

use clap::ValueEnum;
use fangwei::agree::{Keep, Rest, Weights};

use crate::lang::t;

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum KappaName {
    #[default]
    #[value(help = t("不加权", "no weights"))]
    Plain,
    #[value(help = t("线性加权", "linear weights"))]
    Linear,
    #[value(help = t("平方加权", "quadratic weights"))]
    Quadratic,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeepName {
    #[value(help = t("一致选同一极端，同 2022 年", "all give the same extreme, as in 2022"))]
    Extremes,
    #[value(help = t("全体一致", "all give the same label"))]
    Agreed,
    #[value(help = t("过半数一致", "more than half give the same label"))]
    Majority,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum RestName {
    #[default]
    #[value(help = t("不用", "is not used"))]
    Discard,
    #[value(help = t("交人裁决", "somebody decides"))]
    Adjudicate,
}

impl From<KappaName> for Weights {
    fn from(name: KappaName) -> Weights {
        match name {
            KappaName::Plain => Weights::Plain,
            KappaName::Linear => Weights::Linear,
            KappaName::Quadratic => Weights::Quadratic,
        }
    }
}

impl From<KeepName> for Keep {
    fn from(name: KeepName) -> Keep {
        match name {
            KeepName::Extremes => Keep::Extremes,
            KeepName::Agreed => Keep::Agreed,
            KeepName::Majority => Keep::Majority,
        }
    }
}

impl From<RestName> for Rest {
    fn from(name: RestName) -> Rest {
        match name {
            RestName::Discard => Rest::Discard,
            RestName::Adjudicate => Rest::Adjudicate,
        }
    }
}
