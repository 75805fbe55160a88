//! JSON as given: the lenient first stage of everything that users write.
//!
//! The tree borrows from the line that it was read from and keeps the order of fields, so that a record can be checked field by field with a pointer
//! to each defect, and written again as it was.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// A JSON value as it was written.
#[derive(Clone, PartialEq, Debug)]
pub enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number without fraction or exponent that fits 64 bits.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(Cow<'a, str>),
    /// An array.
    List(Vec<Json<'a>>),
    /// An object, fields in their order. Of a repeated field the last counts, as in Python.
    Map(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// Parses one value; nesting beyond 128 levels is an error, not a stack overflow.
    pub fn parse(bytes: &'a [u8]) -> Result<Json<'a>, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    /// The value of a field, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Json<'a>> {
        self.fields().iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The fields of an object; of anything else, none.
    pub fn fields(&self) -> &[(Cow<'a, str>, Json<'a>)] {
        if let Json::Map(fields) = self { fields } else { &[] }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Json::Text(text) = self { Some(text) } else { None }
    }

    /// The elements of an array.
    pub fn as_list(&self) -> Option<&[Json<'a>]> {
        if let Json::List(list) = self { Some(list) } else { None }
    }

    /// The value of a number.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Json::Int(number) => Some(*number as f64),
            Json::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// The same value, owning its texts.
    pub fn into_owned(self) -> Json<'static> {
        match self {
            Json::Null => Json::Null,
            Json::Bool(value) => Json::Bool(value),
            Json::Int(value) => Json::Int(value),
            Json::Float(value) => Json::Float(value),
            Json::Text(text) => Json::Text(Cow::Owned(text.into_owned())),
            Json::List(list) => Json::List(list.into_iter().map(Json::into_owned).collect()),
            Json::Map(fields) => {
                Json::Map(fields.into_iter().map(|(key, value)| (Cow::Owned(key.into_owned()), value.into_owned())).collect())
            }
        }
    }

    /// A string value.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Json<'a> {
        Json::Text(text.into())
    }

    /// An object from its fields.
    pub fn map<K: Into<Cow<'a, str>>>(fields: impl IntoIterator<Item = (K, Json<'a>)>) -> Json<'a> {
        Json::Map(fields.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    /// The value on one line.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The value in few characters, for messages.
    pub fn brief(&self) -> String {
        let line = self.to_line();
        if line.chars().count() <= 60 { line } else { format!("{}…", line.chars().take(57).collect::<String>()) }
    }
}

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_line())
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Int(value) => serializer.serialize_i64(*value),
            Json::Float(value) => serializer.serialize_f64(*value),
            Json::Text(text) => serializer.serialize_str(text),
            Json::List(list) => {
                let mut seq = serializer.serialize_seq(Some(list.len()))?;
                for value in list {
                    seq.serialize_element(value)?;
                }
                seq.end()
            }
            Json::Map(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AsGiven)
    }
}

struct AsGiven;

impl<'de> Visitor<'de> for AsGiven {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json<'de>, E> {
        Ok(Json::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json<'de>, E> {
        Ok(i64::try_from(value).map_or(Json::Float(value as f64), Json::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json<'de>, E> {
        Ok(Json::Float(value))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = seq.next_element()? {
            list.push(value);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some(key) = map.next_key::<Key<'de>>()? {
            fields.push((key.0, map.next_value()?));
        }
        Ok(Json::Map(fields))
    }
}

/// A field name, borrowed where it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Json::deserialize(deserializer)? {
            Json::Text(text) => Ok(Key(text)),
            other => Err(D::Error::custom(format!("a field name must be a string, found {}", other.brief()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_and_kinds() {
        let line = r#"{"b":1,"a":[true,null,1.5,"跳\n进"],"big":18446744073709551615}"#;
        let given = Json::parse(line.as_bytes()).expect("valid JSON");
        assert_eq!(given.fields().iter().map(|(key, _)| key.as_ref()).collect::<Vec<_>>(), ["b", "a", "big"]);
        assert_eq!(given.get("b"), Some(&Json::Int(1)));
        assert_eq!(given.get("big").and_then(Json::as_f64), Some(18_446_744_073_709_551_615.0));
        assert_eq!(given.get("a").expect("field a").to_line(), r#"[true,null,1.5,"跳\n进"]"#);
    }

    #[test]
    fn of_a_repeated_field_the_last_counts() {
        assert_eq!(Json::parse(br#"{"q":1,"q":2}"#).expect("valid JSON").get("q"), Some(&Json::Int(2)));
    }

    #[test]
    fn hostile_values_are_errors() {
        assert!(Json::parse("[".repeat(100_000).as_bytes()).is_err());
        assert!(Json::parse(b"NaN").is_err());
        assert!(Json::parse(br#""\ud800""#).is_err());
        assert!(Json::parse(b"\"\xb7\xbd\"").is_err());
    }
}
