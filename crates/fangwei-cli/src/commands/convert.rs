//! `fangwei convert`: from one year's format to another's, and to and from other tools'.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use fangwei::convert::{
    Agreement, CONVERSIONS, Conversion, Converted, FORMATS, Layout, Options, OutFile, agreement_of, find, loss_meaning,
};
use fangwei::record::Source;
use fangwei::table::{Cell, Table};
use serde_json::json;

use crate::lang::{lang, t};
use crate::output::{Format, Output, Status, Usage, errors, tell, write_file};

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei convert 2022/roles 2023/roles task3_train.jsonl -o task2.jsonl\n  fangwei convert 2022/attribute 2023/anomaly task2_train.jsonl -o task1.jsonl --against 2023.jsonl\n  fangwei convert 2023/anomaly brat dev.jsonl -o brat/\n  fangwei convert brat 2023/anomaly brat/ -o dev.jsonl\n  fangwei convert 2021/judge 2021/sheet task1.json task2.json task3.json -o sheet.json --team-name 甲队\n\n没有 -o 时写到标准输出（只有一个文件时）。装不下的记录不写出，逐条说明，退出码为 1。",
    "Examples:\n  fangwei convert 2022/roles 2023/roles task3_train.jsonl -o task2.jsonl\n  fangwei convert 2022/attribute 2023/anomaly task2_train.jsonl -o task1.jsonl --against 2023.jsonl\n  fangwei convert 2023/anomaly brat dev.jsonl -o brat/\n  fangwei convert brat 2023/anomaly brat/ -o dev.jsonl\n  fangwei convert 2021/judge 2021/sheet task1.json task2.json task3.json -o sheet.json --team-name A\n\nWithout -o a single file goes to standard output. Records that the other format cannot hold are kept out, each is told, and the exit code is 1."
))]
pub struct Convert {
    #[arg(value_name = "FROM", required_unless_present = "list", help = t("读取的格式，如 2022/roles", "the format that is read, such as 2022/roles"))]
    from: Option<String>,
    #[arg(value_name = "TO", required_unless_present = "list", help = t("写出的格式，如 2023/roles", "the format that is written, such as 2023/roles"))]
    to: Option<String>,
    #[arg(value_name = "INPUT", help = t("文件或文件夹；默认为标准输入", "files or folders; standard input by default"))]
    inputs: Vec<PathBuf>,
    #[arg(short, long, value_name = "OUT", help = t("输出的文件或文件夹", "file or folder to write"))]
    out: Option<PathBuf>,
    #[arg(long, value_name = "FILE", help = t("2022/attribute 转换后与这个 2023 文件比较", "for 2022/attribute: compare with this 2023 file"))]
    against: Option<PathBuf>,
    #[arg(long, default_value = "", help = t("2021 答题卡的队名", "team name of a 2021 sheet"))]
    team_name: String,
    #[arg(long, default_value = "", help = t("2021 答题卡的机构", "institution of a 2021 sheet"))]
    institution: String,
    #[arg(long, default_value = "", help = t("2021 答题卡的邮箱", "e-mail of a 2021 sheet"))]
    email: String,
    #[arg(long, help = t("2022/roles 与 2023/roles 之间：题号换成另一年的任务号（3-train-7 ↔ 2-train-7）", "between 2022/roles and 2023/roles: qids get the other year's task number (3-train-7 ↔ 2-train-7)"))]
    renumber: bool,
    #[arg(long, help = t("列出格式和转换", "list formats and conversions"))]
    list: bool,
    #[arg(long, value_enum, default_value_t, help = t("报告的格式", "format of the report"))]
    format: Format,
}

impl Convert {
    pub fn run(self) -> anyhow::Result<Status> {
        let (Some(from), Some(to), false) = (&self.from, &self.to, self.list) else {
            return list(self.format);
        };
        let conversion = find(from, to).map_err(|error| Usage(error.say(lang())))?;
        let options = Options {
            team_name: self.team_name.clone(),
            institution: self.institution.clone(),
            email: self.email.clone(),
            renumber: self.renumber,
        };
        let converted = conversion.run(self.sources(conversion)?, &options)?;
        tell(&converted.defects);
        let agreement = self.against.as_deref().map(|file| self.agreement(conversion, file)).transpose()?;
        let to_stdout = self.write(&converted.files)?;
        let mut output = if to_stdout { Output::stderr() } else { Output::stdout() };
        report(&converted, agreement.as_ref(), self.format, &mut output)?;
        let failed = errors(&converted.defects) > 0;
        Ok(if failed { Status::Defects } else { Status::Clean })
    }

    fn sources(&self, conversion: &Conversion) -> anyhow::Result<Vec<Source>> {
        if self.inputs.is_empty() {
            return Ok(vec![Source::open("-")?]);
        }
        let mut sources = Vec::new();
        for input in &self.inputs {
            sources.extend(conversion.open(input)?);
        }
        Ok(sources)
    }

