//! The list of endpoints: what is on it comes through as itself, what is not does not come through.

use std::collections::BTreeSet;

use druid::endpoint::{
    ALL, Access, Body, Endpoint, LoadForm, LockFilter, Marks, Method, Name, Named, Request, SortOrder,
    TaskState,
};
use druid::interval::{Instant, Interval};
use proptest::option;
use proptest::prelude::*;

fn name() -> impl Strategy<Value = Name> {
    prop_oneof![
        "[a-z_]{1,12}",
        Just("ünï ?#%".to_owned()),
        Just("a%20b".to_owned()),
        Just("idx:2026-07-16T00:00:00.000Z".to_owned()),
        "\\PC{1,20}",
    ]
    .prop_filter_map("names that cannot travel", |text| Name::new(&text).ok())
}

fn interval() -> impl Strategy<Value = Interval> {
    prop_oneof![
        Just(Interval::ETERNITY),
        (-5_000_000_000_000i64..5_000_000_000_000, 0i64..1_000_000_000_000).prop_map(|(start, length)| {
            Interval::new(Instant::from_ms(start), Instant::from_ms(start + length)).unwrap()
        }),
    ]
}

fn endpoint() -> impl Strategy<Value = Endpoint> {
    let state = prop_oneof![
        Just(TaskState::Running),
        Just(TaskState::Pending),
        Just(TaskState::Waiting),
        Just(TaskState::Complete)
    ];
    let order = prop_oneof![Just(SortOrder::Ascending), Just(SortOrder::Descending)];
    let form = prop_oneof![Just(LoadForm::Percent), Just(LoadForm::Missing), Just(LoadForm::MissingByTier)];
    let plain = prop_oneof![
        Just(Endpoint::SubmitTask),
        Just(Endpoint::ActiveLocks),
        Just(Endpoint::LockedIntervals),
        Just(Endpoint::Datasources),
        Just(Endpoint::Sql),
        Just(Endpoint::CompactionConfigs),
        Just(Endpoint::OverlordCompactionCluster),
        Just(Endpoint::OverlordCompactionConfigs),
        Just(Endpoint::CompactionSupervisors),
        Just(Endpoint::Sample),
        Just(Endpoint::Status),
        Just(Endpoint::OverlordStatus),
        Just(Endpoint::OverlordLeader),
        Just(Endpoint::OverlordIsLeader),
        Just(Endpoint::CoordinatorLeader),
        Just(Endpoint::CoordinatorIsLeader),
        Just(Endpoint::ProxyEnabled),
        Just(Endpoint::Workers),
        any::<bool>().prop_map(|full| Endpoint::Supervisors { full }),
    ];
    let named = (name(), 0..12usize).prop_map(|(name, which)| match which {
        0 => Endpoint::TaskPayload(name),
        1 => Endpoint::TaskStatus(name),
        2 => Endpoint::TaskReports(name),
        3 => Endpoint::ShutdownTask(name),
        4 => Endpoint::UsedSegments(name),
        5 => Endpoint::CompactionConfig(name),
        6 => Endpoint::OverlordCompactionConfig(name),
        7 => Endpoint::MarkUsed(name),
        8 => Endpoint::MarkUnused(name),
        9 => Endpoint::OverlordMarkUsed(name),
        10 => Endpoint::RetentionRules(name),
        _ => Endpoint::OverlordMarkUnused(name),
    });
    prop_oneof![
        plain,
        named,
        (name(), any::<Option<i64>>()).prop_map(|(task, offset)| Endpoint::TaskLog { task, offset }),
        (option::of(state), option::of(name()), option::of(interval()), any::<Option<u32>>()).prop_map(
            |(state, datasource, created, max)| Endpoint::Tasks { state, datasource, created, max }
        ),
        (name(), option::of(interval()), any::<Option<u32>>(), option::of("[ -~]{1,40}"), option::of(order))
            .prop_map(|(datasource, interval, limit, after, order)| Endpoint::UnusedSegments {
                datasource,
                interval,
                limit,
                after,
                order
            }),
        (name(), option::of(interval()), any::<bool>(), form).prop_map(
            |(datasource, interval, refresh, form)| {
                Endpoint::LoadStatus { datasource, interval, refresh, form }
            }
        ),
    ]
}

