use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use half::f16;

use super::Weights;
use super::header::Kind;

/// A number that a section can hold.
pub trait Element: bytemuck::Pod {
    /// Its name in the header.
    const KIND: Kind;
}

macro_rules! elements {
    ($($element:ty => $kind:ident),*) => { $(impl Element for $element { const KIND: Kind = Kind::$kind; })* };
}
elements!(u8 => U8, u16 => U16, u32 => U32, u64 => U64, i32 => I32, f32 => F32, f16 => F16);

/// Numbers of a model, mapped from a file (which stays open as long as a section lives) or owned.
///
/// ```
/// use fangwei_predict::weights::Section;
///
/// let owned: Section<u32> = vec![1, 2, 3].into();
/// assert_eq!(owned.iter().sum::<u32>(), 6);
/// ```
#[derive(Clone)]
pub struct Section<T>(Inner<T>);

#[derive(Clone)]
enum Inner<T> {
    Owned(Vec<T>),
    Mapped { weights: Arc<Weights>, offset: usize, len: usize },
}

impl<T: Element> Section<T> {
    pub(super) fn mapped(weights: Arc<Weights>, offset: usize, len: usize) -> Self {
        Self(Inner::Mapped { weights, offset, len })
    }
}

impl<T> From<Vec<T>> for Section<T> {
    fn from(owned: Vec<T>) -> Self {
        Self(Inner::Owned(owned))
    }
}

impl<T> Default for Section<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Element> Deref for Section<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Inner::Owned(owned) => owned,
            // The map begins at a page and sections at multiples of 64, so the cast cannot fail; an empty slice is the safe rest.
            Inner::Mapped { weights, offset, len } => bytemuck::try_cast_slice(weights.bytes(*offset, *len)).unwrap_or_default(),
        }
    }
}

impl<T: Element + fmt::Debug> fmt::Debug for Section<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = if matches!(self.0, Inner::Owned(_)) { "owned" } else { "mapped" };
        write!(out, "Section<{}>({} {held})", T::KIND, self.len())
    }
}
