//! The page: `index.html` with its style sheets joined to one, everything that may be kept for ever in one folder named by
//! its content, and `boot.js` beside it, which is asked for anew each time.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::wasm::{LOADER, MAIN};

const SHEET: &str = "console.css";
/// How a line of `index.html` that names a style sheet begins.
const SHEET_LINE: &str = "<link rel=\"stylesheet\" href=\"";
/// Where `index.html` wants the script.
const SCRIPT_LINE: &str = "<script type=\"module\" src=\"boot.js\"></script>";

/// Lays the page into `folder`, which is empty, from the sources under `root` and the built `parts`.
pub(super) fn lay_out(root: &Path, parts: &Path, folder: &Path) -> Result<()> {
    let read = |name: &str| {
        let file = root.join(name);
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
    };
    let index = read("index.html")?;
    let mut sheet = String::new();
    for name in sheets(&index) {
        sheet.push_str(&read(name)?);
    }
    fs::write(parts.join(SHEET), sheet)?;

    let files = listed(parts)?;
    let mut hasher = DefaultHasher::new();
    for file in &files {
        hasher.write(&fs::read(file)?);
    }
    let name = format!("{MAIN}-{:016x}", hasher.finish());
    let kept = folder.join(&name);
    fs::create_dir_all(&kept)?;
    for file in &files {
        fs::copy(file, kept.join(file.file_name().context("a listed file has a name")?))?;
    }
    fs::copy(root.join("boot.js"), folder.join("boot.js")).context("cannot copy boot.js")?;
    fs::write(folder.join("index.html"), named(&index, &name)?)?;
    Ok(())
}

fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|file| file.is_file());
    files.sort();
    Ok(files)
}

/// The style sheets that the page names, in its order.
fn sheets(index: &str) -> impl Iterator<Item = &str> {
    index.lines().filter_map(|line| line.trim().strip_prefix(SHEET_LINE)?.split('"').next())
}

/// The page with its sheets joined and the names of what it loads.
fn named(index: &str, folder: &str) -> Result<String> {
    if !index.contains(SCRIPT_LINE) {
        bail!("index.html must have the line {SCRIPT_LINE}");
    }
    let mut page = String::with_capacity(index.len());
    let mut joined = false;
    for line in index.lines() {
        let indent = line.len() - line.trim_start().len();
        if line.trim().starts_with(SHEET_LINE) {
            if !joined {
                joined = true;
                push(&mut page, indent, &format!("{SHEET_LINE}{folder}/{SHEET}\">"));
            }
        } else if line.trim() == SCRIPT_LINE {
            for script in [format!("{MAIN}.js"), LOADER.to_owned()] {
                push(&mut page, indent, &format!("<link rel=\"modulepreload\" href=\"{folder}/{script}\">"));
            }
            let wasm = format!("{folder}/{MAIN}_bg.wasm");
            // Without integrity: browsers ignore it on a preload of wasm, with a warning. Same origin, one binary.
            push(
                &mut page,
                indent,
                &format!(
                    "<link rel=\"preload\" href=\"{wasm}\" as=\"fetch\" type=\"application/wasm\" crossorigin=\"anonymous\">"
                ),
            );
            push(
                &mut page,
                indent,
                &format!(
                    "<script type=\"module\" src=\"boot.js\" data-js=\"{folder}/{MAIN}.js\" data-wasm=\"{wasm}\"></script>"
                ),
            );
        } else {
            push(&mut page, 0, line);
        }
    }
    Ok(page)
}

fn push(page: &mut String, indent: usize, line: &str) {
    page.extend(std::iter::repeat_n(' ', indent));
    page.push_str(line);
    page.push('\n');
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot lay its page fails")]
    use super::*;

    const INDEX: &str = "<head>\n  <link rel=\"stylesheet\" href=\"style/a.css\">\n  \
        <link rel=\"stylesheet\" href=\"style/b.css\">\n  <script type=\"module\" src=\"boot.js\"></script>\n</head>\n";

    #[test]
    fn the_page_names_one_style_sheet_and_the_parts_in_the_folder_of_their_hash() {
        assert_eq!(sheets(INDEX).collect::<Vec<_>>(), ["style/a.css", "style/b.css"]);
        let page = named(INDEX, "console-0123456789abcdef").unwrap();
        assert_eq!(page.matches("stylesheet").count(), 1);
        assert!(page.contains("href=\"console-0123456789abcdef/console.css\""));
        assert!(page.contains("data-wasm=\"console-0123456789abcdef/console_bg.wasm\""));
    }

    #[test]
    fn a_page_without_the_place_for_its_script_is_refused() {
        assert!(named("<head></head>", "console-0").is_err());
    }
}
