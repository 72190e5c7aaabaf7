//! The words for people, from `help.txt`: a line beside each line of `keys.txt`, parts divided by tabs. Nothing but
//! [`Field::help`] names that text.

use super::Field;

static HELP: &str = include_str!("help.txt");

/// What to tell people of a field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Help {
    /// A name for people.
    pub label: &'static str,
    /// What Druid takes where nothing is given, as people would write it (a tab as `\t`); empty where it needs a value
    /// or takes none.
    pub default: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// What has to hold beside it, in words, with the Druid class or page that says so; empty for nothing.
    pub rule: &'static str,
}

impl Field {
    /// What to tell people of it.
    #[must_use]
    pub fn help(&self) -> Help {
        let mut parts = HELP.lines().nth(self.line).unwrap_or_default().split('\t').skip(1);
        let mut part = || parts.next().unwrap_or_default();
        Help { label: part(), default: part(), help: part(), rule: part() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes;
    use super::*;

    #[test]
    fn every_field_has_its_own_line_of_help() {
        let mut lines = 0;
        for (name, shape) in shapes() {
            lines += 1;
            for field in &shape.fields {
                let line = HELP.lines().nth(field.line).unwrap_or_default();
                assert!(line.starts_with(&format!("{}\t", field.key)), "{name}.{}: {line}", field.key);
                assert!((4..=5).contains(&line.split('\t').count()), "{name}.{}: {line}", field.key);
                lines += 1;
            }
        }
        assert_eq!(HELP.lines().count(), lines);
    }
}
