//! The predictor `encoder`: a pretrained encoder with a head, fine-tuned on a task.
//!
//! The model holds all it needs (shape, vocabulary and weights in half precision), so that answering does not ask for the encoder's folder again.
//!
//! | room | what it does |
//! | --- | --- |
//! | `anchored`, `roles`, both on `marked` | second opinions for the feature models |
//! | `classifier`, `replaced` | verdicts |
//! | `tagger`, `pointers`, `grid`, `prompt` | anomalies, on `triples` |
//! | `trigger`, `entity` | tuples in two steps, on `tuples` |
//! | `skill`, `windows`, `stages`, `kept` | what they share: training and asking, texts in sequences, epochs, the file |

mod anchored;
mod classifier;
mod entity;
mod grid;
mod kept;
mod marked;
mod pointers;
mod prompt;
mod replaced;
mod roles;
mod skill;
mod stages;
mod tagger;
mod trigger;
mod triples;
mod tuples;
mod windows;

use std::path::Path;

use fangwei::lang::words;
use fangwei::task::Task;
use fangwei_encoder::EncoderError;
use fangwei_encoder::folder::Pretrained;
use fangwei_encoder::optimise::Schedule;
use fangwei_encoder::train::Plan;

use self::skill::Skill;
use self::tuples::Order;
use crate::job::Job;
use crate::material::Part;
use crate::options::{CANDIDATES, Kind, OptionError, Options, Spec, When};
use crate::predictor::{About, Model, PredictError, Predictor, check_task};
use crate::weights::ReadScope;

/// The predictor.
#[derive(Debug)]
pub struct Encoder;

static ABOUT: About = About {
    name: "encoder",
    title: words(
        "微调预训练编码器（BERT、ELECTRA、ERNIE、RoFormer）",
        "a pretrained encoder, fine-tuned (BERT, ELECTRA, ERNIE, RoFormer)",
    ),
    how: words(
        "在本地的编码器文件夹（fangwei encoder get 得到，或自备）上加一个小网络，一起训练。历届系统用过的网络各有一个对应，用选项 head 选。",
        "Puts a small network on an encoder from a local folder (made by fangwei encoder get, or your own) and trains both. Each kind of network that took part has its counterpart, chosen by the option head.",
    ),
};

/// How much the encoder counts where it is a second opinion.
pub const OPINION: Spec = Spec {
    name: "opinion",
    default: "1",
    kind: Kind::Number(0.0, 10.0),
    when: When::Predict,
    help: words(
        "head=anchored 时编码器的意见占多大分量；0 表示只用特征模型",
        "how much the encoder's opinion counts with head=anchored; 0 is the feature model alone",
    ),
};

static OPTIONS: &[Spec] = &[
    OPINION,
    CANDIDATES,
    Spec {
        name: "encoder",
        default: "",
        kind: Kind::Text,
        when: When::Train,
        help: words("编码器文件夹", "the folder of the encoder"),
    },
    Spec {
        name: "head",
        default: "auto",
        kind: Kind::Choice(HEADS),
        when: When::Train,
        help: words(
            "编码器上面的网络。auto 取任务的第一个；异常：anchored 特征模型找疑点、逐字标注补充，tagger 逐字标注，pointers 起止指针，grid 字对网格，prompt 按角色名提问；\
             判断：classifier 整句分类，replaced 找被替换的空间词；角色：anchored，trigger 先事件后要素，entity 先实体后要素",
            "the network on the encoder. auto: the first that fits the task; anomalies: anchored (a second opinion for the feature model), tagger (a label a token), \
             pointers (begin and end of each role), grid (pairs of tokens), prompt (asked by the name of each role); judgements: classifier (whole texts), replaced \
             (spatial words that were replaced); roles: anchored, trigger (events, then elements), entity (entities, then elements)",
        ),
    },
    Spec {
        name: "epochs",
        default: "3",
        kind: Kind::Int(1, 100),
        when: When::Train,
        help: words("每题看几遍", "how often each item is seen"),
    },
    Spec {
        name: "batch",
        default: "16",
        kind: Kind::Int(1, 512),
        when: When::Train,
        help: words("一批几题", "items in a batch"),
    },
    Spec {
        name: "rate",
        default: "1e-4",
        kind: Kind::Number(1e-8, 0.1),
        when: When::Train,
        help: words("学习率；编码器越大越应小", "learning rate; smaller for larger encoders"),
    },
    Spec {
        name: "length",
        default: "256",
        kind: Kind::Int(16, 2048),
        when: When::Train,
        help: words("一个窗口最多几个词元；更长的文本分窗口读", "tokens in a window at most; longer texts are read in several"),
    },
];