/// Whether a path is this template with one escaped segment in place of `{}`.
fn is_written_from(template: &str, path: &str) -> bool {
    let plain = |segment: &str| {
        !segment.is_empty()
            && segment != "."
            && segment != ".."
            && segment
                .bytes()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'.' | b'_' | b'~' | b'%'))
    };
    let (wanted, given): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
    wanted.len() == given.len()
        && wanted
            .iter()
            .zip(&given)
            .all(|(wanted, given)| wanted == given || (*wanted == "{}" && plain(given)))
}

proptest! {
    #[test]
    fn every_request_written_is_read_back_as_itself(endpoint in endpoint()) {
        let request = endpoint.request();
        prop_assert_eq!(request.endpoint(), Some(endpoint.clone()));
        prop_assert!(is_written_from(endpoint.call().template, &request.path), "{}", request.path);
        prop_assert!(request.target().bytes().all(|c| c.is_ascii_graphic()), "{}", request.target());
    }

    #[test]
    fn whatever_path_is_taken_is_written_again_from_a_template(
        method in prop_oneof![Just(Method::Get), Just(Method::Post)],
        path in "(/druid/(indexer|coordinator)/v1)?/(task|datasources|metadata|tasks|status|config)?(/[a-z%./\\\\;:0-9A-F]{0,14}){0,3}(/(status|segments|markUsed|loadstatus))?",
        query in "(full|simple|offset=[-0-9]{0,3}|max=[0-9a-z]{0,3}|state=[a-z]{0,8}|x)?(&(full|interval=[-0-9_/%]{0,20}))?",
    ) {
        if let Some(endpoint) = Endpoint::parse(method, &path, &query) {
            let request = endpoint.request();
            prop_assert!(is_written_from(endpoint.call().template, &request.path), "{path} became {}", request.path);
            prop_assert_eq!(request.endpoint(), Some(endpoint));
        }
    }

    #[test]
    fn no_bytes_in_a_path_or_query_make_a_panic(path in "\\PC{0,60}", query in "\\PC{0,60}") {
        let _ = Endpoint::parse(Method::Get, &path, &query);
        let _ = Endpoint::parse(Method::Post, &format!("/druid/indexer/v1/task/{path}"), &query);
        let _ = Name::new(&path);
        let _ = Named::parse(path.as_bytes());
    }

    #[test]
    fn a_named_query_binds_whatever_the_name_is(name in name()) {
        let query = Named::SegmentsOf(name);
        prop_assert_eq!(Named::parse(query.body().as_bytes()), Some(query));
    }
}

