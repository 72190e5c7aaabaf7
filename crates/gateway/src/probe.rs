//! The first look at a cluster: is it there, is it a Druid, who answers for what.

use std::fmt;

use druid::answer;
use druid::endpoint::{Endpoint, Service};
use http::Response;
use http_body_util::BodyExt;

use crate::body::Body;
use crate::cluster::Cluster;
use crate::config::{Address, ClusterConfig, Limits};
use crate::error::Refusal;

/// What a server of the cluster is. One process can be several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Role {
    router: bool,
    overlord: bool,
    coordinator: bool,
    known: bool,
}

impl Role {
    /// A Router with its management proxy on passes every call on.
    pub(crate) fn is_router(self) -> bool {
        self.router
    }

    /// Whether calls for this service go to it. Before the first look every server may be anything.
    pub(crate) fn serves(self, service: Service) -> bool {
        if !self.known || self.router {
            return true;
        }
        match service {
            Service::Overlord => self.overlord,
            Service::Coordinator => self.coordinator,
            // Whoever is neither was given for a reason.
            Service::Broker => !self.overlord && !self.coordinator,
            Service::Any => true,
        }
    }
}

/// Why a gateway does not start.
#[derive(Debug)]
pub enum StartError {
    /// Nothing answers there.
    Unreachable {
        /// The address.
        address: Address,
        /// Why not.
        why: String,
    },
    /// Something answers that is not a Druid.
    NotDruid {
        /// The address.
        address: Address,
        /// What it said.
        said: String,
    },
    /// A Druid that wants other credentials.
    Credentials {
        /// The address.
        address: Address,
        /// 401 or 403.
        status: u16,
        /// Whether there were credentials that it could refuse.
        given: bool,
    },
    /// A Router that does not pass Overlord calls on.
    NoManagementProxy {
        /// The address.
        address: Address,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Unreachable { address, why } => {
                write!(f, "The cluster at {address} cannot be reached: {why}.")
            }
            StartError::NotDruid { address, said } => {
                write!(f, "What answers at {address} is not a Druid: {said}")
            }
            StartError::Credentials { address, status: 401, given: true } => write!(
                f,
                "The Druid at {address} does not accept these credentials (401): look at what was given in \
                 --credentials-file or FORESHADOW_CLUSTER_CREDENTIALS."
            ),
            StartError::Credentials { address, status: 401, given: false } => write!(
                f,
                "The Druid at {address} wants a login (401). Give one with --credentials-file, or in \
                 FORESHADOW_CLUSTER_CREDENTIALS as user:password."
            ),
            StartError::Credentials { address, status, .. } => {
                write!(
                    f,
                    "The Druid at {address} knows these credentials and does not allow them ({status})."
                )
            }
            StartError::NoManagementProxy { address } => write!(
                f,
                "The Druid at {address} answers no Overlord calls. If it is a Router, set \
                 druid.router.managementProxy.enabled=true there; else add the Overlord's address."
            ),
        }
    }
}

impl std::error::Error for StartError {}

impl Cluster {
    /// Looks at every address and learns what it is. The first that is not there or not a Druid ends it.
    pub async fn connect(config: ClusterConfig, limits: Limits) -> Result<(Cluster, String), StartError> {
        let mut cluster = Cluster::new(config.clone(), limits.clone());
        let mut version = String::new();
        let mut anyone_is_overlord = None;
        for (at, address) in config.addresses.iter().enumerate() {
            // A cluster of this one address, so that each is asked by itself.
            let alone =
                ClusterConfig { addresses: vec![address.clone()], credentials: config.credentials.clone() };
            let alone = Cluster::new(alone, limits.clone());
            version = druid_version(&alone, address).await?;
            let role = role(&alone).await;
            if !role.router && !role.overlord {
                anyone_is_overlord
                    .get_or_insert(Err(StartError::NoManagementProxy { address: address.clone() }));
            } else {
                anyone_is_overlord = Some(Ok(()));
            }
            cluster.set_role(at, role);
        }
        anyone_is_overlord.unwrap_or(Ok(()))?;
        Ok((cluster, version))
    }
}

async fn druid_version(cluster: &Cluster, address: &Address) -> Result<String, StartError> {
    let address = address.clone();
    let response = match cluster.send(&Endpoint::Status, Endpoint::Status.request()).await {
        Ok(response) => response,
        Err(Refusal::Unreachable(why)) => {
            let why = why.strip_prefix(&format!("{address}: ")).unwrap_or(&why).to_owned();
            return Err(StartError::Unreachable { address, why });
        }
        Err(Refusal::TimedOut(_)) => {
            return Err(StartError::Unreachable {
                address,
                why: "it takes the connection and does not answer".to_owned(),
            });
        }
        Err(other) => return Err(StartError::NotDruid { address, said: other.to_string() }),
    };
    let answer =
        collect(response).await.map_err(|why| StartError::Unreachable { address: address.clone(), why })?;
    if matches!(answer.status, 401 | 403) {
        let given = cluster.has_credentials();
        return Err(StartError::Credentials { address, status: answer.status, given });
    }
    match answer::version(&answer) {
        Ok(version) => Ok(version.version),
        Err(error) => Err(StartError::NotDruid { address, said: error.to_string() }),
    }
}

/// A Router's `/proxy/overlord/status` has a version; `isLeader` is answered by whoever is that service, leading or not.
async fn role(cluster: &Cluster) -> Role {
    let asked = async |endpoint: Endpoint| match cluster.send(&endpoint, endpoint.request()).await {
        Ok(response) => collect(response).await.ok(),
        Err(_) => None,
    };
    let overlord =
        asked(Endpoint::OverlordIsLeader).await.is_some_and(|answer| answer::leads(&answer).is_ok());
    let coordinator =
        asked(Endpoint::CoordinatorIsLeader).await.is_some_and(|answer| answer::leads(&answer).is_ok());
    let router = asked(Endpoint::ProxyEnabled).await.is_some_and(|answer| answer::proxy_enabled(&answer));
    Role { router, overlord, coordinator, known: true }
}

/// An answer read whole. What the probe asks for is short.
pub(crate) async fn collect(response: Response<Body>) -> Result<answer::Response, String> {
    let (head, body) = response.into_parts();
    let text = |name: http::HeaderName| {
        head.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
    };
    let body = body.collect().await.map_err(|error| error.to_string())?.to_bytes();
    Ok(answer::Response {
        status: head.status.as_u16(),
        content_type: text(http::header::CONTENT_TYPE).unwrap_or_default(),
        body: body.to_vec(),
        retry_after: text(http::header::RETRY_AFTER),
        ..answer::Response::default()
    })
}