/// A way to answer with a network.
struct Way {
    /// Its name as the option `head`.
    head: &'static str,
    tasks: &'static [&'static str],
    train: fn(&Job<'_>, &Part<'_>, &Setup) -> Made,
    load: fn(&ReadScope, usize) -> Made,
}

/// A model, or why there is none.
type Made = Result<Box<dyn Model>, PredictError>;

/// What is trained, and how.
#[derive(Clone, Debug)]
struct Setup {
    /// The encoder.
    pub encoder: Pretrained,
    /// Tokens in a window at most.
    pub length: usize,
    /// How long and how fast.
    pub plan: Plan,
}

impl Way {
    /// One network with a skill.
    const fn with<S: Skill>(head: &'static str, tasks: &'static [&'static str]) -> Way {
        Way { head, tasks, train: skill::train::<S>, load: skill::load::<S> }
    }

    /// Two networks, one after the other.
    const fn steps<O: Order>(head: &'static str) -> Way {
        Way { head, tasks: ROLE_TASKS, train: tuples::train::<O>, load: tuples::load::<O> }
    }
}

const ROLE_TASKS: &[&str] = &["2023/roles", "2022/roles"];

/// All ways; the first that serves a task is its default.
const WAYS: &[Way] = &[
    Way { head: "anchored", tasks: &["2023/anomaly"], train: anchored::train, load: anchored::load },
    Way { head: "anchored", tasks: ROLE_TASKS, train: roles::train, load: roles::load },
    Way::with::<classifier::Judge>("classifier", &["2021/judge", "2021/reason", "2022/judge"]),
    Way::with::<replaced::Detect>("replaced", &["2021/judge", "2022/judge"]),
    Way::with::<tagger::Label>("tagger", &["2023/anomaly"]),
    Way::with::<pointers::PointOut>("pointers", &["2023/anomaly"]),
    Way::with::<grid::Pair>("grid", &["2023/anomaly"]),
    Way::with::<prompt::Ask>("prompt", &["2023/anomaly"]),
    Way::steps::<trigger::EventFirst>("trigger"),
    Way::steps::<entity::EntityFirst>("entity"),
];

/// The choices of the option: `auto` and the heads of all ways, each once.
const HEADS: &[&str] =
    &["auto", "anchored", "classifier", "replaced", "tagger", "pointers", "grid", "prompt", "trigger", "entity"];

fn way(task: &dyn Task, options: &Options) -> Result<&'static Way, PredictError> {
    let head = options.text("head");
    let fits = |way: &&Way| way.tasks.contains(&task.id()) && (head == "auto" || head == way.head);
    WAYS.iter().find(fits).ok_or_else(|| {
        let heads: Vec<&str> = WAYS.iter().filter(|way| way.tasks.contains(&task.id())).map(|way| way.head).collect();
        let expected = format!("a network that answers {} ({})", task.id(), heads.join(" "));
        OptionError::Value { name: "head".to_owned(), expected, found: head.to_owned() }.into()
    })
}

impl Predictor for Encoder {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn serves(&self, task: &dyn Task) -> bool {
        WAYS.iter().any(|way| way.tasks.contains(&task.id()))
    }

    fn options(&self) -> &'static [Spec] {
        OPTIONS
    }

    fn train(&self, job: &Job<'_>, part: &Part<'_>) -> Result<Box<dyn Model>, PredictError> {
        check_task(self, job.task)?;
        let options = job.options;
        let way = way(job.task, options)?;
        if options.text("encoder").is_empty() {
            let expected = "the folder of an encoder (fangwei encoder get makes one)".to_owned();
            return Err(OptionError::Value { name: "encoder".to_owned(), expected, found: "nothing".to_owned() }.into());
        }
        let encoder = Pretrained::load(Path::new(options.text("encoder"))).map_err(told)?;
        let schedule = Schedule { rate: options.number("rate"), ..Schedule::default() };
        let plan =
            Plan { epochs: options.int("epochs") as usize, batch: options.int("batch") as usize, schedule, seed: job.seed };
        (way.train)(job, part, &Setup { encoder, length: options.int("length") as usize, plan })
    }

    fn load(&self, task: &'static dyn Task, options: &Options, from: &ReadScope) -> Result<Box<dyn Model>, PredictError> {
        check_task(self, task)?;
        (way(task, options)?.load)(from, options.int("length") as usize)
    }
}

/// An error of an encoder as one of a predictor.
fn told(error: EncoderError) -> PredictError {
    match error {
        EncoderError::Io { file, error } => PredictError::Io { file: file.display().to_string(), error },
        EncoderError::File { file, expected, found } => PredictError::Folder { file, expected, found },
        EncoderError::Interrupted => PredictError::Interrupted,
        other => PredictError::Folder {
            file: "encoder".to_owned(),
            expected: "the folder of an encoder".to_owned(),
            found: other.to_string(),
        },
    }
}

#[cfg(test)]
mod tests;
