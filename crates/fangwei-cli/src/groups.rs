//! Groups of items for resampling, with the error that a user of the command line understands.

use fangwei::origin::{Grouping, Key, MissingGroup};
use fangwei::stats::Groups;

use crate::lang::t;
use crate::output::Usage;

/// The groups of items with these keys; a field that some items lack is a usage error.
pub fn groups<'k>(grouping: &Grouping, keys: impl IntoIterator<Item = &'k Key>) -> Result<Groups, Usage> {
    grouping.groups(keys).map_err(|missing| lacking(&missing))
}

/// That some items lack the field that was to group them.
pub fn lacking(missing: &MissingGroup) -> Usage {
    let what = t("有记录没有这个字段", "records lack this field");
    Usage(format!("{what}: {} ({}/{})", missing.field, missing.without, missing.items))
}
