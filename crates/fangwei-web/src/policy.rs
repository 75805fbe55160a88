//! Who may do what: a role has the rights of those below it, and every route names the least role that it serves.

use fangwei::lang::{Lang, words};

/// What an account may do. The order is the order of rights.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Takes part in competitions.
    Participant,
    /// Marks items that are given to them.
    Annotator,
    /// Looks at what annotators finished.
    Reviewer,
    /// Makes batches, assigns, answers questions.
    Manager,
    /// Runs evaluations.
    Organiser,
    /// Accounts and the whole.
    Admin,
}

impl Role {
    /// All roles, least first.
    pub const ALL: [Role; 6] = [Role::Participant, Role::Annotator, Role::Reviewer, Role::Manager, Role::Organiser, Role::Admin];

    /// The name in the database and in addresses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Participant => "participant",
            Role::Annotator => "annotator",
            Role::Reviewer => "reviewer",
            Role::Manager => "manager",
            Role::Organiser => "organiser",
            Role::Admin => "admin",
        }
    }

    /// The role of a name.
    pub fn parse(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.as_str() == name)
    }

    /// The name for people.
    pub const fn title(self, lang: Lang) -> &'static str {
        let title = match self {
            Role::Participant => words("参赛者", "participant"),
            Role::Annotator => words("标注员", "annotator"),
            Role::Reviewer => words("审核员", "reviewer"),
            Role::Manager => words("组长", "manager"),
            Role::Organiser => words("组织者", "organiser"),
            Role::Admin => words("管理员", "admin"),
        };
        title.get(lang)
    }
}

/// Whom a route serves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Everybody, signed in or not.
    Everybody,
    /// Who is signed in with this role or a higher one.
    AtLeast(Role),
}

/// What a token may be used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// To read.
    Read,
    /// To submit to competitions.
    Submit,
    /// To save and finish marks.
    Annotate,
    /// To make batches, assign and review.
    Manage,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Scope; 4] = [Scope::Read, Scope::Submit, Scope::Annotate, Scope::Manage];

    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Submit => "submit",
            Scope::Annotate => "annotate",
            Scope::Manage => "manage",
        }
    }

    /// The scope of a name.
    pub fn parse(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.as_str() == name)
    }
}
