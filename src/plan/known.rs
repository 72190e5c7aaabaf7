//! From what the user said of the input (kept in the plan) to what the forecast takes.

use backfill::{
    forecast::{Basis, Known, Paint, Painted, RowsFrom},
    plan::{self, Says},
};
use druid::{ingest::Rows, interval::Instant, spec::Task};

/// What is known: the rows of the task itself where it carries them and nobody said otherwise, else the user's word.
pub(super) fn known(said: &plan::Input, task: &Task) -> Known {
    if said.basis == plan::Basis::Unknown
        && let Ok(read) = Known::inline(task)
    {
        return Known { painted: strokes(said), ..read };
    }
    let basis = match &said.basis {
        plan::Basis::Unknown => Basis::Unknown,
        plan::Basis::AllRows => Basis::AllRows,
        plan::Basis::NoRows => Basis::NoRows,
        plan::Basis::AsExisting => Basis::AsExisting,
        plan::Basis::Rows(splits) => Basis::Rows {
            rows: Rows {
                splits: splits
                    .iter()
                    .map(|split| split.iter().map(|ms| Instant::from_ms(*ms)).collect())
                    .collect(),
            },
            from: RowsFrom::List,
            exact: true,
        },
    };
    Known { painted: strokes(said), ..Known::only(basis) }
}

/// Whether the task carries its rows; why they cannot be read where it does and they cannot.
pub(super) fn inline(task: &Task) -> Option<Result<Known, String>> {
    use druid::spec::InputSource;
    let is_inline = task.batch().is_some_and(|batch| matches!(batch.input, InputSource::Inline { .. }));
    is_inline.then(|| Known::inline(task).map_err(|why| why.sentence()))
}

fn strokes(said: &plan::Input) -> Vec<Paint> {
    said.painted
        .iter()
        .filter_map(|stroke| {
            let says = match stroke.says {
                Says::Rows => Painted::Rows,
                Says::NoRows => Painted::NoRows,
                Says::Unknown => Painted::Unknown,
            };
            Some(Paint { interval: stroke.interval()?, says })
        })
        .collect()
}
