//! A name or an id that cannot be used, with its remedy. The rules themselves are `druid::id`'s.

use druid::id::{IdTrouble, MAX_TASK_ID_BYTES};

/// Which text broke a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdField {
    /// The datasource name (`spec.dataSchema.dataSource`).
    Datasource,
    /// The task id (top-level `id`).
    TaskId,
}

impl IdField {
    /// What the server calls it in its refusals of a posted task.
    fn server_name(self) -> &'static str {
        match self {
            IdField::Datasource => "dataSource",
            IdField::TaskId => "task ID",
        }
    }

    fn name(self) -> &'static str {
        match self {
            IdField::Datasource => "datasource name",
            IdField::TaskId => "task id",
        }
    }
}

/// Why no id can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdError {
    /// Which text is the trouble.
    pub field: IdField,
    /// The text.
    pub value: String,
    /// The rule it breaks.
    pub trouble: IdTrouble,
}

impl IdError {
    /// What Druid itself answers; none for what it lets through and cannot run.
    pub fn server_words(&self) -> Option<String> {
        self.trouble.server_words(self.field.server_name(), &self.value)
    }

    /// What to do about it.
    pub fn remedy(&self) -> String {
        let name = self.field.name();
        match &self.trouble {
            IdTrouble::Empty => format!("Fill in the {name}."),
            IdTrouble::LeadingDot => format!("Start the {name} with another character."),
            IdTrouble::Slash => format!("Use another character than / in the {name}."),
            IdTrouble::Whitespace => format!("Use plain spaces only in the {name}."),
            IdTrouble::Character { .. } => {
                format!("Leave control characters, emoji and private-use characters out of the {name}.")
            }
            IdTrouble::Nul => format!("Remove the character U+0000 from the {name}."),
            IdTrouble::TooLong { bytes } => format!(
                "The id holds the datasource name: shorten that by {} bytes, or give the task an id of your own.",
                bytes.saturating_sub(MAX_TASK_ID_BYTES)
            ),
            IdTrouble::TooLongForStore { .. } => format!("Shorten the {name}."),
        }
    }
}

impl std::fmt::Display for IdError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "The {} cannot be used: {}. {}", self.field.name(), self.trouble.sentence(), self.remedy())
    }
}

impl std::error::Error for IdError {}
