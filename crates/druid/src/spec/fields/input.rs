//! `ioConfig`: where rows come from, how they are written, and what becomes of what is there.

use super::{Field, Kind::*, Shape, fields};

/// `ioConfig` of a batch task.
pub(super) static IO: Shape = Shape::typed(
    "ioConfig",
    &["index_parallel", "index"],
    fields! {
        "type", "Kind", Choice(&["index_parallel", "index"]), "", "The same as the type of the task.";
        "inputSource", "Source", Object(&INPUT_SOURCE), "", "Where the rows come from.";
        "inputFormat", "Format", Object(&INPUT_FORMAT), "", "How rows are written. A druid source needs none.";
        "appendToExisting", "Append", Flag, "false", "Add rows to what is there. The same rows twice are counted twice."
            .rule("not with dropExisting, not with forceGuaranteedRollup (AbstractTask, AbstractBatchIndexTask)");
        "dropExisting", "Replace", Flag, "false", "Empty the chunks that get no rows: what is there is hidden by tombstones."
            .rule("needs intervals, not with appendToExisting (ParallelIndexSupervisorTask)");
        "firehose", "Firehose", Any, "", "Older form of inputSource." .until(31);
    },
);

/// `ioConfig.inputSource`
pub static INPUT_SOURCE: Shape = Shape::typed(
    "inputSource",
    &[
        "inline",
        "druid",
        "s3",
        "google",
        "azure",
        "azureStorage",
        "hdfs",
        "http",
        "local",
        "sql",
        "combining",
    ],
    fields! {
        "type", "Kind", Choice(&["inline", "druid", "s3", "google", "azure", "azureStorage", "hdfs", "http", "local", "sql", "combining"]), "",
            "Where the rows are. s3, google, azure and hdfs need an extension on the server.";
        "data", "Rows", Text, "", "The rows themselves, one a line." .when(&["inline"]);
        "dataSource", "Datasource", Text, "", "The datasource to read." .when(&["druid"]);
        "interval", "Interval", Interval, "", "The time to read of it." .when(&["druid"])
            .rule("exactly one of interval and segments (DruidInputSource)");
        "segments", "Segments", Any, "", "Single segments in place of an interval." .when(&["druid"]);
        "filter", "Filter", Any, "", "local: which files, with wildcards; druid: which rows." .when(&["local", "druid"]);
        "dimensions", "Dimensions", Texts, "", "Only these dimensions." .when(&["druid"]);
        "metrics", "Metrics", Texts, "", "Only these metrics." .when(&["druid"]);
        "baseDir", "Folder", Text, "", "Folder on the server's disks, read with everything below it." .when(&["local"]);
        "files", "Files", Texts, "", "Single files on the server's disks." .when(&["local"]);
        "paths", "Paths", Any, "", "Paths, one or a list." .when(&["hdfs"]);
        "uris", "Addresses", Texts, "", "Single objects or addresses." .when(&["s3", "google", "azure", "azureStorage", "http"])
            .rule("of uris, prefixes and objects exactly one (CloudObjectInputSource)");
        "prefixes", "Prefixes", Texts, "", "Everything below these." .when(&["s3", "google", "azure", "azureStorage"]);
        "objects", "Objects", List(&OBJECT), "", "Single objects by bucket and path." .when(&["s3", "google", "azure", "azureStorage"]);
        "objectGlob", "Only matching", Text, "", "A pattern that the whole path behind the bucket must match: **.json."
            .when(&["s3", "google", "azure", "azureStorage"]);
        "systemFields", "Names of files as columns", Texts, "", "__file_uri, __file_bucket, __file_path as further columns."
            .when(&["s3", "google", "azure", "azureStorage", "hdfs", "http", "local"]) .since(29);
        "properties", "Credentials", Object(&PROPERTIES), "", "Keys for this source in place of the server's own." .when(&["s3", "azureStorage"]);
        "endpointConfig", "Endpoint", Object(&ENDPOINT), "", "Another S3 than the server's." .when(&["s3"]);
        "clientConfig", "Client", Any, "", "How the S3 client connects." .when(&["s3"]);
        "proxyConfig", "Proxy", Object(&PROXY), "", "A proxy in front of S3." .when(&["s3"]);
        "httpAuthenticationUsername", "User", Text, "", "User for HTTP basic authentication." .when(&["http"]);
        "httpAuthenticationPassword", "Password", Secret, "", "Password for HTTP basic authentication." .when(&["http"]);
        "requestHeaders", "Headers", Any, "", "Further request headers; the server says which it allows." .when(&["http"]) .since(31);
        "database", "Database", Object(&DATABASE), "", "The database to ask." .when(&["sql"]);
        "foldCase", "Fold case", Flag, "false", "Read column names in lower case." .when(&["sql"]);
        "sqls", "Queries", Texts, "", "Queries; each is a split." .when(&["sql"]);
        "delegates", "Sources", List(&INPUT_SOURCE), "", "Sources that are read together; all must be splittable." .when(&["combining"]);
    },
);

static OBJECT: Shape = Shape::plain(
    "object",
    fields! {
        "bucket", "Bucket", Text, "", "Bucket or container.";
        "path", "Path", Text, "", "Path in it.";
    },
);

