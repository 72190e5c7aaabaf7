// Starts the console: loads the wasm that the build named on our script element, takes away the loading message, or says
// in words a person can act on why it did not start. A file of its own (not an inline script), so that the content
// security policy needs neither nonce nor hash. It keeps its name between releases: serve it `no-cache`.

const { js, wasm } = document.querySelector("script[data-wasm]").dataset;
const boot = document.getElementById("boot");

/** The reason first, then what to do; text only, never markup. */
function say(happened, remedy, detail) {
  const lines = [["strong", happened], ["span", remedy]];
  if (detail) lines.push(["code", detail]);
  boot.replaceChildren(
    ...lines.map(([tag, text]) => {
      const line = document.createElement("p");
      line.appendChild(document.createElement(tag)).textContent = text;
      return line;
    }),
  );
  boot.setAttribute("role", "alert");
  boot.classList.add("failed");
}

async function start() {
  if (typeof WebAssembly !== "object") {
    say("This browser cannot run WebAssembly.", "It may be switched off by a policy. Any current browser with WebAssembly will do.");
    return;
  }
  let init;
  try {
    ({ default: init } = await import(new URL(js, document.baseURI)));
  } catch (error) {
    say("A part of the console could not be loaded.", "The server may have been updated or stopped. Reload the page; if it stays, start the server again.", String(error));
    return;
  }
  try {
    await init({ module_or_path: new URL(wasm, document.baseURI) });
    boot.remove();
  } catch (error) {
    const forbidden = error instanceof WebAssembly.CompileError && /unsafe-eval/.test(error.message);
    say(
      "The console did not start.",
      forbidden
        ? "The content security policy of the server forbids WebAssembly. It must have script-src 'self' 'wasm-unsafe-eval'."
        : "Reload the page. If it stays, please report the text below. Nothing you saved in this browser is lost.",
      String(error),
    );
  }
}

start();
