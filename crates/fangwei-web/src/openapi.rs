//! The description of the JSON API, drawn from the table of routes: what is not in the table is not described, and the other way round.

use axum::Json;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::policy::{Policy, Scope};
use crate::route::Route;
use crate::routes::ROUTES;

/// The description as an answer: an `OpenAPI` document.
pub type Description = Map<String, Value>;

/// The answer to a request for the description.
pub async fn answer() -> Json<Value> {
    Json(describe())
}

/// The description, as OpenAPI 3.1.
pub fn describe() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    let mut schemas = settings.into_generator();
    let mut paths = Map::new();
    for route in ROUTES.iter().flat_map(|routes| routes.iter()).filter(|route| route.is_api()) {
        let takes = route.takes.map(|schema| schema(&mut schemas));
        let gives = route.gives.map(|schema| schema(&mut schemas));
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.as_str().to_ascii_lowercase()] = operation(route, &json!(takes), &json!(gives));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "fangwei",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Annotation, review, agreement and competitions for Chinese spatial-understanding evaluations.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas.take_definitions(true),
            "responses": { "Refused": {
                "description": "Refused; the message says why and what to do.",
                "content": { "application/json": { "schema": {
                    "type": "object",
                    "required": ["error", "message"],
                    "properties": { "error": { "type": "string" }, "message": { "type": "string" }, "detail": {} },
                } } },
            } },
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "A token made on the page of one's account." },
            },
        },
    })
}

fn operation(route: &Route, takes: &Value, gives: &Value) -> Value {
    let names = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let parameters: Vec<Value> = names
        .map(|name| json!({ "name": name.trim_start_matches('*'), "in": "path", "required": true, "schema": { "type": "string" } }))
        .collect();
    let refused = || json!({ "$ref": "#/components/responses/Refused" });
    let mut responses = Map::new();
    let content = match route.file {
        Some(kind) => json!({ kind: {} }),
        None if gives.is_null() => json!({}),
        None => json!({ "application/json": { "schema": gives } }),
    };
    // Making something answers 201, beginning something 202.
    responses.insert("2XX".to_owned(), json!({ "description": "Done.", "content": content }));
    for status in ["400", "401", "403", "404", "409", "413", "415", "422", "429"] {
        responses.insert(status.to_owned(), refused());
    }
    let scope = route.scope.map_or("", Scope::as_str);
    let whom = match route.policy {
        Policy::Everybody => "everybody".to_owned(),
        Policy::AtLeast(role) => format!("{} or higher, token scope {scope}", role.as_str()),
    };
    let security = if route.policy == Policy::Everybody { json!([]) } else { json!([{ "token": [] }]) };
    let mut operation = json!({
        "summary": route.about,
        "description": format!("For {whom}."),
        "parameters": parameters,
        "responses": responses,
        "security": security,
    });
    if !takes.is_null() {
        operation["requestBody"] = json!({ "required": true, "content": { "application/json": { "schema": takes } } });
    }
    operation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_for_programs_is_described() {
        let described = describe();
        for route in ROUTES.iter().flat_map(|routes| routes.iter()).filter(|route| route.is_api()) {
            let operation = &described["paths"][route.path][route.method.as_str().to_ascii_lowercase()];
            assert!(operation["summary"].as_str().is_some_and(|about| !about.is_empty()), "{} {}", route.method, route.path);
            let braces = route.path.matches('{').count();
            assert_eq!(operation["parameters"].as_array().map(Vec::len), Some(braces), "{}", route.path);
            assert!(route.gives.is_some() != route.file.is_some(), "{} {} gives JSON or a file", route.method, route.path);
        }
    }
}
