// The dialog that takes a lock away from its holder: what will happen and to whom, the key typed, a reason, the token that was seen.

import { html, useState } from "./vendor/htm-preact.js";
import { duration, visible } from "./format.js";
import { call } from "./live.js";
import { Client, CopyButton, Dialog, Name } from "./parts.js";

export function ReleaseDialog({ name, seen, now, info, onClose }) {
  if (!info || !info.allowRelease)
    return html`<${Dialog} id="release-dialog" title="Force release is switched off" onClose=${onClose}>
      <p>This console only shows locks. ${info && info.releaseHelp ? visible(info.releaseHelp) : html`Start it with <code>keyhold console --allow-release</code> to allow it.`}</p>
      <div class="actions"><button type="button" data-first="" onClick=${onClose}>Close</button></div>
    <//>`;
  return html`<${ReleaseForm} name=${name} seen=${seen} now=${now} onClose=${onClose} />`;
}

function ReleaseForm({ name, seen, now, onClose }) {
  const [token, setToken] = useState(seen.holders[0].token);
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState(null);
  const holder = seen.holders.find((one) => one.token === token);
  const changed = !result && !now.some((one) => one.token === token);
  const ready = typed === name && reason.trim() !== "" && !busy;

  const submit = async (event) => {
    event.preventDefault();
    if (!ready) return;
    setBusy(true);
    try {
      const body = JSON.stringify({ key: name, token, typedKey: typed, reason: reason.trim() });
      setResult(await call("api/release", { method: "POST", headers: { "Content-Type": "application/json" }, body }));
    } catch (failure) {
      setResult({ released: false, failed: true, message: failure.status === 0 ? `${failure.message}; whether the lock was released is not known` : failure.message });
    }
    setBusy(false);
  };

  if (result)
    return html`<${Dialog} id="release-dialog" title=${result.released ? "Released" : result.failed ? "Not released" : "Left alone"} onClose=${onClose} key="result">
      <p class=${result.released ? "" : "warning-text"} role="alert" id="release-result">${visible(result.message)}</p>
      <div class="actions"><button type="button" data-first="" onClick=${onClose}>Close</button></div>
    <//>`;

  return html`<${Dialog} id="release-dialog" title="Force release" onClose=${onClose} key="form">
    <p class="target"><code><bdi>${visible(name)}</bdi></code> <${CopyButton} text=${name} label="Copy the key" /></p>
    <form onSubmit=${submit}>
      ${seen.holders.length > 1
        ? html`<fieldset><legend>Holder that loses it</legend>${seen.holders.map(
            (one) => html`<label class="choice"><input type="radio" name="holder" checked=${one.token === token} onChange=${() => setToken(one.token)} /> <${Client} of=${one} /> <span class="muted num">held for ${duration(one.heldMillis)}</span></label>`,
          )}</fieldset>`
        : null}
      <ul class="effects">
        <li><${Client} of=${holder} /> loses ${what(holder)} that it has held for <span class="num">${duration(holder.heldMillis)}</span>${
          holder.fencingToken !== null && holder.fencingToken !== undefined ? html` with fencing token <span class="num">${holder.fencingToken}</span>` : null
        }.</li>
        <li><b>It is not stopped.</b> It learns of the loss at its next renewal, or when it releases, and works on until then. Only a resource that checks fencing tokens refuses it.</li>
        <li>${seen.next ? html`Next in the queue: <${Client} of=${seen.next} /> is granted it at once, if it is still waiting.` : "No client waits, so the key becomes free."}</li>
        <li>Only this hold is released, token <span class="token"><${Name} text=${token} /></span>. If it changes before you confirm, nothing happens.</li>
      </ul>
      ${changed && html`<p class="note warning" role="alert" id="release-changed"><b>This hold has ended meanwhile.</b> Nothing will be released.</p>`}
      <label for="typed-key">Type the key to confirm</label>
      <input id="typed-key" class="key" value=${typed} onInput=${(event) => setTyped(event.target.value)} autocomplete="off" autocapitalize="off" spellcheck="false" required data-first="" />
      <label for="reason">Reason, for the audit line</label>
      <input id="reason" value=${reason} onInput=${(event) => setReason(event.target.value)} autocomplete="off" maxlength="200" required />
      <div class="actions">
        <button type="button" onClick=${onClose}>Cancel</button>
        <button type="submit" id="release-confirm" class="danger" disabled=${!ready}>${busy ? "Releasing …" : "Force release"}</button>
      </div>
    </form>
  <//>`;
}

function what(holder) {
  if (holder.mode === "permits") return holder.permits === 1 ? "the permit" : `the ${holder.permits} permits`;
  return holder.mode === "shared" ? "the shared lock" : "the lock";
}
