//! A gateway on a real port, a Druid that says whatever a test wants, and a client that sends raw bytes.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use druid::answer;
use druid::endpoint::Request;
use druid::interval::Instant;
use gateway::{Address, Cluster, ClusterConfig, Config, Gateway, Limits, Local, Upstream};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Nothing in these tests takes this long unless it hangs.
const LONG: Duration = Duration::from_secs(20);

/// A fake Druid's answer to one request.
#[derive(Clone)]
pub enum Reply {
    /// These bytes, and the connection stays open for more.
    Bytes(Vec<u8>),
    /// These bytes, and the connection is closed.
    Close(Vec<u8>),
    /// These bytes, and then nothing, for ever.
    Hang(Vec<u8>),
    /// These bytes, as often as the other side takes them.
    Endless(Vec<u8>, Vec<u8>),
}

impl Reply {
    /// An answer with a body and its true length.
    pub fn of(status: &str, content_type: &str, body: impl AsRef<[u8]>) -> Reply {
        let body = body.as_ref();
        let mut bytes = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        )
        .into_bytes();
        bytes.extend_from_slice(body);
        Reply::Bytes(bytes)
    }

    pub fn json(body: &str) -> Reply {
        Reply::of("200 OK", "application/json", body)
    }
}

/// A Druid in name only. It answers a gateway's first look well and the rest as told, and keeps what it was sent.
pub struct FakeDruid {
    pub address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
}

impl FakeDruid {
    pub async fn start(reply: impl Fn(&str) -> Reply + Send + Sync + 'static) -> FakeDruid {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (kept, reply) = (seen.clone(), Arc::new(reply));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, kept.clone(), reply.clone()));
            }
        });
        FakeDruid { address, seen }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request but those of the first look, whole, in order.
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

async fn converse(mut stream: TcpStream, seen: Arc<Mutex<Vec<String>>>, reply: Arc<impl Fn(&str) -> Reply>) {
    let mut buffer = Vec::new();
    while let Some(request) = one_request(&mut stream, &mut buffer).await {
        let first_look = probe(&request);
        let reply = match first_look {
            Some(reply) => reply,
            None => {
                seen.lock().unwrap().push(request.clone());
                reply(&request)
            }
        };
        match reply {
            Reply::Bytes(bytes) => drop(stream.write_all(&bytes).await),
            Reply::Close(bytes) => {
                let _ = stream.write_all(&bytes).await;
                return;
            }
            Reply::Hang(bytes) => {
                let _ = stream.write_all(&bytes).await;
                // Until the other side gives up.
                let _ = stream.read(&mut [0; 64]).await;
                return;
            }
            Reply::Endless(head, more) => {
                let _ = stream.write_all(&head).await;
                while stream.write_all(&more).await.is_ok() {}
                return;
            }
        }
    }
}

