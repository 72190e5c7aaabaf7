//! Granularities as JSON and as the text that stands in Druid's messages.

use std::fmt;

use serde_json::Value;

use super::{Granularity, PeriodGranularity};
use crate::interval::{Instant, Period};
use crate::zone::{Lookup, Zone, Zones};

impl Granularity {
    /// Reads a spec's value: a name, or an object with `type` `period`, `duration`, `all` or `none`. The error says
    /// what is wrong and what would be right.
    ///
    /// An unknown `timeZone` means UTC, as in Druid; one whose table is not loaded is an error that says so.
    pub fn from_json(value: &Value, zones: &dyn Zones) -> Result<Granularity, String> {
        if let Some(name) = value.as_str() {
            return Granularity::named(name).ok_or_else(|| {
                format!(
                    "unknown granularity \"{name}\": Druid knows {}",
                    Granularity::names().collect::<Vec<_>>().join(", ")
                )
            });
        }
        let Some(object) = value.as_object() else {
            return Err("a granularity is a name such as \"DAY\" or an object with a \"type\"".to_owned());
        };
        match object.get("type").and_then(Value::as_str) {
            Some("period") => period(object, zones).map(Granularity::Period),
            Some("duration") => duration(object),
            Some("all") => Ok(Granularity::All),
            Some("none") => Ok(Granularity::None),
            Some(other) => {
                Err(format!("unknown granularity type \"{other}\": Druid knows period, duration, all, none"))
            }
            None => Err("a granularity object needs a \"type\": period, duration, all or none".to_owned()),
        }
    }

    /// As Druid writes it: the name where there is one, else the object.
    pub fn to_json(&self) -> Value {
        if let Some(name) = self.name() {
            return Value::from(name);
        }
        match self {
            Granularity::Period(p) => serde_json::json!({
                "type": "period",
                "period": p.period().to_string(),
                "timeZone": p.zone_name(),
                "origin": p.origin().map(|o| o.to_string()),
            }),
            Granularity::Duration { ms, origin } => {
                serde_json::json!({"type": "duration", "duration": ms, "origin": origin.to_string()})
            }
            // Both have names.
            Granularity::None | Granularity::All => Value::Null,
        }
    }

    /// As Druid's messages show it (`toString`): `{type=period, period=P1D, timeZone=UTC, origin=null}` even for DAY.
    pub fn in_messages(&self) -> String {
        match self {
            Granularity::None => "NoneGranularity".to_owned(),
            Granularity::All => "AllGranularity".to_owned(),
            Granularity::Period(p) => {
                let origin = p.origin().map_or_else(|| "null".to_owned(), |o| o.to_string());
                format!("{{type=period, period={}, timeZone={}, origin={origin}}}", p.period(), p.zone_name())
            }
            Granularity::Duration { ms, origin } => {
                format!("DurationGranularity{{duration={ms}, origin={}}}", origin.ms() % ms)
            }
        }
    }
}

/// The name where there is one (`HOUR`), else Druid's own text for it.
impl fmt::Display for Granularity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => f.write_str(&self.in_messages()),
        }
    }
}

type Object = serde_json::Map<String, Value>;

fn period(object: &Object, zones: &dyn Zones) -> Result<PeriodGranularity, String> {
    let text = match object.get("period") {
        Some(Value::String(text)) => text,
        None | Some(Value::Null) => return Err("period can't be null!".to_owned()),
        Some(_) => return Err("\"period\" is a text such as \"P1D\"".to_owned()),
    };
    let period = Period::parse(text).map_err(|e| format!("period \"{text}\": {e}"))?;
    let (zone, zone_name) = match object.get("timeZone") {
        None | Some(Value::Null) => (Zone::Utc, "UTC".to_owned()),
        Some(Value::String(name)) => match zones.lookup(name) {
            Lookup::Known(Zone::Utc) | Lookup::Unknown => (Zone::Utc, "UTC".to_owned()),
            Lookup::Known(zone) => (zone, name.clone()),
            Lookup::NotLoaded => return Err(format!("the rules of time zone \"{name}\" are not loaded yet")),
        },
        Some(_) => return Err("\"timeZone\" is a name such as \"America/New_York\"".to_owned()),
    };
    let origin = origin(object)?;
    if period == Period::default() {
        return Err("zero period is not acceptable in PeriodGranularity!".to_owned());
    }
    PeriodGranularity::new(period, origin, zone, &zone_name)
        .ok_or_else(|| format!("period \"{text}\": every part must be positive; Druid would never finish"))
}

fn duration(object: &Object) -> Result<Granularity, String> {
    let ms = match object.get("duration") {
        Some(Value::Number(number)) => number.as_i64(),
        Some(Value::String(text)) => text.parse().ok(),
        _ => None,
    };
    match ms {
        Some(ms) if ms > 0 => {
            Ok(Granularity::Duration { ms, origin: origin(object)?.unwrap_or(Instant::EPOCH) })
        }
        Some(_) => Err("duration should be greater than 0!".to_owned()),
        None => Err("\"duration\" is a number of milliseconds".to_owned()),
    }
}

fn origin(object: &Object) -> Result<Option<Instant>, String> {
    match object.get("origin") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => {
            Instant::parse(text).map(Some).map_err(|e| format!("origin \"{text}\": {e}"))
        }
        Some(Value::Number(number)) => number
            .as_i64()
            .map(|ms| Some(Instant::from_ms(ms)))
            .ok_or_else(|| "\"origin\" is too large".to_owned()),
        Some(_) => Err("\"origin\" is an ISO date-time".to_owned()),
    }
}
