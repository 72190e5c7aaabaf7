//! How a million intervals become pixels. Pure; knows neither Druid nor a browser.
