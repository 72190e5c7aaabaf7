//! What can be wrong with an answer, and the server's words taken out of whatever shape they came in.

use std::fmt;

use serde_json::Value;

use super::Response;

/// Why an answer could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerError {
    /// Druid (or something before it) said no.
    Refused(Refusal),
    /// The gateway said no; Druid may not have been asked.
    Gateway {
        /// Its code, as in `x-foreshadow-error`.
        code: String,
        /// Its sentence.
        message: String,
    },
    /// Nothing came where something was wanted.
    Empty {
        /// The status it came with.
        status: u16,
    },
    /// A page in place of JSON: a proxy, a login page, a server that is not Druid.
    Page {
        /// Its title, or its first words.
        title: String,
    },
    /// The JSON stops in the middle.
    Cut {
        /// Bytes that came.
        bytes: usize,
    },
    /// The JSON is broken.
    Malformed {
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// The JSON is sound and says something else.
    Shape {
        /// Where, as `status.statusCode` or `[3].interval`; empty: the whole.
        at: String,
        /// What should be there.
        wanted: &'static str,
        /// What is.
        found: String,
    },
    /// More bytes than an answer of this kind may have.
    TooLong {
        /// At most so many.
        cap: u64,
        /// What came.
        bytes: u64,
    },
}

/// A status that is not success, and what the server said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The server's sentence, taken out of its envelope or page.
    pub text: String,
    /// The whole body as it came.
    pub body: String,
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerError::Refused(refusal) => {
                write!(f, "The server answered {}: {}", refusal.status, refusal.text)
            }
            AnswerError::Gateway { message, .. } => f.write_str(message),
            AnswerError::Empty { status } => write!(f, "The server answered {status} with nothing in it."),
            AnswerError::Page { title } => write!(
                f,
                "A web page came in place of Druid's answer: “{title}”. Is a proxy or a login page in between?"
            ),
            AnswerError::Cut { bytes } => {
                write!(
                    f,
                    "The answer was cut off after {bytes} bytes. Ask again; if it stays so, look at the network."
                )
            }
            AnswerError::Malformed { line, column, message } => {
                write!(f, "The answer is not sound JSON at line {line}, column {column}: {message}.")
            }
            AnswerError::Shape { at, wanted, found } if at.is_empty() => {
                write!(f, "The answer should be {wanted} and is {found}. Is this a Druid?")
            }
            AnswerError::Shape { at, wanted, found } => {
                write!(f, "The answer should have {wanted} at {at} and has {found}.")
            }
            AnswerError::TooLong { cap, bytes } => {
                write!(f, "The answer is too long: {bytes} bytes, and at most {cap} are read.")
            }
        }
    }
}

impl std::error::Error for AnswerError {}

/// The JSON of a good answer.
pub(super) fn json(response: &Response, cap: u64) -> Result<Value, AnswerError> {
    refused(response)?;
    let bytes = response.body.len() as u64;
    if bytes > cap {
        return Err(AnswerError::TooLong { cap, bytes });
    }
    parse(response)
}

/// `Err` when the answer is the gateway's own or not one of success.
pub(super) fn refused(response: &Response) -> Result<(), AnswerError> {
    if let Some(code) = &response.gateway_error {
        let message = serde_json::from_slice::<Value>(&response.body)
            .ok()
            .and_then(|body| body.pointer("/gateway/message")?.as_str().map(str::to_owned))
            .unwrap_or_else(|| format!("The gateway answered {}: {code}.", response.status));
        return Err(AnswerError::Gateway { code: code.clone(), message });
    }
    if !response.is_success() {
        return Err(AnswerError::Refused(Refusal {
            status: response.status,
            text: words(response),
            body: response.lossy(),
        }));
    }
    Ok(())
}

/// What speaks from an answer that was not the one that was wanted.
pub fn unwanted(response: &Response) -> AnswerError {
    let wrong = refused(response).and_then(|()| parse(response));
    wrong.err().unwrap_or_else(|| AnswerError::Shape {
        at: String::new(),
        wanted: "another answer",
        found: words(response),
    })
}

/// The body as JSON, whatever the status.
pub(super) fn parse(response: &Response) -> Result<Value, AnswerError> {
    let body = response.body.as_slice();
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(AnswerError::Empty { status: response.status });
    }
    serde_json::from_slice(body).map_err(|error| {
        let is_json_so_far = matches!(
            body.trim_ascii_start().first(),
            Some(b'{' | b'[' | b'"' | b'0'..=b'9' | b'-' | b't' | b'f' | b'n')
        );
        if is_page(response) || !is_json_so_far {
            AnswerError::Page { title: words(response) }
        } else if error.is_eof() {
            AnswerError::Cut { bytes: body.len() }
        } else {
            AnswerError::Malformed {
                line: error.line(),
                column: error.column(),
                message: plain_message(&error.to_string()),
            }
        }
    })
}

fn is_page(response: &Response) -> bool {
    response.content_type.to_ascii_lowercase().starts_with("text/html")
        || response.body.trim_ascii_start().starts_with(b"<")
}

/// serde_json says "… at line 1 column 2" at the end; the place is told apart.
fn plain_message(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(before, _)| before).to_owned()
}

/// Longest sentence taken out of an answer, characters. The whole body is kept beside it.
const LONGEST: usize = 2000;

/// The server's sentence: `errorMessage` or `error` of Druid's envelopes, `Access-Check-Result`, `message` of Jetty's JSON page,
/// the title of an HTML page, the text itself.
pub(super) fn words(response: &Response) -> String {
    let text = match serde_json::from_slice::<Value>(&response.body) {
        Ok(Value::String(text)) => text,
        Ok(body) => ["errorMessage", "error", "Access-Check-Result", "message"]
            .iter()
            .find_map(|key| body.get(key)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned))
            .unwrap_or_else(|| body.to_string()),
        Err(_) if is_page(response) => title(&response.lossy()),
        Err(_) => response.lossy(),
    };
    let text = text.trim();
    if text.is_empty() {
        return format!("({} and no text)", response.status);
    }
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The title of a page; Jetty puts the exception there. Without one, the text between the tags.
fn title(page: &str) -> String {
    let between = |open: &str, close: &str| {
        let from = page.find(open)? + open.len();
        let rest = page.get(from..)?;
        rest.get(..rest.find(close).unwrap_or(rest.len()))
    };
    let found = between("<title>", "</title>").map(str::trim).filter(|title| !title.is_empty());
    match found {
        Some(title) => unescape(title),
        None => {
            let mut text = String::new();
            let mut in_tag = false;
            for c in page.chars() {
                match c {
                    '<' => in_tag = true,
                    '>' => {
                        in_tag = false;
                        text.push(' ');
                    }
                    c if !in_tag => text.push(c),
                    _ => {}
                }
            }
            unescape(&text.split_whitespace().collect::<Vec<_>>().join(" "))
        }
    }
}

/// The five entities that Jetty writes.
fn unescape(text: &str) -> String {
    text.replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}