    fn agreement(&self, conversion: &Conversion, file: &Path) -> anyhow::Result<Agreement> {
        let (Some(input), "2022/attribute", "2023/anomaly") = (self.one_file(), conversion.from, conversion.to) else {
            bail!(Usage(
                t(
                    "--against 用于 2022/attribute → 2023/anomaly 和一个文件",
                    "--against goes with 2022/attribute → 2023/anomaly and one file"
                )
                .to_owned()
            ));
        };
        let (agreement, defects) = agreement_of(Source::open(input)?, Source::open(file)?)?;
        tell(&defects);
        Ok(agreement)
    }

    /// The only input, where it is a file that can be read twice.
    fn one_file(&self) -> Option<&Path> {
        match self.inputs.as_slice() {
            [input] if input.is_file() => Some(input),
            _ => None,
        }
    }

    /// Writes the files; whether they went to standard output.
    fn write(&self, files: &[OutFile]) -> anyhow::Result<bool> {
        match (self.out.as_deref(), files) {
            (None, [file]) => {
                Output::stdout().text(&String::from_utf8_lossy(&file.bytes));
                Ok(true)
            }
            (None, _) => {
                bail!(Usage(format!("{} {}", files.len(), t("个文件，需要用 -o 指定文件夹", "files: a folder is needed, -o"))))
            }
            (Some(out), _) if out.extension().is_some_and(|end| end == "gz" || end == "zst") => {
                bail!(Usage(format!("{}: {}", out.display(), t("输出不压缩", "output is not compressed"))))
            }
            (Some(out), [file]) if !out.is_dir() && !out.as_os_str().to_string_lossy().ends_with(std::path::is_separator) => {
                write_file(out, &file.bytes).map(|()| false)
            }
            (Some(out), _) => {
                for file in files {
                    let path = out.join(&file.path);
                    let folder = path.parent().unwrap_or(out);
                    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
                    write_file(&path, &file.bytes)?;
                }
                Ok(false)
            }
        }
    }
}

fn list(format: Format) -> anyhow::Result<Status> {
    let mut output = Output::stdout();
    if format == Format::Json {
        let conversions: Vec<_> = CONVERSIONS
            .iter()
            .map(|known| json!({ "from": known.from, "to": known.to, "title": known.title.get(lang()) }))
            .collect();
        output.json(&json!({ "formats": FORMATS, "conversions": conversions }))?;
        return Ok(Status::Clean);
    }
    let mut formats = Table::new([t("格式", "format"), t("形式", "layout"), t("内容", "content")]);
    for known in FORMATS {
        let layout = if known.layout == Layout::File { t("文件", "file") } else { t("文件夹", "folder") };
        formats.row([known.name, layout, known.holds.get(lang())].map(Cell::from));
    }
    let mut conversions = Table::new([t("从", "from"), t("到", "to")]);
    let mut seen: Vec<&str> = Vec::new();
    for from in CONVERSIONS.iter().map(|known| known.from) {
        if !seen.contains(&from) {
            seen.push(from);
            let to: Vec<&str> = CONVERSIONS.iter().filter(|known| known.from == from).map(|known| known.to).collect();
            conversions.row([Cell::from(from), Cell::from(to.join("  "))]);
        }
    }
    output.line(&formats.render(format.table()));
    output.text(&conversions.render(format.table()));
    Ok(Status::Clean)
}

fn report(converted: &Converted, agreement: Option<&Agreement>, format: Format, output: &mut Output) -> anyhow::Result<()> {
    let report = &converted.report;
    if format == Format::Json {
        let mut value = json!(report);
        if let Some(agreement) = agreement {
            value["agreement"] = json!(agreement);
        }
        return output.json(&value);
    }
    output.line(&format!(
        "{} → {}: {} {}, {} {}, {} {}",
        report.from,
        report.to,
        report.read,
        t("条读入", "read"),
        report.written,
        t("条写出", "written"),
        report.kept_out,
        t("条未写出", "kept out")
    ));
    for (loss, count) in &report.lossy {
        output.line(&format!("  {} {loss} × {count}: {}", t("不保留", "lost"), loss_meaning(loss).get(lang())));
    }
    if let Some(agreement) = agreement {
        output.line(&format!(
            "{}: {} / {} = {:.4}\n",
            t("A 类归因与 2023 文件完全一致", "A reasons equal to the 2023 file"),
            agreement.total.exact,
            agreement.total.unambiguous,
            agreement.share
        ));
        let mut table = Table::new([t("模式", "pattern"), t("条数", "reasons"), t("一致", "equal")]);
        for (pattern, tally) in &agreement.by_pattern {
            table.row([Cell::from(pattern.as_str()), Cell::Count(tally.unambiguous), Cell::Count(tally.exact)]);
        }
        output.text(&table.render(format.table()));
    }
    Ok(())
}
