// One key: its holders, its queue, what each node of a quorum sees, and how it was handed over.

import { html, useState } from "../vendor/htm-preact.js";
import { clock, count, duration, plural, visible } from "../format.js";
import { useData } from "../live.js";
import { Client, CopyButton, Kind, LeaseBar, Loading, Message, Name, Outdated } from "../parts.js";
import { ReleaseDialog } from "../release.js";
import { address } from "../route.js";

export function KeyView({ query, info, live, stopped }) {
  const key = query.key || "";
  const { data, error, received, reload } = useData(key ? `api/lock?${new URLSearchParams({ key })}` : null, { identity: key });
  const [releasing, setReleasing] = useState(null);
  if (!key) return html`<${Message} title="No key"><p>This address names no key. <a href=${address("locks")}>All locks</a></p><//>`;
  const queue = data ? data.queue : [];
  const release = () => setReleasing({ at: data.at, holders: data.holders, next: queue[0], kind: data.lock.kind });
  return html`<section aria-labelledby="title">
    <p class="crumbs"><a href=${address("locks")}>Locks</a>${prefixes(key).map(
      (prefix) => html` <span aria-hidden="true">›</span> <a href=${address("locks", { prefix })}><bdi>${visible(prefix.replace(/^.*:(?=.)/s, ""))}</bdi></a>`,
    )}</p>
    <div class="toolbar">
      <h1 id="title" tabindex="-1" class="key"><bdi>${visible(key)}</bdi></h1>
      <${CopyButton} text=${key} label="Copy the key" />
      <span class="grow"></span>
      ${data && data.holders.length > 0 && html`<button type="button" id="release" class="danger" onClick=${release}>Force release …</button>`}
    </div>
    <${Outdated} data=${data} error=${error} live=${live} />
    ${!data
      ? html`<${Loading} error=${error} />`
      : html`<p class="summary" role="status" id="state">${summary(data)}</p>
          <${Holders} data=${data} received=${received} stopped=${stopped} />
          <${Queue} queue=${queue} total=${data.lock ? data.lock.waiterCount : 0} />
          ${data.nodes && data.nodes.length > 0 && html`<${Nodes} nodes=${data.nodes} />`}
          <${Timeline} data=${data} info=${info} />`}
    ${releasing &&
    html`<${ReleaseDialog} name=${key} seen=${releasing} now=${data ? data.holders : []} info=${info} onClose=${() => {
      setReleasing(null);
      reload();
    }} />`}
  </section>`;
}

function prefixes(key) {
  const parts = key.split(":");
  return parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join(":") + ":");
}

function summary({ lock, holders, queue }) {
  if (!lock || (holders.length === 0 && queue.length === 0)) return html`<b>Free.</b> No client holds this key or waits for it.`;
  return html`<${Kind} lock=${lock} /> · ${
    holders.length > 0 ? html`held by <b class="num">${plural(lock.holderCount, "holder")}</b>` : "not held"
  } · <b class="num">${plural(lock.waiterCount, "waiter")}</b>`;
}

function Holders({ data, received, stopped }) {
  if (data.holders.length === 0) return null;
  const some = data.lock && data.lock.kind === "semaphore";
  return html`<h2>${data.holders.length === 1 ? "Holder" : "Holders"}</h2>
    <table class="plain" id="holders" role="table">
      <thead role="rowgroup"><tr role="row">
        <th role="columnheader" scope="col">Client</th><th role="columnheader" scope="col">Mode</th><th role="columnheader" scope="col" class="number">Held for</th>
        <th role="columnheader" scope="col">Lease left</th><th role="columnheader" scope="col" class="number">Fencing token</th><th role="columnheader" scope="col">Token</th>
      </tr></thead>
      <tbody role="rowgroup">${data.holders.map(
        (holder) => html`<tr role="row" key=${holder.token}>
          <td role="cell"><${Client} of=${holder} /></td>
          <td role="cell" data-label="mode">${holder.resting ? "resting" : holder.foreign ? "foreign" : some ? plural(holder.permits ?? 1, "permit") : holder.mode || "–"}</td>
          <td role="cell" class="number" data-label="held for" title=${holder.since ? `since ${clock(holder.since)}` : undefined}>${duration(holder.heldMillis)}</td>
          <td role="cell"><${LeaseBar} holder=${holder} received=${received} stopped=${stopped} /></td>
          <td role="cell" class="number" data-label="fencing token">${holder.fencingToken ?? "–"}</td>
          <td role="cell" class="token" data-label="token"><${Name} text=${holder.token} /></td>
        </tr>`,
      )}</tbody>
    </table>
    ${data.lock.holderCount > data.holders.length && html`<p class="muted">and ${plural(data.lock.holderCount - data.holders.length, "more holder")}.</p>`}`;
}

// The reply has the first of a long queue.
function Queue({ queue, total }) {
  return html`<h2>Queue ${total > 0 && html`<span class="muted num">${count(total)}</span>`}</h2>
    ${queue.length === 0
      ? html`<p class="muted" id="queue-empty">No client waits.</p>`
      : html`<table class="plain" id="queue" role="table">
          <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="number">Position</th><th role="columnheader" scope="col">Client</th><th role="columnheader" scope="col" class="number">Waits for</th><th role="columnheader" scope="col">Token</th></tr></thead>
          <tbody role="rowgroup">${queue.map(
            (waiter) => html`<tr role="row" key=${waiter.token}>
              <td role="cell" class="number position">${waiter.position}</td>
              <td role="cell"><${Client} of=${waiter}>${waiter.permits > 1 && html`<span class="more">${plural(waiter.permits, "permit")}</span>`}<//></td>
              <td role="cell" class="number" data-label="waits for" title=${waiter.waitingSince ? `since ${clock(waiter.waitingSince)}` : undefined}>${duration(waiter.waitedMillis)}</td>
              <td role="cell" class="token" data-label="token"><${Name} text=${waiter.token} /></td>
            </tr>`,
          )}</tbody>
        </table>
        ${total > queue.length && html`<p class="muted">and ${plural(total - queue.length, "more waiter")} behind them.</p>`}`}`;
}

