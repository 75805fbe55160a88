//! The steps of a build, in their order: what each is told, what it reads, what it waits for and what it makes.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fangwei::audit::{Dataset, Options, audit};
use fangwei::lang::{Lang, Words, words};
use fangwei::lexicon::Lexicon;
use fangwei::page::Format as PageFormat;
use fangwei::record::Source;
use serde_json::{Value, json};

use super::must_exist;
use super::plan::{Plan, Reasons};
use super::stage::Summary;
use crate::commands::{corpus, reasons, release, select, substitute};
use crate::lang::lang;
use crate::lines::write_lines;
use crate::output::{Status, errors, tell, write_file};
use crate::progress::Bar;

/// A step of a build.
pub struct Step {
    /// Its word in the flow: the name of its table, its command and its folder.
    pub name: &'static str,
    /// Whether what it reads is too large to be hashed each time.
    pub large: bool,
    /// Whether the file asks for it.
    pub wanted: fn(&Plan) -> bool,
    /// What people make and may not be there yet.
    pub needs: fn(&Plan) -> Vec<PathBuf>,
    /// What it reads beside the steps before it.
    pub reads: fn(&Plan) -> Vec<PathBuf>,
    /// What it is told.
    pub settings: fn(&Plan) -> anyhow::Result<String>,
    /// Does it, into an empty folder.
    pub make: fn(&Plan, &Path) -> anyhow::Result<Outcome>,
}

/// What came of a step.
pub struct Outcome {
    /// One line for people.
    pub summary: Summary,
    /// For programs.
    pub numbers: Value,
    /// Inputs or records that were skipped.
    pub defects: usize,
}

/// The steps.
pub const STEPS: &[Step] = &[
    Step {
        name: "corpus",
        large: true,
        wanted: |_| true,
        needs: |_| Vec::new(),
        reads: |plan| plan.inputs.iter().chain(&plan.lexicon).cloned().collect(),
        settings: |plan| Ok(serde_json::to_string(&plan.corpus)?),
        make: make_corpus,
    },
    Step {
        name: "select",
        large: false,
        wanted: |_| true,
        needs: |_| Vec::new(),
        reads: |_| Vec::new(),
        settings: |plan| Ok(serde_json::to_string(&plan.select)?),
        make: make_select,
    },
    Step {
        name: "substitute",
        large: false,
        wanted: |_| true,
        needs: |_| Vec::new(),
        reads: |plan| plan.keep.iter().cloned().collect(),
        settings: |plan| Ok(serde_json::to_string(&plan.substitute)?),
        make: make_substitute,
    },
    Step {
        name: "reasons",
        large: false,
        wanted: |plan| plan.reasons.is_some(),
        needs: reasons_files,
        reads: reasons_files,
        settings: |plan| {
            // Where gold ends and normal begins is not in the list of files.
            let told = |reasons: &Reasons| format!("{} {} {}", reasons.gold.len(), reasons.per_item, reasons.seed);
            Ok(plan.reasons.as_ref().map(told).unwrap_or_default())
        },
        make: make_reasons,
    },
    Step {
        name: "release",
        large: false,
        wanted: |plan| plan.release.is_some(),
        needs: gold_files,
        reads: |plan| {
            let named = plan.release.iter().flat_map(|release| {
                release.agreement.iter().chain(&release.previous).chain(&release.candidates).chain([&release.licence])
            });
            gold_files(plan).into_iter().chain(named.map(PathBuf::from)).collect()
        },
        settings: |plan| {
            let said = plan.release.as_ref().is_some_and(|release| release.lang.is_some());
            Ok(format!("{} {:?}", plan.release_told, (!said).then(lang)))
        },
        make: make_release,
    },
    Step {
        name: "audit",
        large: false,
        wanted: |plan| plan.audit.is_some() && plan.release.is_some(),
        needs: |_| Vec::new(),
        reads: |_| Vec::new(),
        settings: |plan| {
            Ok(plan
                .audit
                .as_ref()
                .map(|audit| format!("{} {} {} {:?}", audit.seed, audit.folds, audit.top, lang()))
                .unwrap_or_default())
        },
        make: make_audit,
    },
];