fn probe(request: &str) -> Option<Reply> {
    let target = request.split(' ').nth(1)?;
    match target {
        "/status" => Some(Reply::json(r#"{"version":"33.0.0","modules":[]}"#)),
        "/druid/indexer/v1/isLeader" | "/druid/coordinator/v1/isLeader" => {
            Some(Reply::json(r#"{"leader":true}"#))
        }
        "/proxy/enabled" => Some(Reply::of("404 Not Found", "text/plain", "")),
        _ => None,
    }
}

/// A head and the body that its Content-Length tells.
async fn one_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<String> {
    loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(buffer.get(..end)?).to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
            let whole = end + 4 + length.unwrap_or(0);
            if buffer.len() >= whole {
                let request: Vec<u8> = buffer.drain(..whole).collect();
                return Some(String::from_utf8_lossy(&request).into_owned());
            }
        }
        let mut piece = [0; 16 << 10];
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return None,
            Ok(length) => buffer.extend_from_slice(piece.get(..length)?),
        }
    }
}

/// A gateway that serves until it is dropped.
pub struct Served {
    pub port: u16,
    stop: Option<oneshot::Sender<()>>,
}

impl Served {
    pub async fn start(config: Config, upstream: Upstream) -> Served {
        let listener = gateway::bind(0).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (stop, stopped) = oneshot::channel();
        let gateway = Arc::new(Gateway::new(config, upstream, port));
        tokio::spawn(gateway::serve(gateway, listener, async move {
            let _ = stopped.await;
        }));
        Served { port, stop: Some(stop) }
    }

    /// In front of these addresses.
    pub async fn before(config: Config, urls: &[String]) -> Served {
        Served::with_credentials(config, urls, None).await
    }

    pub async fn with_credentials(config: Config, urls: &[String], credentials: Option<&str>) -> Served {
        let cluster = ClusterConfig {
            addresses: urls.iter().map(|url| Address::parse(url).unwrap()).collect(),
            credentials: credentials.map(|line| gateway::credentials(line).unwrap()),
        };
        let (cluster, _) = Cluster::connect(cluster, config.limits.clone()).await.unwrap();
        Served::start(config, Upstream::cluster(cluster)).await
    }

    /// Sends bytes as they are and reads until the gateway closes. The sending side stays open: hyper takes a client that
    /// closes it for one that has gone.
    pub async fn raw(&self, bytes: impl AsRef<[u8]>) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        // The gateway may answer and close before it has taken everything.
        let _ = stream.write_all(bytes.as_ref()).await;
        let mut answer = Vec::new();
        let _ = timeout(LONG, stream.read_to_end(&mut answer)).await.expect("the gateway answers or closes");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// One request with `Host` and `Connection: close`, and these headers more.
    pub async fn send(&self, line: &str, headers: &str, body: &str) -> Answer {
        let length = if body.is_empty() && line.starts_with("GET") {
            String::new()
        } else {
            format!("Content-Length: {}\r\n", body.len())
        };
        let port = self.port;
        let raw = format!(
            "{line} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{length}{headers}\r\n{body}"
        );
        Answer::parse(&self.raw(raw).await)
    }

    pub async fn get(&self, target: &str) -> Answer {
        self.send(&format!("GET {target}"), "", "").await
    }

    /// A POST as the console sends it.
    pub async fn post(&self, target: &str, body: &str) -> Answer {
        self.send(&format!("POST {target}"), OWN, body).await
    }
}

/// The headers of the console's own POST.
pub const OWN: &str = "x-foreshadow: 1\r\nContent-Type: application/json\r\n";

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }
}

/// An answer taken apart.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: String,
    /// Whether the body ended as its head said it would.
    pub is_whole: bool,
}

impl Answer {
    pub fn parse(raw: &str) -> Answer {
        let (head, body) = raw.split_once("\r\n\r\n").unwrap_or((raw, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let mut answer = Answer { status, head: head.to_owned(), body: body.to_owned(), is_whole: true };
        if answer.header("transfer-encoding").is_some() {
            (answer.body, answer.is_whole) = unchunk(body);
        } else if let Some(length) =
            answer.header("content-length").and_then(|text| text.parse::<usize>().ok())
        {
            answer.is_whole = body.len() == length;
        }
        answer
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    /// The names of all headers, in lower case, sorted.
    pub fn header_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .head
            .lines()
            .skip(1)
            .filter_map(|line| Some(line.split_once(':')?.0.to_ascii_lowercase()))
            .collect();
        names.sort();
        names
    }

    /// The gateway's own code, where the answer is its own.
    pub fn code(&self) -> Option<&str> {
        let code = self.header("x-foreshadow-error")?;
        let body: serde_json::Value = serde_json::from_str(&self.body).expect("its own errors are JSON");
        assert_eq!(body["gateway"]["code"], code);
        assert!(body["gateway"]["message"].as_str().is_some_and(|message| message.ends_with('.')), "{body}");
        Some(code)
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

fn unchunk(mut rest: &str) -> (String, bool) {
    let mut body = String::new();
    while let Some((size, more)) = rest.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else { return (body, false) };
        if size == 0 {
            return (body, true);
        }
        let Some(piece) = more.get(..size) else { return (body, false) };
        body.push_str(piece);
        rest = more.get(size + 2..).unwrap_or_default();
    }
    (body, false)
}

/// Limits small enough for a test to reach.
pub fn hasty() -> Limits {
    Limits {
        head_time: Duration::from_millis(200),
        body_time: Duration::from_millis(200),
        write_time: Duration::from_millis(200),
        connect_time: Duration::from_millis(500),
        answer_time: Duration::from_millis(200),
        segments_time: Duration::from_millis(200),
        idle_time: Duration::from_millis(200),
        ..Limits::default()
    }
}

/// A built-in cluster that says what it was asked.
pub struct Echo;

impl Local for Echo {
    fn handle(&mut self, _now: Instant, request: &Request) -> answer::Response {
        answer::Response::json(
            200,
            &serde_json::json!({
                "line": format!("{} {}", request.method.as_str(), request.target()),
                "body": request.body,
            }),
        )
    }
}

/// A gateway in front of [`Echo`].
pub async fn echo(config: Config) -> Served {
    Served::start(config, Upstream::local(Echo)).await
}
