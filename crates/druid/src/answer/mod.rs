//! What Druid answers, read: one [`Response`], one reader for each kind of answer, every malformed one an error value.
//!
//! What always holds:
//! - No bytes make a reader panic. What cannot be read says where and what was there instead.
//! - Unknown keys are ignored: they appear every other release. Missing ones get the value that Druid means by leaving them out.
//! - A body that was cut, an HTML page with status 200, and an answer of the gateway's own are told apart from Druid's.
//!
//! Not here: asking again, waiting, deciding. [`classify_submit`] says what an answer to a submit *is*; what to do about it is
//! decided elsewhere.

mod error;
mod response;
mod submit;

pub use error::{AnswerError, Refusal};
pub use response::Response;
pub use submit::{Fatal, Retry, Submit, Told, classify_submit};