fn lexicon(plan: &Plan) -> anyhow::Result<Cow<'static, Lexicon>> {
    crate::lexicon::load(plan.lexicon.as_deref())
}

/// Says a number of things.
fn counted(parts: &[(u64, Words)]) -> Summary {
    let said = |lang: Lang| parts.iter().map(|(count, what)| format!("{count} {}", what.get(lang))).collect::<Vec<_>>();
    Summary { zh: said(Lang::Zh).join("，"), en: said(Lang::En).join(", ") }
}

fn make_corpus(plan: &Plan, folder: &Path) -> anyhow::Result<Outcome> {
    // One that is missing is skipped and told like any that cannot be read; where all are, a disk is not there, and nothing may take the place of what is.
    if plan.inputs.iter().all(|input| !input.exists()) {
        plan.inputs.iter().try_for_each(|input| must_exist(input))?;
    }
    let lexicon = lexicon(plan)?;
    let bar = Bar::bytes("corpus");
    let made = corpus::make(&plan.corpus, &plan.inputs, Some(&lexicon), &folder.join("passages.jsonl.gz"), &bar)?;
    tell(&made.defects);
    let defects = errors(&made.defects);
    let parts = [
        (made.counts.files, words("个文件", "files")),
        (made.counts.passages, words("个片段", "passages")),
        (defects as u64, words("处被跳过", "skipped")),
    ];
    let told: Vec<Value> =
        made.defects.iter().map(|defect| serde_json::to_value(defect.in_lang(lang()))).collect::<Result<_, _>>()?;
    Ok(Outcome { summary: counted(&parts), numbers: json!({ "counts": made.counts, "defects": told }), defects })
}

fn make_select(plan: &Plan, folder: &Path) -> anyhow::Result<Outcome> {
    let passages = vec![plan.made("corpus", "passages.jsonl.gz")];
    let made = select::make(&plan.select, &*lexicon(plan)?, &passages, &folder.join("originals.jsonl"))?;
    let report = made.report(&plan.select);
    write_file(&folder.join("funnel.json"), format!("{}\n", serde_json::to_string_pretty(&report)?).as_bytes())?;
    let total = made.funnel.total();
    let parts = [(total.passages, words("个片段", "passages")), (total.kept, words("个原句", "originals"))];
    Ok(Outcome { summary: counted(&parts), numbers: report, defects: errors(&made.defects) })
}

fn make_substitute(plan: &Plan, folder: &Path) -> anyhow::Result<Outcome> {
    plan.keep.iter().try_for_each(|keep| must_exist(keep))?;
    let originals = vec![plan.made("select", "originals.jsonl")];
    let bar = Bar::items("substitute");
    let (made, status) = substitute::make(&originals, &*lexicon(plan)?, &plan.substitute, plan.keep.as_deref(), &bar)?;
    write_lines(&folder.join("candidates.jsonl"), &made.candidates)?;
    let (items, key) = made.blind(plan.substitute.seed);
    write_lines(&folder.join("blind.jsonl"), &items)?;
    write_lines(&folder.join("key.jsonl"), &key)?;
    let parts = [
        (made.funnel.originals as u64, words("个原句", "originals")),
        (made.candidates.len() as u64, words("个候选", "candidates")),
    ];
    let mean = made.funnel.per_original();
    let mut summary = counted(&parts);
    summary.zh.push_str(&format!("，每个原句 {mean:.2}"));
    summary.en.push_str(&format!(", {mean:.2} per original"));
    let numbers =
        json!({ "funnel": made.funnel, "per_original": made.funnel.per_original(), "per_word": made.funnel.per_word() });
    Ok(Outcome { summary, numbers, defects: usize::from(status == Status::Defects) })
}

