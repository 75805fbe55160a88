//! The numbers that a task reads off its sums, under the official script's own keys.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::lang::{Words, words};

/// A measure, or a level (loose, strict) of measures.
#[derive(Clone, PartialEq, Debug)]
pub enum Measure {
    /// A count.
    Count(u64),
    /// A ratio or a mean.
    Number(f64),
    /// Measures of one level.
    Level(Measures),
}

/// Measures by name, in the official order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measures(pub Vec<(&'static str, Measure)>);

impl Measures {
    /// With one more number.
    #[must_use]
    pub fn number(mut self, name: &'static str, value: f64) -> Measures {
        self.0.push((name, Measure::Number(value)));
        self
    }

    /// With one more count; sums of ones are exact.
    #[must_use]
    pub fn count(mut self, name: &'static str, value: f64) -> Measures {
        self.0.push((name, Measure::Count(value as u64)));
        self
    }

    /// With one more level.
    #[must_use]
    pub fn level(mut self, name: &'static str, level: Measures) -> Measures {
        self.0.push((name, Measure::Level(level)));
        self
    }

    /// The value at a path such as `strict.macro_f1`.
    pub fn get(&self, path: &str) -> Option<f64> {
        let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
        match (self.0.iter().find(|(key, _)| *key == name)?, rest) {
            ((_, Measure::Count(value)), None) => Some(*value as f64),
            ((_, Measure::Number(value)), None) => Some(*value),
            ((_, Measure::Level(level)), Some(rest)) => level.get(rest),
            _ => None,
        }
    }

    /// Every number with its path, in order.
    pub fn flat(&self) -> Vec<(String, Measure)> {
        let mut flat = Vec::new();
        for (name, measure) in &self.0 {
            match measure {
                Measure::Level(level) => {
                    flat.extend(level.flat().into_iter().map(|(path, measure)| (format!("{name}.{path}"), measure)));
                }
                other => flat.push(((*name).to_owned(), other.clone())),
            }
        }
        flat
    }
}

impl Serialize for Measures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, measure) in &self.0 {
            match measure {
                Measure::Count(value) => map.serialize_entry(name, value)?,
                Measure::Number(value) => map.serialize_entry(name, value)?,
                Measure::Level(level) => map.serialize_entry(name, level)?,
            }
        }
        map.end()
    }
}

/// What a measure is, in words. The scripts call the F1 of two means "micro" and a mean of F1 "macro"; here each is called by what it is.
pub fn title(path: &str) -> Words {
    match path.rsplit('.').next().unwrap_or_default() {
        "TP" => words("真判为真", "true, judged true"),
        "TN" => words("假判为假", "false, judged false"),
        "FN" => words("真判为假", "true, judged false"),
        "FP" => words("假判为真", "false, judged true"),
        "TP_1" => words("正常判为正常", "normal, judged normal"),
        "TN_1" => words("异常判为异常", "abnormal, judged abnormal"),
        "FN_1" => words("正常判为异常", "normal, judged abnormal"),
        "FP_1" => words("异常判为正常", "abnormal, judged normal"),
        "TP_2" => words("归因成立且判对", "reason holds, judged right"),
        "TN_2" => words("归因不成立且判对", "reason does not hold, judged right"),
        "Accuracy" | "accuracy" => words("准确率", "accuracy"),
        "Precision" | "precision" => words("精确率", "precision"),
        "Recall" | "recall" => words("召回率", "recall"),
        "F1" | "f1" => words("F1 值", "F1"),
        "correct" => words("正确题数", "items right"),
        "total" => words("题目总数", "items"),
        "type_accuracy" => words("归因类型准确率", "accuracy of the type"),
        "micro_f1" => words("平均精确率与平均召回率的 F1", "F1 of mean precision and mean recall"),
        "macro_f1" => words("各题 F1 的平均", "mean of the items' F1"),
        "avg_precision" => words("各题精确率的平均", "mean of the items' precision"),
        "avg_recall" => words("各题召回率的平均", "mean of the items' recall"),
        "pooled_precision" => words("总体精确率", "precision over all roles of all items"),
        "pooled_recall" => words("总体召回率", "recall over all roles of all items"),
        "pooled_f1" => words("总体 F1", "F1 over all roles of all items"),
        "score" => words("得分", "score"),
        "has_key" => words("含关键词的比例", "share that contains the key"),
        "mean" => words("平均等级（0-5）", "mean grade (0-5)"),
        "points" => words("百分制得分", "score out of 100"),
        "rater1" => words("评分员一的平均等级", "mean grade of rater 1"),
        "rater2" => words("评分员二的平均等级", "mean grade of rater 2"),
        _ => words("", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_into_levels() {
        let measures = Measures::default()
            .level("loose", Measures::default().number("macro_f1", 0.5))
            .level("strict", Measures::default().number("macro_f1", 0.25))
            .count("n", 3.0);
        assert_eq!(measures.get("strict.macro_f1"), Some(0.25));
        assert_eq!(measures.get("n"), Some(3.0));
        assert_eq!(measures.get("strict"), None);
        assert_eq!(measures.flat().len(), 3);
        assert_eq!(
            serde_json::to_string(&measures).expect("serializable"),
            r#"{"loose":{"macro_f1":0.5},"strict":{"macro_f1":0.25},"n":3}"#
        );
    }
}
