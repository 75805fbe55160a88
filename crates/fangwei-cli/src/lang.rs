//! The language of this run: `--lang`, else the environment, else Chinese.

use std::ffi::OsString;
use std::sync::OnceLock;

use fangwei::lang::Lang;

static LANG: OnceLock<Lang> = OnceLock::new();

/// Chooses the language before the arguments are parsed, because `--help` itself needs it.
pub fn choose(args: impl IntoIterator<Item = OsString>) {
    let args: Vec<String> = args.into_iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let asked = args.iter().enumerate().find_map(|(at, arg)| match arg.strip_prefix("--lang") {
        Some("") => args.get(at + 1).cloned(),
        Some(rest) => rest.strip_prefix('=').map(ToOwned::to_owned),
        None => None,
    });
    let asked = asked.and_then(|tag| Lang::parse(&tag));
    let environment = || {
        let tag = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| std::env::var(name).ok().filter(|tag| !tag.is_empty()))?;
        Some(Lang::parse(&tag).unwrap_or(Lang::En))
    };
    // Set once at the start; a second call would be a mistake without consequence.
    let _ = LANG.set(asked.or_else(environment).unwrap_or_default());
}

/// The language.
pub fn lang() -> Lang {
    LANG.get().copied().unwrap_or_default()
}

/// The text in the language of this run.
pub fn t(zh: &'static str, en: &'static str) -> &'static str {
    lang().say(zh, en)
}

/// Clap's own words in the language of this run; ours are in it from the start.
pub fn localize(text: &str) -> String {
    if lang() == Lang::En {
        return text.to_owned();
    }
    let words = [
        ("Possible values:", "可选值："),
        ("[possible values: ", "[可选值："),
        ("[default: ", "[默认："),
        ("[OPTIONS]", "[选项]"),
        ("<COMMAND>", "<命令>"),
        ("error: ", "错误："),
        ("Usage:", "用法："),
        ("the following required arguments were not provided:", "缺少必需的参数："),
        ("For more information, try '--help'.", "详见 --help。"),
        (" for '", "，用于 '"),
        ("unexpected argument", "不认识的参数"),
        ("unrecognized subcommand", "不认识的命令"),
        ("invalid value", "无效的值"),
        ("a similar argument exists:", "相近的参数："),
        ("a similar subcommand exists:", "相近的命令："),
        ("a similar value exists:", "相近的值："),
        ("  tip: ", "  提示："),
        ("cannot be used with", "不能同时使用"),
    ];
    words.iter().fold(text.to_owned(), |text, (en, zh)| text.replace(en, zh))
}