export const STATES = { ok: "ok", unreachable: "danger", quarantined: "warning" };

function Nodes({ nodes }) {
  const majority = Math.floor(nodes.length / 2) + 1;
  const tally = new Map();
  for (const node of nodes) if (node.token) tally.set(node.token, (tally.get(node.token) || 0) + 1);
  const most = Math.max(0, ...tally.values());
  return html`<h2>Nodes of the quorum</h2>
    <p class=${most >= majority || most === 0 ? "muted" : "warning-text"}>${
      most === 0
        ? `No node sees a holder. A majority is ${majority} of ${nodes.length}.`
        : `${most} of ${nodes.length} nodes see the same holder; a majority is ${majority}.`
    }</p>
    <table class="plain" id="nodes" role="table">
      <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Node</th><th role="columnheader" scope="col">State</th><th role="columnheader" scope="col">Sees as holder</th><th role="columnheader" scope="col" class="number">Lease left</th></tr></thead>
      <tbody role="rowgroup">${nodes.map(
        (node) => html`<tr role="row" key=${node.address}>
          <td role="cell"><code><${Name} text=${node.address} /></code></td>
          <td role="cell"><span class=${`state ${STATES[node.state] || "notice"}`}>${node.state}</span></td>
          <td role="cell">${node.error ? html`<span class="muted">${visible(node.error)}</span>` : node.token ? html`<span class="client"><${Name} text=${node.clientName} className="name" /> <span class="token"><${Name} text=${node.token} /></span></span>` : html`<span class="muted">no holder</span>`}</td>
          <td role="cell" class="number" data-label="lease left">${duration(node.remainingMillis)}</td>
        </tr>`,
      )}</tbody>
    </table>`;
}

const ENDS = {
  held: ["held now", "ok"],
  released: ["released", ""],
  handedOver: ["handed over", ""],
  handedOff: ["handed off", ""],
  expired: ["lease expired", "warning"],
  lost: ["lost", "danger"],
  forced: ["force-released", "danger"],
  unknown: ["ended, not seen how", ""],
};

function Timeline({ data, info }) {
  const entries = [...data.timeline].sort((a, b) => b.from - a.from);
  if (entries.length === 0)
    return html`<h2>Hand-overs</h2><p class="muted" id="timeline-empty">None seen since the console started to watch this key.</p>`;
  const start = Math.min(...entries.map((entry) => entry.from - (entry.waitedMillis || 0)));
  const span = Math.max(1, data.at - start);
  const place = (from, to) => ({ left: `${((from - start) / span) * 100}%`, width: `${Math.max(0.4, ((to - from) / span) * 100)}%` });
  const samples = entries.some((entry) => entry.source === "sample");
  return html`<h2>Hand-overs</h2>
    <p class="legend muted"><span class="swatch waited" aria-hidden="true"></span> waited <span class="swatch held" aria-hidden="true"></span> held
      <span class="grow"></span><span class="num">${clock(start)} – ${clock(data.at)}</span></p>
    <table class="plain" id="timeline" role="table">
      <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="number">From</th><th role="columnheader" scope="col">Client</th><th role="columnheader" scope="col" class="number">Waited</th><th role="columnheader" scope="col" class="number">Held</th><th role="columnheader" scope="col">End</th><th role="columnheader" scope="col" class="number">Fencing token</th><th role="columnheader" scope="col" class="gantt-head"><span class="visually-hidden">When</span></th></tr></thead>
      <tbody role="rowgroup">${entries.map((entry) => {
        const [label, tone] = ENDS[entry.end] || [entry.end, ""];
        const to = entry.to ?? data.at;
        return html`<tr role="row" key=${`${entry.token} ${entry.from}`}>
          <td role="cell" class="number">${clock(entry.from)}</td>
          <td role="cell"><${Client} of=${entry} /></td>
          <td role="cell" class="number" data-label="waited">${duration(entry.waitedMillis)}</td>
          <td role="cell" class="number" data-label="held">${duration(entry.heldMillis)}</td>
          <td role="cell"><span class=${`state ${tone}`}>${label}</span></td>
          <td role="cell" class="number" data-label="fencing token">${entry.fencingToken ?? "–"}</td>
          <td role="cell" class="gantt-cell"><div class="gantt" aria-hidden="true">
            ${entry.waitedMillis > 0 && html`<span class="waited" style=${place(entry.from - entry.waitedMillis, entry.from)}></span>`}
            <span class=${`held ${tone}`} style=${place(entry.from, to)}></span>
          </div></td>
        </tr>`;
      })}</tbody>
    </table>
    ${samples && html`<p class="muted">${sampleNote(info)}</p>`}`;
}

const sampleNote = (info) =>
  `Seen by looking ${info && info.sampleMillis ? `every ${duration(info.sampleMillis)}` : "from time to time"}: a hold that is shorter may be missing, and times are that exact.`;
