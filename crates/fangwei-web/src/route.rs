//! What a route is: its address, whom it serves, what it takes and gives. The table is [`crate::routes::ROUTES`].

use axum::http::Method;
use axum::routing::MethodRouter;
use schemars::{Schema, SchemaGenerator};

use crate::app::App;
use crate::policy::{Policy, Scope};

/// The schema of a type.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// A route of the platform.
#[derive(Clone, Debug)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The address, with names in braces.
    pub path: &'static str,
    /// Whom it serves.
    pub policy: Policy,
    /// What a token needs, if tokens may be used.
    pub scope: Option<Scope>,
    /// Whether asking for it does not count: what is small and the same for everybody.
    pub is_free: bool,
    /// What it does, for programmers; empty for pages.
    pub about: &'static str,
    /// What it takes as JSON.
    pub takes: Option<SchemaOf>,
    /// What it gives as JSON.
    pub gives: Option<SchemaOf>,
    /// The media type of the file that it gives instead.
    pub file: Option<&'static str>,
    /// What answers.
    pub call: fn() -> MethodRouter<App>,
}

/// A page, or what a form on a page does.
pub const fn page(method: Method, path: &'static str, policy: Policy, call: fn() -> MethodRouter<App>) -> Route {
    Route { method, path, policy, scope: None, is_free: false, about: "", takes: None, gives: None, file: None, call }
}

/// A route for programs.
pub const fn api(
    method: Method,
    path: &'static str,
    policy: Policy,
    scope: Scope,
    about: &'static str,
    call: fn() -> MethodRouter<App>,
) -> Route {
    Route { method, path, policy, scope: Some(scope), is_free: false, about, takes: None, gives: None, file: None, call }
}

impl Route {
    /// Without counting how often it is asked for.
    #[must_use]
    pub const fn free(mut self) -> Route {
        self.is_free = true;
        self
    }

    /// With what it takes.
    #[must_use]
    pub const fn takes(mut self, schema: SchemaOf) -> Route {
        self.takes = Some(schema);
        self
    }

    /// With what it gives.
    #[must_use]
    pub const fn gives(mut self, schema: SchemaOf) -> Route {
        self.gives = Some(schema);
        self
    }

    /// With the media type of the file that it gives.
    #[must_use]
    pub const fn gives_file(mut self, kind: &'static str) -> Route {
        self.file = Some(kind);
        self
    }

    /// Whether programs are meant: errors are JSON.
    pub fn is_api(&self) -> bool {
        is_api(self.path)
    }
}

/// Whether an address is meant for programs.
pub fn is_api(path: &str) -> bool {
    path.starts_with("/api/")
}
