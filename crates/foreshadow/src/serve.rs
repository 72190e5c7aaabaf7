//! `foreshadow serve`: starts the gateway, says where it is, and ends when told to.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use gateway::{Cluster, ClusterConfig, Config, Gateway, Upstream};

/// The environment variable with `user:password`. Not an argument: those are seen by everybody who lists processes.
const CREDENTIALS: &str = "FORESHADOW_CLUSTER_CREDENTIALS";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Port on 127.0.0.1; 0 takes any that is free
    #[arg(long, default_value_t = 8899)]
    port: u16,

    /// The cluster's Router, as http://host:port; or its Coordinators and Overlords, with commas between. Without it: the sandbox
    #[arg(long, value_name = "URL", value_delimiter = ',')]
    cluster: Vec<String>,

    /// File with one line, user:password or “Bearer …”, for the cluster. Or set FORESHADOW_CLUSTER_CREDENTIALS
    #[arg(long, value_name = "FILE", requires = "cluster")]
    credentials_file: Option<PathBuf>,

    /// Refuse everything that changes the cluster
    #[arg(long)]
    read_only: bool,

    /// Another origin whose page may call, exactly as a browser writes it: https://console.example
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    origins: Vec<String>,

    /// Another host name that this server answers for, where something in front of it passes one on
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,

    /// Open the console in a browser
    #[arg(long)]
    open: bool,

    /// Serve the console from this folder, read afresh each time
    #[arg(long, value_name = "DIR", hide = true)]
    console: Option<PathBuf>,

    /// Put one more datasource, `many`, with so many segments into the sandbox
    #[arg(long, value_name = "N", hide = true, default_value_t = 0)]
    sandbox_segments: usize,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false).init();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("No threads to run on")?;
    runtime.block_on(serve(arguments))?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(arguments: Arguments) -> Result<()> {
    for origin in &arguments.origins {
        check_origin(origin)?;
    }
    // The port first: it is the cheapest thing to be wrong, and nothing has been asked of a cluster yet.
    let listener =
        gateway::bind(arguments.port).await.map_err(|error| anyhow!(port_trouble(arguments.port, &error)))?;
    let address = listener.local_addr().context("The address of the server is not known")?;
    let config = Config {
        read_only: arguments.read_only,
        origins: arguments.origins.clone(),
        hosts: arguments.hosts.clone(),
        console: arguments.console.clone(),
        ..Config::default()
    };
    let (upstream, what) = upstream(&arguments, &config).await?;
    let gateway = Arc::new(Gateway::new(config, upstream, address.port()));
    let stop = told_to_stop();
    say(address, &what)?;
    if arguments.open {
        open(address);
    }
    gateway::serve(gateway, listener, stop).await.context("The server stopped")
}

/// The cluster, or the sandbox, and what to call it.
async fn upstream(arguments: &Arguments, config: &Config) -> Result<(Upstream, String)> {
    if arguments.cluster.is_empty() {
        let sandbox = gateway::sandbox(arguments.sandbox_segments);
        return Ok((sandbox, "the sandbox: a small Druid in memory, nothing real is touched".to_owned()));
    }
    let addresses = crate::forecast::addresses(&arguments.cluster)?;
    let cluster =
        ClusterConfig { addresses, credentials: credentials(arguments.credentials_file.as_deref())? };
    let (cluster, version) = Cluster::connect(cluster, config.limits.clone()).await?;
    let read_only = if config.read_only { ", read only" } else { "" };
    let what = format!("the cluster at {}, Druid {version}{read_only}", cluster.label());
    Ok((Upstream::cluster(cluster), what))
}

/// What the cluster wants to see, from a file or else from the environment.
pub(crate) fn credentials(file: Option<&std::path::Path>) -> Result<Option<http::HeaderValue>> {
    let line = match file {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("The credentials file {} cannot be read", path.display()))?;
            Some(text.lines().next().unwrap_or_default().to_owned())
        }
        None => std::env::var(CREDENTIALS).ok().filter(|line| !line.is_empty()),
    };
    line.map(|line| gateway::credentials(&line).map_err(|why| anyhow!(why))).transpose()
}

/// An origin is compared letter for letter, so one that no browser writes would never match and seem broken.
fn check_origin(origin: &str) -> Result<()> {
    let rest = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    let plain = rest.is_some_and(|rest| {
        !rest.is_empty()
            && rest.bytes().all(|c| {
                c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, b'.' | b'-' | b':' | b'[' | b']')
            })
    });
    if !plain {
        bail!(
            "--allow-origin {origin:?} is no origin as a browser writes it, such as https://console.example"
        );
    }
    Ok(())
}

fn port_trouble(port: u16, error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            format!("Port {port} is taken. Choose another with --port, or 0 for any that is free.")
        }
        std::io::ErrorKind::PermissionDenied => {
            format!("Port {port} may not be used by this user. Choose one above 1023 with --port.")
        }
        _ => format!("Port {port} cannot be listened on: {error}."),
    }
}

/// One line on stdout, at once also where stdout is a pipe: the address is read by programs.
fn say(address: SocketAddr, what: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "Foreshadow: http://{address}/ ({what})")
        .and_then(|()| out.flush())
        .context("stdout is closed")
}

/// Opens the address with whatever the system opens addresses with. That there is nothing such is no reason to stop.
fn open(address: SocketAddr) {
    let url = format!("http://{address}/");
    let mut command = if cfg!(target_os = "macos") {
        std::process::Command::new("open")
    } else if cfg!(windows) {
        let mut command = std::process::Command::new("cmd");
        command.args(["/c", "start", ""]);
        command
    } else {
        std::process::Command::new("xdg-open")
    };
    let quiet = std::process::Stdio::null;
    match command.arg(&url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn() {
        Ok(_) => {}
        Err(error) => eprintln!("No browser could be opened ({error}); open {url} yourself."),
    }
}

/// Ctrl-C, or the signal by which a service manager ends a service. They are listened for from the call on, not from
/// the first look at what it gives: whoever has read the address may send one.
#[cfg(unix)]
fn told_to_stop() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let listened = [SignalKind::interrupt(), SignalKind::terminate()].map(|kind| signal(kind).ok());
    async move {
        let [mut interrupted, mut terminated] = listened;
        tokio::select! {
            Some(()) = async { interrupted.as_mut()?.recv().await } => {}
            Some(()) = async { terminated.as_mut()?.recv().await } => {}
            else => std::future::pending().await,
        }
    }
}

/// Ctrl-C.
#[cfg(not(unix))]
async fn told_to_stop() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use super::check_origin;

    #[test]
    fn an_origin_that_no_browser_writes_is_refused_at_the_start() {
        for good in [
            "https://console.example",
            "http://localhost:8080",
            "http://[::1]:80",
            "https://xn--bcher-kva.example",
        ] {
            assert!(check_origin(good).is_ok(), "{good}");
        }
        for bad in [
            "*",
            "null",
            "console.example",
            "https://",
            "https://console.example/",
            "https://Console.example",
            "https://a b",
            "ftp://x",
        ] {
            assert!(check_origin(bad).is_err(), "{bad}");
        }
    }
}
