//! The native server: serves the console and forwards an allowlist of Druid calls.
