//! The browser's own memory of what was sent: IndexedDB, one row a content.
//!
//! What always holds: a record is written in one transaction and only over the stamp it was made from; an id is in at
//! most one row (a unique index over all ids of a row). It is opened once for all who ask. Where the browser refuses
//! storage, every call says so in the browser's words; nothing is ever half written.

use crate::limit::within;
use backfill::submission::{JournalAnswer, Record, Stamp};
use futures::{
    FutureExt,
    future::{LocalBoxFuture, Shared},
};
use idb::{
    Database, DatabaseEvent, Factory, IndexParams, KeyPath, ObjectStoreParams, TransactionMode,
    TransactionResult,
};
use js_sys::{Array, Function, Object, Promise, Reflect};
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

const NAME: &str = "foreshadow";
const VERSION: u32 = 1;
const RECORDS: &str = "submissions";
const EXPECTED: &str = "expected";
const IDS: &str = "ids";
const BODY: &str = "record";

/// How long opening may take before whoever asks goes on without it, ms.
const OPEN_LIMIT_MS: u32 = 10_000;

/// The journal, open.
pub struct Journal {
    database: Database,
}

/// The one opening that all wait for.
#[derive(Clone)]
struct Opening {
    opened: Shared<LocalBoxFuture<'static, Result<Rc<Journal>, String>>>,
    /// For how long the next who asks waits, ms.
    limit_ms: u32,
}

thread_local! {
    static OPENING: RefCell<Option<Opening>> = const { RefCell::new(None) };
}

/// Whether this browser may have a journal, asked without opening or making one. Where the browser does not say, it may.
pub async fn may_exist() -> bool {
    match within(OPEN_LIMIT_MS, databases()).await.flatten() {
        Some(names) => names.iter().any(|name| name == NAME),
        None => true,
    }
}

/// The names of this site's databases (`indexedDB.databases()`, which not every browser has).
async fn databases() -> Option<Vec<String>> {
    let under = |object: &JsValue, key: &str| Reflect::get(object, &JsValue::from_str(key)).ok();
    let factory = under(&js_sys::global(), "indexedDB")?;
    let ask = under(&factory, "databases")?.dyn_into::<Function>().ok()?;
    let promise = ask.call0(&factory).ok()?.dyn_into::<Promise>().ok()?;
    let listed = JsFuture::from(promise).await.ok()?.dyn_into::<Array>().ok()?;
    listed.iter().map(|one| under(&one, "name")?.as_string()).collect()
}

fn words(error: impl std::fmt::Display) -> String {
    format!("The browser keeps no journal: {error}")
}

impl Journal {
    /// The journal, opened at the first time; all who ask while it opens wait for the same opening, at most 10 s. One
    /// that opens later than that is there for whoever asks next; one that failed is tried again.
    ///
    /// # Errors
    /// The browser's words: private mode, no storage, blocked by another tab with an older version. Or that it took too
    /// long.
    pub async fn open() -> Result<Rc<Journal>, String> {
        let opening = OPENING.with_borrow_mut(|opening| opening.get_or_insert_with(Opening::begin).clone());
        match within(opening.limit_ms, opening.opened.clone()).await {
            Some(Ok(journal)) => Ok(journal),
            Some(Err(why)) => {
                OPENING.with_borrow_mut(|now| now.take_if(|now| now.opened.ptr_eq(&opening.opened)));
                Err(why)
            }
            None => {
                // Nobody waits so long twice.
                OPENING.with_borrow_mut(|now| now.iter_mut().for_each(|now| now.limit_ms = 0));
                Err(words(
                    "it did not open within 10 s. Close other tabs of this console, or start the browser anew.",
                ))
            }
        }
    }

    async fn connect() -> Result<Rc<Journal>, String> {
        let factory = Factory::new().map_err(words)?;
        let mut opening = factory.open(NAME, Some(VERSION)).map_err(words)?;
        opening.on_upgrade_needed(|event| {
            let Ok(database) = event.database() else { return };
            if let Ok(store) = database.create_object_store(RECORDS, ObjectStoreParams::new()) {
                let mut unique = IndexParams::new();
                unique.unique(true);
                unique.multi_entry(true);
                let _ = store.create_index(IDS, KeyPath::new_single(IDS), Some(unique));
            }
            let _ = database.create_object_store(EXPECTED, ObjectStoreParams::new());
        });
        Ok(Rc::new(Journal { database: opening.await.map_err(words)? }))
    }

