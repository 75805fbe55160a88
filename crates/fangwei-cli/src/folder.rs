//! Folders of files: read whole, and written whole or not at all.

use std::path::Path;

use anyhow::{Context as _, bail};
use fangwei::convert::OutFile;

use crate::lang::t;
use crate::output::{Usage, write_file};

/// Every file of a folder and its folders, hidden ones too, under paths with `/`, sorted.
pub fn read_folder(folder: &Path) -> anyhow::Result<Vec<OutFile>> {
    let mut files = Vec::new();
    collect(folder, "", &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<OutFile>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let (path, name) = (entry.path(), format!("{prefix}{}", entry.file_name().to_string_lossy()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&path, &format!("{name}/"), files)?;
        } else if !path.is_file() {
            // A pipe would be waited for, and a link to a folder may lead around in circles.
            bail!("{}: {}", path.display(), t("不是普通文件，也不是文件夹", "neither a regular file nor a folder"));
        } else {
            let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
            files.push(OutFile { path: name, bytes });
        }
    }
    Ok(())
}

/// Writes files into a folder that is not there yet or is empty: beside its place first, then moved there.
pub fn write_folder(folder: &Path, files: &[OutFile]) -> anyhow::Result<()> {
    if folder.is_dir() {
        if std::fs::read_dir(folder).with_context(|| folder.display().to_string())?.next().is_some() {
            bail!(Usage(format!("{}: {}", folder.display(), t("文件夹应不存在或为空", "expected no folder or an empty one"))));
        }
        std::fs::remove_dir(folder).with_context(|| folder.display().to_string())?;
    }
    let mut name = folder.file_name().context("a folder name is needed")?.to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let beside = folder.with_file_name(name);
    let write = || -> anyhow::Result<()> {
        for file in files {
            let path = beside.join(&file.path);
            let parent = path.parent().unwrap_or(&beside);
            std::fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
            write_file(&path, &file.bytes)?;
        }
        std::fs::rename(&beside, folder).with_context(|| folder.display().to_string())
    };
    write().inspect_err(|_| drop(std::fs::remove_dir_all(&beside)))
}