#[test]
fn hostile_paths_are_not_on_the_list() {
    let hostile = [
        "",
        "/",
        "//",
        "*",
        "druid/indexer/v1/tasks",
        "//druid/indexer/v1/tasks",
        "/druid//indexer/v1/tasks",
        "/druid/indexer/v1/tasks/",
        "/druid/indexer/v1//tasks",
        "/druid/indexer/v1/task/x/status/",
        "/druid/indexer/v1/task//status",
        "/druid/indexer/v1/task/",
        "/druid/indexer/v1/task/../status",
        "/druid/indexer/v1/task/./status",
        "/druid/indexer/v1/task/..",
        "/druid/indexer/v1/task/%2e%2e/status",
        "/druid/indexer/v1/task/%2E%2E/status",
        "/druid/indexer/v1/task/.%2e/status",
        "/druid/indexer/v1/task/%2e/status",
        "/druid/indexer/v1/task/a%2fb/status",
        "/druid/indexer/v1/task/a%2Fb",
        "/druid/indexer/v1/task/..%2f..%2fleader",
        "/druid/indexer/v1/task/a%5cb/status",
        "/druid/indexer/v1/task/a%5Cb/status",
        "/druid/indexer/v1/task/a\\b/status",
        "/druid/indexer/v1/task/..\\..\\leader",
        "/druid/indexer/v1/task/a;b/status",
        "/druid/indexer/v1/task/..;/status",
        "/druid/indexer/v1/task/a%3bb/status",
        "/druid/indexer/v1/task/..%3b/status",
        "/druid/indexer/v1/task/x;jsessionid=1/status",
        "/druid/indexer/v1/tasks;x=y",
        "/druid/indexer/v1/task/a%00b/status",
        "/druid/indexer/v1/task/%00",
        "/druid/indexer/v1/task/a%0d%0ab/status",
        "/druid/indexer/v1/task/a%0ab/status",
        "/druid/indexer/v1/task/a%09b/status",
        "/druid/indexer/v1/task/a%7fb/status",
        "/druid/indexer/v1/task/%252e%252e/status",
        "/druid/indexer/v1/task/a%252fb/status",
        "/druid/indexer/v1/task/a%255cb/status",
        "/druid/indexer/v1/task/a%2500b/status",
        "/druid/indexer/v1/task/a%25252fb/status",
        "/druid/indexer/v1/task/a%c0%afb/status",
        "/druid/indexer/v1/task/a%e0%80%afb/status",
        "/druid/indexer/v1/task/a%c0%ae%c0%aeb/status",
        "/druid/indexer/v1/task/a%ffb/status",
        "/druid/indexer/v1/task/a%ed%a0%80b/status",
        "/druid/indexer/v1/task/a%/status",
        "/druid/indexer/v1/task/a%2/status",
        "/druid/indexer/v1/task/a%zz/status",
        "/druid/indexer/v1/task/a%u002fb/status",
        "/druid/indexer/v1/task/a b/status",
        "/druid/indexer/v1/task/a+b/status",
        "/druid/indexer/v1/task/a?b/status",
        "/druid/indexer/v1/task/a#b/status",
        "/druid/indexer/v1/task/ü/status",
        "/druid/indexer/v1/task/a\"b/status",
        "/druid/indexer/v1/task/a<b>/status",
        "/druid/indexer/v1/task/a|b/status",
        "/druid/indexer/v1/task/a{b}/status",
        "/druid/indexer/v1/task/a\u{0}b/status",
        "/druid/indexer/v1/task/a\r\nHost: evil/status",
        "/druid/%69ndexer/v1/tasks",
        "/druid/indexer/v1/%74asks",
        "/Druid/indexer/v1/tasks",
        "/druid/indexer/v1/TASKS",
        "/druid/indexer/v2/tasks",
        "/druid/indexer/v1/tasks/../../../status/properties",
        "/druid/indexer/v1/task/x/restart",
        "/druid/indexer/v1/worker",
        "/druid/indexer/v1/action",
        "/druid/coordinator/v1/rules",
        "/druid/coordinator/v1/rules/web",
        "/druid/coordinator/v1/rules/web/history",
        "/druid/coordinator/v1/config",
        "/druid/v2",
        "/druid/v2/sql/task",
        "/druid/v2/sql/",
        "/druid-ext/basic-security/authentication/db/x/users",
        "/proxy/coordinator/status",
        "/proxy/overlord/druid/indexer/v1/tasks",
        "/status/properties",
        "/status/health",
        "http://evil.example/druid/indexer/v1/tasks",
        "@evil.example/status",
        "/@evil.example/status",
    ];
    assert!(hostile.len() > 60);
    for path in hostile {
        for method in [Method::Get, Method::Post] {
            assert_eq!(Endpoint::parse(method, path, ""), None, "{} {path:?}", method.as_str());
        }
    }
}