static PROPERTIES: Shape = Shape::plain(
    "properties",
    fields! {
        "accessKeyId", "Access key", Secret, "", "S3 access key.";
        "secretAccessKey", "Secret key", Secret, "", "S3 secret key.";
        "assumeRoleArn", "Role", Text, "", "AWS role to take on.";
        "assumeRoleExternalId", "External id", Text, "", "Id that the role asks for.";
        "sharedAccessStorageToken", "Shared access token", Secret, "", "Azure shared access token.";
        "key", "Account key", Secret, "", "Azure account key.";
        "appRegistrationClientId", "Client id", Text, "", "Azure app registration.";
        "appRegistrationClientSecret", "Client secret", Secret, "", "Secret of the Azure app registration.";
        "tenantId", "Tenant", Text, "", "Azure tenant.";
    },
);

static ENDPOINT: Shape = Shape::plain(
    "endpointConfig",
    fields! {
        "url", "Address", Text, "", "Address of the S3 service.";
        "signingRegion", "Region", Text, "", "Region to sign for.";
    },
);

static PROXY: Shape = Shape::plain(
    "proxyConfig",
    fields! {
        "host", "Host", Text, "", "Host of the proxy.";
        "port", "Port", Int, "", "Port of the proxy.";
        "username", "User", Text, "", "User for the proxy.";
        "password", "Password", Secret, "", "Password for the proxy.";
    },
);

static DATABASE: Shape = Shape::typed(
    "database",
    &["mysql", "postgresql"],
    fields! {
        "type", "Kind", Choice(&["mysql", "postgresql"]), "", "The database; needs its extension.";
        "connectorConfig", "Connection", Object(&CONNECTOR), "", "How to connect.";
        "driverClassName", "Driver", Text, "", "JDBC driver class.";
    },
);

static CONNECTOR: Shape = Shape::plain(
    "connectorConfig",
    fields! {
        "connectURI", "Address", Text, "", "JDBC address.";
        "user", "User", Text, "", "User of the database.";
        "password", "Password", Secret, "", "Password of the database.";
    },
)
.open();

/// `ioConfig.inputFormat`
pub static INPUT_FORMAT: Shape = Shape::typed(
    "inputFormat",
    &["json", "csv", "tsv", "regex", "parquet", "orc", "avro_ocf", "lines"],
    fields! {
        "type", "Kind", Choice(&["json", "csv", "tsv", "regex", "parquet", "orc", "avro_ocf", "lines"]), "",
            "parquet, orc and avro need an extension on the server.";
        "columns", "Columns", Texts, "", "Names of the columns, in the order of the input." .when(&["csv", "tsv", "regex"])
            .rule("needed unless findColumnsFromHeader (FlatTextInputFormat)");
        "findColumnsFromHeader", "Header row", Flag, "false", "The first row names the columns." .when(&["csv", "tsv"]);
        "hasHeaderRow", "Header row (older)", Flag, "", "Older name of findColumnsFromHeader." .when(&["csv", "tsv"]);
        "skipHeaderRows", "Skip rows", Int, "0", "Rows to pass over before anything is read." .when(&["csv", "tsv"]);
        "delimiter", "Delimiter", Text, "\t", "What stands between values." .when(&["tsv"]);
        "listDelimiter", "List delimiter", Text, "\u{1}", "What stands between several values of one column." .when(&["csv", "tsv", "regex"]);
        "tryParseNumbers", "Recognise numbers", Flag, "false", "Read what looks like a number as one." .when(&["csv", "tsv"]) .since(31);
        "pattern", "Pattern", Text, "", "Regular expression whose groups are the columns." .when(&["regex"]);
        "flattenSpec", "Flatten", Object(&FLATTEN), "", "Columns from inside nested values." .when(&["json", "parquet", "orc", "avro_ocf"]);
        "featureSpec", "Parser features", Any, "", "Leniencies of the JSON reader." .when(&["json"]);
        "keepNullColumns", "Keep empty columns", Flag, "", "Keep columns that are always null." .when(&["json"]);
        "assumeNewlineDelimited", "One object a line", Flag, "false", "For streams; batch always reads line by line." .when(&["json"]);
        "useJsonNodeReader", "Value by value", Flag, "false", "For streams: keep good values before a bad one." .when(&["json"]);
        "binaryAsString", "Bytes are text", Flag, "false", "Read unmarked bytes as text." .when(&["parquet", "orc", "avro_ocf"]);
        "schema", "Schema", Any, "", "Reader schema." .when(&["avro_ocf"]);
        "extractUnionsByType", "Unions by type", Flag, "false", "Split unions by their types." .when(&["avro_ocf"]);
    },
);

static FLATTEN: Shape = Shape::plain(
    "flattenSpec",
    fields! {
        "useFieldDiscovery", "Find columns", Flag, "true", "Take all plain values at the root as columns.";
        "fields", "Columns", List(&FLAT_FIELD), "[]", "Columns from inside nested values.";
    },
);

static FLAT_FIELD: Shape = Shape::typed(
    "field",
    &["root", "path", "jq", "tree"],
    fields! {
        "type", "How", Choice(&["root", "path", "jq", "tree"]), "root", "How the value is found.";
        "name", "Name", Text, "", "Name of the column.";
        "expr", "Expression", Text, "", "Where the value is.";
        "nodes", "Steps", Texts, "", "Where the value is, key by key." .when(&["tree"]);
    },
)
.or("root");
