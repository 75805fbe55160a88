//! The word classes and cognitive models by which spatial words are sorted.

use crate::lang::{Lang, Unknown, Words, words};

macro_rules! names {
    ($(#[$doc:meta])* $name:ident, $what:expr; $($(#[$member_doc:meta])* $member:ident $id:literal $zh:literal $en:literal),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$member_doc])* $member),+ }

        impl $name {
            /// Every one, in the order of the lexicon.
            pub const ALL: &'static [$name] = &[$($name::$member),+];

            /// The name in files.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$member => $id),+ }
            }

            /// The name for people.
            pub const fn title(self, lang: Lang) -> &'static str {
                let words: Words = match self { $($name::$member => words($zh, $en)),+ };
                words.get(lang)
            }
        }

        impl std::str::FromStr for $name {
            type Err = Unknown;

            fn from_str(text: &str) -> Result<$name, Unknown> {
                let known = $name::ALL.iter().copied().find(|one| one.as_str() == text);
                known.ok_or_else(|| Unknown::new($what, text, $name::ALL.iter().map(|one| one.as_str())))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": [$($id),+] })
            }
        }
    };
}

pub(crate) use names;

names! {
    /// A class of spatial words. A word may stand in several: 上 is a locative after a noun and a directional verb after a verb.
    Class, words("没有这个词类", "unknown word class");
    /// 桌子上, 屋子里面
    Locative "locative" "方位词" "locative",
    /// 门口, 山顶
    Place "place" "处所词" "place word",
    /// 走进, 跑出来
    Directional "directional" "趋向动词" "directional verb",
    /// 站, 放, 位于
    Verb "verb" "其他空间动词" "other spatial verb",
    /// 在, 从, 沿着
    Preposition "preposition" "介词" "preposition",
    /// 到处, 迎面
    Adverb "adverb" "副词" "adverb",
    /// 这里, 那边
    Demonstrative "demonstrative" "指示词" "demonstrative",
}

names! {
    /// How a word pictures space.
    Model, words("没有这个认知模型", "unknown cognitive model");
    /// 上 下 顶 底
    UpDown "up-down" "上下" "up-down",
    /// 前 后
    FrontBack "front-back" "前后" "front-back",
    /// 左 右
    LeftRight "left-right" "左右" "left-right",
    /// 里 外 中 内
    InOut "in-out" "内外" "in-out",
    /// 旁 周围 四周
    Ring "ring" "环绕" "ring",
    /// 沿 之间 两端
    Line "line" "线" "line",
    /// 东 南 西 北
    Compass "compass" "四方" "compass",
    /// 远 近 附近
    NearFar "near-far" "远近" "near-far",
}