#[test]
fn hostile_queries_are_not_on_the_list() {
    let tasks = "/druid/indexer/v1/tasks";
    for query in [
        "x=1",
        "state=running&state=complete",
        "state=Running",
        "state=running&x",
        "&",
        "state=running&",
        "=running",
        "state=running%00",
        "state=run%0d%0ning",
        "datasource=",
        "datasource=a/b",
        "datasource=a%2fb",
        "datasource=a+b",
        "datasource=%2e%2e",
        "max=-1",
        "max=99999999999",
        "max=1;drop",
        "createdTimeInterval=2026-01-01/2027-01-01",
        "createdTimeInterval=2026-01-01_2027-01-01_2028-01-01",
        "createdTimeInterval=x_y",
        "STATE=running",
        "%73tate=running",
        "state=running#x",
        "state=running?x",
    ] {
        assert_eq!(Endpoint::parse(Method::Get, tasks, query), None, "{query}");
    }
    let segments = "/druid/coordinator/v1/metadata/datasources/x/segments";
    for query in ["", "full=1", "full&full", "Full", "full&simple"] {
        assert_eq!(Endpoint::parse(Method::Post, segments, query), None, "{query}");
    }
    let load = "/druid/coordinator/v1/datasources/x/loadstatus";
    for query in
        ["", "forceMetadataRefresh", "forceMetadataRefresh=yes", "forceMetadataRefresh=true&full&simple"]
    {
        assert_eq!(Endpoint::parse(Method::Get, load, query), None, "{query}");
    }
}

#[test]
fn a_method_that_is_not_listed_for_a_path_is_not_taken() {
    for (method, path) in [
        (Method::Get, "/druid/indexer/v1/task"),
        (Method::Post, "/druid/indexer/v1/tasks"),
        (Method::Get, "/druid/indexer/v1/task/x/shutdown"),
        (Method::Post, "/druid/coordinator/v1/config/compaction"),
        (Method::Get, "/druid/v2/sql"),
        (Method::Post, "/status"),
    ] {
        assert_eq!(Endpoint::parse(method, path, ""), None, "{} {path}", method.as_str());
        assert_eq!(Endpoint::other_methods(path).len(), 1, "{path}");
    }
    assert!(Endpoint::other_methods("/druid/indexer/v1/nothing").is_empty());
    for method in ["get", "Post", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", ""] {
        assert_eq!(Method::parse(method), None);
    }
}

#[test]
fn requests_stand_as_druid_takes_them() {
    let day = Interval::parse("2026-07-16/2026-07-17").unwrap();
    let name = |text: &str| Name::new(text).unwrap();
    for (endpoint, expected) in [
        (Endpoint::SubmitTask, "POST /druid/indexer/v1/task"),
        (
            Endpoint::TaskStatus(name("ünï ?#%")),
            "GET /druid/indexer/v1/task/%C3%BCn%C3%AF%20%3F%23%25/status",
        ),
        (Endpoint::TaskPayload(name("a%20b")), "GET /druid/indexer/v1/task/a%2520b"),
        (
            Endpoint::TaskLog { task: name("x"), offset: Some(-400) },
            "GET /druid/indexer/v1/task/x/log?offset=-400",
        ),
        (
            Endpoint::Tasks {
                state: Some(TaskState::Running),
                datasource: Some(name("a b")),
                created: None,
                max: Some(3),
            },
            "GET /druid/indexer/v1/tasks?state=running&datasource=a%20b&max=3",
        ),
        (
            Endpoint::Tasks { state: None, datasource: None, created: Some(day), max: None },
            "GET /druid/indexer/v1/tasks?createdTimeInterval=2026-07-16T00%3A00%3A00.000Z_2026-07-17T00%3A00%3A00.000Z",
        ),
        (
            Endpoint::UsedSegments(name("x")),
            "POST /druid/coordinator/v1/metadata/datasources/x/segments?full",
        ),
        (
            Endpoint::LoadStatus {
                datasource: name("x"),
                interval: Some(day),
                refresh: true,
                form: LoadForm::Missing,
            },
            "GET /druid/coordinator/v1/datasources/x/loadstatus?forceMetadataRefresh=true&simple&interval=2026-07-16T00%3A00%3A00.000Z_2026-07-17T00%3A00%3A00.000Z",
        ),
        (Endpoint::RetentionRules(name("a b")), "GET /druid/coordinator/v1/rules/a%20b?full"),
        (Endpoint::OverlordMarkUnused(name("x")), "POST /druid/indexer/v1/datasources/x/markUnused"),
        (Endpoint::Supervisors { full: true }, "GET /druid/indexer/v1/supervisor?full"),
    ] {
        let request = endpoint.request();
        assert_eq!(format!("{} {}", request.method.as_str(), request.target()), expected);
    }
}

