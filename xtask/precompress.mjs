// Writes a `.br` and a `.gz` beside each file of the built console that gains by it, and says what a first visit
// costs. Here and not in the gateway's build script, because brotli at its best level wants optimised code.
//
//   node xtask/precompress.mjs dist

import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folder = process.argv[2];
const TEXT = /\.(html|js|css|svg|json|txt|map)$/;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

for (const name of readdirSync(folder)) if (/\.(br|gz)$/.test(name)) rmSync(join(folder, name));

const rows = [];
for (const name of readdirSync(folder, { recursive: true }).sort()) {
  const isText = TEXT.test(name);
  if (!isText && !name.endsWith(".wasm")) continue;
  const raw = readFileSync(join(folder, name));
  const br = brotliCompressSync(raw, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_MODE]: isText ? constants.BROTLI_MODE_TEXT : constants.BROTLI_MODE_GENERIC,
      [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
    },
  });
  const gz = gzipSync(raw, { level: 9 });
  if (br.length < raw.length) writeFileSync(join(folder, `${name}.br`), br);
  if (gz.length < raw.length) writeFileSync(join(folder, `${name}.gz`), gz);
  rows.push({ name, raw: raw.length, gz: Math.min(gz.length, raw.length), br: Math.min(br.length, raw.length) });
}

const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
rows.push({ name: "all", raw: sum("raw"), gz: sum("gz"), br: sum("br") });
for (const { name, raw, gz, br } of rows) {
  console.error(`   ${name.padEnd(46)} ${kilobytes(raw).padStart(11)}  gzip ${kilobytes(gz).padStart(9)}  brotli ${kilobytes(br).padStart(9)}`);
}
