// Bytes over the wire, as the browser counts them: compressed, headers included.

/** Counts from now on; `console` is what the console itself is made of, `answers` what it asked the gateway. */
export async function countBytes(page) {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const counted = { console: 0, answers: 0, encodings: new Set() };
  const urls = new Map();
  network.on("Network.responseReceived", ({ requestId, response }) => {
    urls.set(requestId, response.url);
    if (response.url.endsWith(".wasm")) counted.encodings.add(response.headers["content-encoding"] ?? "not compressed");
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId);
    if (!url?.startsWith("http")) return;
    counted[/^\/(druid|foreshadow)\//.test(new URL(url).pathname) ? "answers" : "console"] += encodedDataLength;
  });
  return counted;
}