#[test]
fn bodies_stand_as_druid_takes_them() {
    let day = Interval::parse("2026-07-16/2026-07-17").unwrap();
    let name = |text: &str| Name::new(text).unwrap();
    let all = Request::used_segments(name("x"), &[]);
    assert_eq!(
        all.body.as_deref(),
        Some(r#"["-146136543-09-08T08:23:32.096Z/146140482-04-24T15:36:27.903Z"]"#),
        "an empty list of intervals is answered 500"
    );
    let filter = |intervals| LockFilter { datasource: name("x"), priority: 0, intervals };
    assert_eq!(
        Request::active_locks(&[filter(vec![])]).body.as_deref(),
        Some(r#"[{"datasource":"x","priority":0}]"#)
    );
    assert_eq!(
        Request::locked_intervals(&[filter(vec![day])]).body.as_deref(),
        Some(
            r#"[{"datasource":"x","priority":0,"intervals":["2026-07-16T00:00:00.000Z/2026-07-17T00:00:00.000Z"]}]"#
        )
    );
    let mark = |marks| Request::mark(&Endpoint::MarkUnused(name("x")), &marks).body.unwrap();
    assert_eq!(
        mark(Marks::Inside { interval: day, versions: None }),
        r#"{"interval":"2026-07-16T00:00:00.000Z/2026-07-17T00:00:00.000Z"}"#
    );
    assert_eq!(mark(Marks::Ids(vec!["a".into()])), r#"{"segmentIds":["a"]}"#);
    let task = "{ \"type\" : \"index_parallel\",\n  \"x\": 1E3 }";
    assert_eq!(Request::submit(task).body.as_deref(), Some(task), "the document travels byte for byte");
}

#[test]
fn the_list_holds_together() {
    let (mut names, mut lines) = (BTreeSet::new(), BTreeSet::new());
    for call in ALL {
        assert!(names.insert(call.name), "the name {} is there twice", call.name);
        assert!(lines.insert((call.method.as_str(), call.template)), "{} is there twice", call.template);
        assert!(call.template.matches("{}").count() <= 1 && call.template.starts_with('/'));
        assert_eq!(call.body == Body::Nothing, call.body_cap == 0, "{}", call.name);
        assert!(call.answer_cap > 0);
        if call.method == Method::Get {
            assert_eq!((call.access, call.body), (Access::Reads, Body::Nothing), "{}", call.name);
        }
        assert!(call.until.is_none_or(|until| until > call.since), "{}", call.name);
    }
    let writes: Vec<_> =
        ALL.iter().filter(|call| call.access == Access::Writes).map(|call| call.template).collect();
    assert_eq!(
        writes,
        [
            "/druid/indexer/v1/task",
            "/druid/indexer/v1/task/{}/shutdown",
            "/druid/coordinator/v1/datasources/{}/markUsed",
            "/druid/coordinator/v1/datasources/{}/markUnused",
            "/druid/indexer/v1/datasources/{}/markUsed",
            "/druid/indexer/v1/datasources/{}/markUnused",
            "/druid/indexer/v1/sampler",
        ],
        "what a reviewer's gateway refuses"
    );
}
