//! Asking the cluster from this very process: for the command line, which has no browser in front of it.
//!
//! What always holds: the same list of calls, the same client and the same limits as for a browser.
//! What it does not do: ask twice, or send anything that changes the cluster.

use druid::answer;
use druid::endpoint::{Access, Name, Request};
use druid::interval::Interval;
use druid::segment::SegmentSet;
use druid::segment::stream::Reader;
use http_body_util::BodyExt;

use crate::error::Refusal;
use crate::probe::collect;
use crate::upstream::Upstream;

impl Upstream {
    /// The answer to a call that only reads, whole. The text says why there is none.
    pub async fn ask(&self, request: Request) -> Result<answer::Response, String> {
        let endpoint = request.endpoint().ok_or_else(|| Refusal::NotListed.to_string())?;
        if endpoint.call().access != Access::Reads {
            return Err(Refusal::ReadOnly.to_string());
        }
        collect(self.send(&endpoint, request).await.map_err(|refusal| refusal.to_string())?).await
    }

    /// The used segments of a datasource over all time, read as they come. None at all is an empty set.
    pub async fn used_segments(&self, datasource: &Name) -> Result<SegmentSet, String> {
        let request = Request::used_segments(datasource.clone(), &[Interval::ETERNITY]);
        let endpoint = request.endpoint().ok_or_else(|| Refusal::NotListed.to_string())?;
        let response = self.send(&endpoint, request).await.map_err(|refusal| refusal.to_string())?;
        if !response.status().is_success() {
            let said = collect(response).await?;
            return Err(format!("The server answered {}: {}", said.status, said.lossy()));
        }
        let mut reader = Reader::new(Some(datasource.as_str()));
        let mut body = response.into_body();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| error.to_string())?;
            if let Some(bytes) = frame.data_ref() {
                reader.push(bytes).map_err(|error| error.to_string())?;
            }
        }
        reader.finish().map_err(|error| error.to_string())
    }
}