    /// Writes a record over the stamp that must be stored now.
    pub async fn write(&self, expect: Option<Stamp>, record: &Record) -> JournalAnswer {
        match self.try_write(expect, record).await {
            Ok(answer) => answer,
            Err(why) => match self.taken(record).await {
                Some(by) => JournalAnswer::IdTaken(by),
                None => JournalAnswer::Unavailable(why),
            },
        }
    }

    async fn try_write(&self, expect: Option<Stamp>, record: &Record) -> Result<JournalAnswer, String> {
        let key = JsValue::from_str(record.key());
        let row = row(record)?;
        let transaction = self.database.transaction(&[RECORDS], TransactionMode::ReadWrite).map_err(words)?;
        let store = transaction.object_store(RECORDS).map_err(words)?;
        let stored = store.get(key.clone()).map_err(words)?.await.map_err(words)?.as_ref().and_then(read);
        if stored.as_ref().map(|stored| stored.stamp) != expect {
            let _ = transaction.abort();
            return Ok(JournalAnswer::Conflict(stored.map(Box::new)));
        }
        store.put(&row, Some(&key)).map_err(words)?.await.map_err(words)?;
        match transaction.commit().map_err(words)?.await.map_err(words)? {
            TransactionResult::Committed => Ok(JournalAnswer::Written),
            TransactionResult::Aborted => Err("The browser took the journal's write back.".to_owned()),
        }
    }

    /// The key of another row that has one of the record's ids.
    async fn taken(&self, record: &Record) -> Option<String> {
        let ids = record.ids();
        self.all().await.ok()?.into_iter().find_map(|other| {
            let clash = other.key() != record.key() && other.ids().iter().any(|id| ids.contains(id));
            clash.then(|| other.key().to_owned())
        })
    }

    /// The record under a key.
    pub async fn read(&self, key: &str) -> Option<Record> {
        let transaction = self.database.transaction(&[RECORDS], TransactionMode::ReadOnly).ok()?;
        let store = transaction.object_store(RECORDS).ok()?;
        store.get(JsValue::from_str(key)).ok()?.await.ok()?.as_ref().and_then(read)
    }

    /// Every record that can be read.
    ///
    /// # Errors
    /// The browser's words.
    pub async fn all(&self) -> Result<Vec<Record>, String> {
        let transaction = self.database.transaction(&[RECORDS], TransactionMode::ReadOnly).map_err(words)?;
        let store = transaction.object_store(RECORDS).map_err(words)?;
        let rows = store.get_all(None, None).map_err(words)?.await.map_err(words)?;
        Ok(rows.iter().filter_map(read).collect())
    }

    /// Keeps what a content's forecast promised, for the comparison after a reload.
    pub async fn keep_expected(&self, key: &str, text: &str) -> Result<(), String> {
        let transaction =
            self.database.transaction(&[EXPECTED], TransactionMode::ReadWrite).map_err(words)?;
        let store = transaction.object_store(EXPECTED).map_err(words)?;
        let (key, text) = (JsValue::from_str(key), JsValue::from_str(text));
        store.put(&text, Some(&key)).map_err(words)?.await.map_err(words)?;
        transaction.commit().map_err(words)?.await.map_err(words)?;
        Ok(())
    }

    /// What was kept for a content.
    pub async fn expected(&self, key: &str) -> Option<String> {
        let transaction = self.database.transaction(&[EXPECTED], TransactionMode::ReadOnly).ok()?;
        let store = transaction.object_store(EXPECTED).ok()?;
        store.get(JsValue::from_str(key)).ok()?.await.ok()??.as_string()
    }
}

impl Opening {
    fn begin() -> Opening {
        Opening { opened: Journal::connect().boxed_local().shared(), limit_ms: OPEN_LIMIT_MS }
    }
}

/// A row: the record as JSON text, and its ids apart for the index.
fn row(record: &Record) -> Result<JsValue, String> {
    let text = serde_json::to_string(record).map_err(words)?;
    let ids: Array = record.ids().into_iter().map(JsValue::from_str).collect();
    let row = Object::new();
    let set = |key: &str, value: &JsValue| Reflect::set(&row, &JsValue::from_str(key), value);
    set(BODY, &JsValue::from_str(&text))
        .and_then(|_| set(IDS, ids.unchecked_ref()))
        .map_err(|_| "The record cannot be made a row.".to_owned())?;
    Ok(row.into())
}

fn read(row: &JsValue) -> Option<Record> {
    let text = Reflect::get(row, &JsValue::from_str(BODY)).ok()?.as_string()?;
    serde_json::from_str(&text).ok()
}