fn reasons_files(plan: &Plan) -> Vec<PathBuf> {
    plan.reasons.iter().flat_map(|reasons| reasons.gold.iter().chain(&reasons.normal)).cloned().collect()
}

fn make_reasons(plan: &Plan, folder: &Path) -> anyhow::Result<Outcome> {
    let told = plan.reasons.as_ref().context("a table [reasons]")?;
    let (mut made, mut failed) = (Vec::new(), false);
    for (name, normal) in [("reason", &[][..]), ("joint", &told.normal[..])] {
        let task = fangwei::tasks::find(&format!("2021/{name}")).map_err(|unknown| anyhow::anyhow!(unknown.say(lang())))?;
        let out = folder.join(format!("{name}.json"));
        let (sets, defects) = reasons::make_file(&told.gold, normal, task, told.per_item, told.seed, &out)?;
        failed |= defects;
        made.push(json!({ "task": task.id(), "items": sets.items.len(), "counts": sets.counts }));
    }
    let items = made.iter().map(|made| made["items"].as_u64().unwrap_or(0)).sum();
    Ok(Outcome {
        summary: counted(&[(items, words("道题，错误归因未经人核对", "items; wrong reasons are unchecked"))]),
        numbers: Value::Array(made),
        defects: usize::from(failed),
    })
}

/// Gold that people make; what the step before makes is there by then.
fn gold_files(plan: &Plan) -> Vec<PathBuf> {
    let made = plan.out.join("reasons");
    let gold = plan.release.iter().flat_map(|release| &release.gold);
    let files = gold.filter_map(|given| fangwei::tasks::split_given(given).ok()).map(|(_, file)| PathBuf::from(file));
    files.filter(|file| !file.starts_with(&made)).collect()
}

fn make_release(plan: &Plan, folder: &Path) -> anyhow::Result<Outcome> {
    let mut config = plan.release.clone().context("a table [release]")?;
    config.out = folder.join("pack").display().to_string();
    let pack = release::make(&config)?;
    tell(&pack.defects);
    let items = pack.counts.iter().flatten().sum();
    let parts = [
        (pack.manifest.tasks.len() as u64, words("个任务", "tasks")),
        (items, words("道题", "items")),
        (pack.groups as u64, words("个同源组", "origin groups")),
    ];
    let notes: Vec<&str> = pack.notes.iter().map(|note| note.get(lang())).collect();
    Ok(Outcome {
        summary: counted(&parts),
        numbers: json!({ "manifest": pack.manifest, "notes": notes }),
        defects: errors(&pack.defects),
    })
}

fn make_audit(plan: &Plan, folder: &Path) -> anyhow::Result<Outcome> {
    let told = plan.audit.as_ref().context("a table [audit]")?;
    let answers = plan.made("release", "pack").join("answers");
    let mut sets = Vec::new();
    for file in crate::folder::read_folder(&answers)? {
        let task = file.path.rsplit_once('/').and_then(|(task, _)| fangwei::tasks::find(task).ok());
        sets.push(Dataset::read(Source::from_bytes(&file.path, file.bytes)?, task)?);
    }
    let found = audit(&sets, &Options { seed: told.seed, folds: told.folds, ..Options::default() });
    let numbers = found.to_json(lang());
    write_file(&folder.join("audit.json"), format!("{}\n", serde_json::to_string_pretty(&numbers)?).as_bytes())?;
    write_file(&folder.join("audit.html"), found.page(lang(), told.top).render(PageFormat::Html).as_bytes())?;
    let defects = found.malformed() + found.contradictions();
    let parts = [
        (found.malformed() as u64, words("处格式不对", "malformed")),
        (found.contradictions() as u64, words("处矛盾", "contradictions")),
        (found.duplicates() as u64, words("处重复", "duplicates")),
    ];
    Ok(Outcome { summary: counted(&parts), numbers: numbers["shortcuts"].clone(), defects })
}
