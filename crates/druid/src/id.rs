//! Which task ids and datasource names a server takes, and which it takes to its own harm.
//!
//! The rules are those of `IdUtils.validateId`, in its order and with its words, holes included (U+001F,
//! U+007F and U+009F pass). Beyond them stand two ids that are accepted and then stop the whole cluster for
//! minutes: one with U+0000, and one whose file name on the worker is too long. Those are refused here.

/// Longest task id that a worker can write down: its file is named `.` + id + `.` + 36 characters and must fit
/// 255 bytes.
pub const MAX_TASK_ID_BYTES: usize = 217;

/// Longest id that the metadata store takes (`VARCHAR(255)`, `SQLMetadataConnector`), in characters.
pub const MAX_STORED_CHARACTERS: usize = 255;

/// Why an id or a name will not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdTrouble {
    /// Nothing is given.
    Empty,
    /// It starts with a full stop.
    LeadingDot,
    /// It has a slash.
    Slash,
    /// It has a tab, a line end, or a form feed.
    Whitespace,
    /// It has a character that ZooKeeper does not take: control, private use, everything beyond U+FFFF.
    Character {
        /// The UTF-16 unit.
        unit: u16,
        /// Its position, in UTF-16 units from 0.
        at: usize,
    },
    /// It has U+0000: accepted, then never started, and nothing else is started for five minutes
    /// (`druid.indexer.runner.taskAssignmentTimeout`); such a task cannot even be stopped by its id.
    Nul,
    /// Longer than [`MAX_TASK_ID_BYTES`]: accepted, then as with [`IdTrouble::Nul`].
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// Longer than [`MAX_STORED_CHARACTERS`]: answered with 500.
    TooLongForStore {
        /// Its length in characters.
        characters: usize,
    },
}

impl IdTrouble {
    /// The text of the server's 400, where it refuses by itself. `field` is what it calls the thing:
    /// `task ID` (a posted task), `dataSource`, `taskId` (in an address).
    #[must_use]
    pub fn server_words(&self, field: &str, value: &str) -> Option<String> {
        let of_value =
            |what: &str| Some(format!("Invalid value for field [{field}]: Value [{value}] {what}"));
        match self {
            IdTrouble::Empty => Some(format!("Invalid value for field [{field}]: must not be null")),
            IdTrouble::LeadingDot => of_value("cannot start with '.'."),
            IdTrouble::Slash => of_value("cannot contain '/'."),
            IdTrouble::Whitespace => {
                of_value("contains illegal whitespace characters.  Only space is allowed.")
            }
            IdTrouble::Character { unit, at } => {
                of_value(&format!("contains illegal UTF8 character [#{unit}] at position [{at}]"))
            }
            IdTrouble::Nul | IdTrouble::TooLong { .. } | IdTrouble::TooLongForStore { .. } => None,
        }
    }

    /// Whether the server accepts it and no worker can ever start the task: every other task of the cluster waits
    /// meanwhile.
    #[must_use]
    pub fn never_starts(&self) -> bool {
        matches!(self, IdTrouble::Nul | IdTrouble::TooLong { .. })
    }

    /// The same in plain words, for any of them.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            IdTrouble::Empty => "it is empty".to_owned(),
            IdTrouble::LeadingDot => "it must not start with a full stop".to_owned(),
            IdTrouble::Slash => "it must not have a slash (/)".to_owned(),
            IdTrouble::Whitespace => "of white space only the plain space is allowed".to_owned(),
            IdTrouble::Character { unit, at } => {
                format!("the character at position {} (U+{unit:04X}) is not allowed", at + 1)
            }
            IdTrouble::Nul => {
                "it has the character U+0000: Druid accepts it, cannot start it, and starts nothing else for \
                 five minutes"
                    .to_owned()
            }
            IdTrouble::TooLong { bytes } => format!(
                "it is {bytes} bytes long: beyond {MAX_TASK_ID_BYTES} Druid accepts it, cannot start it, and \
                 starts nothing else for five minutes"
            ),
            IdTrouble::TooLongForStore { characters } => format!(
                "it is {characters} characters long, the metadata store takes {MAX_STORED_CHARACTERS}"
            ),
        }
    }
}

/// Whether a task can have this id and run.
///
/// # Errors
/// The first rule it breaks.
pub fn validate_id(id: &str) -> Result<(), IdTrouble> {
    validate(id)?;
    let characters = id.chars().count();
    if characters > MAX_STORED_CHARACTERS {
        return Err(IdTrouble::TooLongForStore { characters });
    }
    if id.len() > MAX_TASK_ID_BYTES {
        return Err(IdTrouble::TooLong { bytes: id.len() });
    }
    Ok(())
}

/// Whether a datasource can have this name.
///
/// # Errors
/// The first rule it breaks.
pub fn validate_datasource(name: &str) -> Result<(), IdTrouble> {
    validate(name)?;
    let characters = name.chars().count();
    if characters > MAX_STORED_CHARACTERS { Err(IdTrouble::TooLongForStore { characters }) } else { Ok(()) }
}

/// `IdUtils.validateId`, and the character it lets through by mistake.
fn validate(value: &str) -> Result<(), IdTrouble> {
    if value.is_empty() {
        return Err(IdTrouble::Empty);
    }
    if value.starts_with('.') {
        return Err(IdTrouble::LeadingDot);
    }
    if value.contains('/') {
        return Err(IdTrouble::Slash);
    }
    // Java's \s without the space.
    if value.contains(['\t', '\n', '\u{b}', '\u{c}', '\r']) {
        return Err(IdTrouble::Whitespace);
    }
    // Exclusive bounds on both sides, as Druid compares them.
    let is_illegal =
        |unit: u16| matches!(unit, 0x01..=0x1E | 0x80..=0x9E | 0xD801..=0xF8FE | 0xFFF1..=0xFFFE);
    if let Some((at, unit)) = value.encode_utf16().enumerate().find(|(_, unit)| is_illegal(*unit)) {
        return Err(IdTrouble::Character { unit, at });
    }
    if value.contains('\0') { Err(IdTrouble::Nul) } else { Ok(()) }
}
