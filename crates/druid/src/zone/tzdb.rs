//! All zones, from the tz database that the `jiff` crate carries. Behind the feature `tzdb`: it costs the browser
//! 118 KB, so only native programs compile it in.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::{Timestamp, tz::TimeZoneDatabase};

use super::table::{TAIL_LENGTH, TAIL_START};
use super::{Lookup, Named, UtcOnly, Zone, ZoneTable, Zones, named};

/// The bundled tz database. A table is made when first asked for and kept, so keep the value as well.
#[derive(Debug)]
pub struct Tzdb {
    zones: TimeZoneDatabase,
    made: Mutex<BTreeMap<String, Zone>>,
}

impl Default for Tzdb {
    fn default() -> Tzdb {
        Tzdb { zones: TimeZoneDatabase::bundled(), made: Mutex::default() }
    }
}

impl Tzdb {
    /// The table of a region, or `None` when the database has no such name in exactly this case.
    pub fn table(&self, name: &str) -> Option<ZoneTable> {
        let zone = self.zones.get(name).ok()?;
        if zone.iana_name() != Some(name) {
            return None; // jiff ignores case, Joda does not
        }
        let first = i64::from(zone.to_offset(Timestamp::MIN).seconds()) * 1000;
        let end = TAIL_START + TAIL_LENGTH;
        let changes = zone
            .following(Timestamp::MIN)
            .map(|change| (change.timestamp().as_millisecond(), i64::from(change.offset().seconds()) * 1000))
            .take_while(|&(at, _)| at < end)
            .collect();
        ZoneTable::new(name, first, changes).ok()
    }

    fn make(&self, region: &str) -> Option<Zone> {
        let table = self.table(region)?;
        if !table.is_fixed() {
            return Some(Zone::Table(Arc::new(table)));
        }
        Some(Zone::Fixed(Zone::Table(Arc::new(table)).offset_ms(0) as i32))
    }
}

impl Zones for Tzdb {
    fn lookup(&self, name: &str) -> Lookup {
        let Named::Region(region) = named(name) else { return UtcOnly.lookup(name) };
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(zone) = made.get(region) {
            return Lookup::Known(zone.clone());
        }
        match self.make(region) {
            Some(zone) => {
                made.insert(region.to_owned(), zone.clone());
                Lookup::Known(zone)
            }
            None => Lookup::Unknown,
        }
    }
}
