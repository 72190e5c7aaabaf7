//! Time zones, loaded one by one when a spec first names them.

use super::send::whole;
use druid::zone::{Lookup, Zone, ZoneTable, Zones};
use gloo_net::http::Request as Fetch;
use leptos::prelude::*;
use std::{collections::BTreeMap, sync::Arc};

#[derive(Clone)]
enum Entry {
    Asked,
    Known(Arc<ZoneTable>),
    Unknown,
}

/// The zones loaded so far. Reading one that is not there asks the gateway for it; when it comes, whoever looked
/// looks again.
#[derive(Clone, Copy)]
pub struct LoadedZones {
    entries: RwSignal<BTreeMap<String, Entry>>,
}

impl LoadedZones {
    /// No zone yet.
    pub fn new() -> Self {
        LoadedZones { entries: RwSignal::new(BTreeMap::new()) }
    }

    fn load(self, name: String) {
        self.entries.update_untracked(|entries| {
            entries.insert(name.clone(), Entry::Asked);
        });
        leptos::task::spawn_local(async move {
            let path: Vec<String> =
                name.split('/').map(|part| js_sys::encode_uri_component(part).into()).collect();
            let answer =
                whole(Fetch::get(&format!("/foreshadow/zones/{}", path.join("/"))), None, 15_000).await;
            let entry = match answer {
                Ok(answer) if answer.status == 200 => {
                    ZoneTable::read(&answer.lossy()).map(|table| Entry::Known(Arc::new(table)))
                }
                Ok(answer) if answer.status == 404 => Some(Entry::Unknown),
                _ => None,
            };
            self.entries.update(|entries| {
                match entry {
                    Some(entry) => entries.insert(name, entry),
                    // Not answered: the next look asks again.
                    None => entries.remove(&name),
                };
            });
        });
    }
}

impl Default for LoadedZones {
    fn default() -> Self {
        LoadedZones::new()
    }
}

impl Zones for LoadedZones {
    fn lookup(&self, name: &str) -> Lookup {
        if name.eq_ignore_ascii_case("utc") || name == "Etc/UTC" || name == "Z" {
            return Lookup::Known(Zone::Utc);
        }
        match self.entries.with(|entries| entries.get(name).cloned()) {
            Some(Entry::Known(table)) => Lookup::Known(Zone::Table(table)),
            Some(Entry::Unknown) => Lookup::Unknown,
            Some(Entry::Asked) => Lookup::NotLoaded,
            None => {
                self.load(name.to_owned());
                Lookup::NotLoaded
            }
        }
    }
}
