//! `fangwei completions` and `fangwei man`: from the same definitions as `--help`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use clap_complete::Shell;

use super::command;
use crate::lang::t;
use crate::output::{Output, Status, write_file};

#[derive(Args)]
pub struct Completions {
    #[arg(value_enum, help = t("命令行解释器", "the shell"))]
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> anyhow::Result<Status> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command(), "fangwei", &mut script);
        Output::stdout().text(&String::from_utf8_lossy(&script));
        Ok(Status::Clean)
    }
}

#[derive(Args)]
pub struct Man {
    #[arg(long, value_name = "DIR", help = t("写入文件夹，每个命令一页；没有则输出主页", "write one page a command into this folder; else print the main page"))]
    out: Option<PathBuf>,
}

impl Man {
    pub fn run(self) -> anyhow::Result<Status> {
        let page = |command: clap::Command| -> anyhow::Result<Vec<u8>> {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            Ok(page)
        };
        let Some(folder) = self.out else {
            Output::stdout().text(&String::from_utf8_lossy(&page(command())?));
            return Ok(Status::Clean);
        };
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let mut main = command();
        main.build();
        // A page a command, also for commands of commands: `fangwei-lexicon-show.1`.
        let mut pages = vec![("fangwei".to_owned(), main)];
        while let Some((name, command)) = pages.pop() {
            pages.extend(command.get_subcommands().map(|sub| (format!("{name}-{}", sub.get_name()), sub.clone())));
            write_file(&folder.join(format!("{name}.1")), &page(command.name(name))?)?;
        }
        Ok(Status::Clean)
    }
}
