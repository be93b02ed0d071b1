// Locks now: a row per key, the most urgent first, in pages; a tree of prefixes beside it.

import { html, useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { count, duration, plural, visible } from "../format.js";
import { useData } from "../live.js";
import { Client, Kind, KeyLink, LeaseBar, Loading, Message, Outdated } from "../parts.js";
import { address, go, replace } from "../route.js";

export const PAGE = 100;
const SORTS = { urgency: "most urgent", key: "key", age: "held longest", waiters: "most waiters" };

export function LocksView({ query, live, stopped }) {
  const { filter = "", prefix = "" } = query;
  const sort = SORTS[query.sort] ? query.sort : "urgency";
  const page = Math.max(1, Math.floor(Number(query.page)) || 1);
  const parameters = new URLSearchParams({ filter, prefix, sort, offset: (page - 1) * PAGE, limit: PAGE });
  const { data, error, loading, received } = useData(`api/locks?${parameters}`);
  const to = (change) => address("locks", { filter, prefix, sort: sort === "urgency" ? "" : sort, page: "", ...change });

  // The last page may vanish while it is shown.
  const pages = data ? Math.max(1, Math.ceil(data.matched / PAGE)) : 1;
  useEffect(() => {
    if (data && !loading && page > pages) replace(to({ page: pages > 1 ? pages : "" }));
  }, [data, loading, page, pages]);

  return html`<section aria-labelledby="title" aria-busy=${loading}>
    <div class="toolbar">
      <h1 id="title" tabindex="-1">Locks now</h1>
      <${Filter} filter=${filter} to=${to} />
      <label class="sort">Sort
        <select value=${sort} onChange=${(event) => go(to({ sort: event.target.value === "urgency" ? "" : event.target.value }))}>
          ${Object.entries(SORTS).map(([value, label]) => html`<option value=${value} selected=${value === sort}>${label}</option>`)}
        </select>
      </label>
    </div>
    <${Outdated} data=${data} error=${error} live=${live} />
    ${!data
      ? html`<${Loading} error=${error} />`
      : html`<div class="split">
          <${Tree} data=${data} prefix=${prefix} to=${to} />
          <div class="main-column">
            <${Notes} data=${data} />
            <${Summary} data=${data} filter=${filter} prefix=${prefix} />
            ${data.rows.length === 0
              ? html`<${Nothing} data=${data} filter=${filter} prefix=${prefix} to=${to} />`
              : html`<${Table} data=${data} sort=${sort} to=${to} received=${received} stopped=${stopped} />`}
            <${Pager} page=${page} pages=${pages} data=${data} to=${to} />
          </div>
        </div>`}
  </section>`;
}

/** The first change makes an entry of history, the following ones change that entry: Back leaves the filter at once. */
function Filter({ filter, to }) {
  const [text, setText] = useState(filter);
  const sent = useRef(filter);
  const entered = useRef(false);
  const timer = useRef(null);
  useEffect(() => {
    if (filter !== sent.current) {
      sent.current = filter;
      setText(filter);
    }
  }, [filter]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = (value) => {
    clearTimeout(timer.current);
    if (value === sent.current) return;
    sent.current = value;
    (entered.current ? replace : go)(to({ filter: value }));
    entered.current = true;
  };
  const input = (event) => {
    const value = event.target.value;
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(value), 150);
  };
  return html`<form class="filter" role="search" onSubmit=${(event) => {
    event.preventDefault();
    apply(text);
  }}>
    <input id="filter" type="search" value=${text} onInput=${input} onFocus=${() => (entered.current = false)} spellcheck="false" autocomplete="off"
      aria-label="Filter by key, client or host" placeholder="Filter by key, client or host" />
  </form>`;
}

/** The age of what the rows say, when they were sent. */
const lagOf = (data) => Math.max(0, data.at - (data.sampledAt ?? data.at));

function Summary({ data, filter, prefix }) {
  const narrowed = filter || prefix;
  return html`<p class="summary" role="status">
    <b class="num">${count(data.matched)}</b> ${narrowed ? html`of ${count(data.total)} keys` : data.matched === 1 ? "key" : "keys"}
    ${data.waiters === undefined ? null : html` · <b class="num">${count(data.waiters)}</b> ${data.waiters === 1 ? "waiter" : "waiters"}`}
    ${data.waiters > 0 ? html` · oldest waits <b class="num">${duration(data.oldestWaitMillis)}</b>` : null}
    <span class="muted wide"> · read in ${duration(data.scanMillis)}${lagOf(data) > 2000 ? `, ${duration(lagOf(data))} ago` : ""}</span>
  </p>`;
}

const Notes = ({ data }) => [
  data.limitReached &&
    html`<div class="note" id="too-many"><b>Too many keys to read them all.</b> The ${count(data.total)} that were found first are shown and counted. <code>keyhold ls PATTERN</code> lists the others.</div>`,
  !data.complete &&
    !data.limitReached &&
    html`<div class="note" id="incomplete"><b>The keys are still being read.</b> ${plural(data.total, "key")} so far.</div>`,
];

function Nothing({ data, filter, prefix, to }) {
  if (data.total === 0 && !data.complete) return null;
  if (data.total === 0 && !filter && !prefix)
    return html`<${Message} title="No lock is held" id="empty">
      <p>A key appears here as soon as a client acquires it. To see one, run</p>
      <p><code>keyhold run demo -- sleep 60</code></p>
    <//>`;
  return html`<${Message} title="No key matches" id="no-match">
    <p>${count(data.total)} ${data.total === 1 ? "key is" : "keys are"} held or waited for, none of them
    ${filter && html` with “<bdi>${visible(filter)}</bdi>”`}${prefix && html` under <code><bdi>${visible(prefix)}</bdi></code>`}.</p>
    <p><a class="button" href=${to({ filter: "", prefix: "" })}>Show all keys</a></p>
  <//>`;
}

function Tree({ data, prefix, to }) {
  const parts = prefix.split(":").filter((part, i, all) => part !== "" || i < all.length - 1);
  const ancestors = parts.map((_, i) => parts.slice(0, i + 1).join(":") + ":");
  const [open] = useState(() => matchMedia("(min-width: 900px)").matches);
  if (data.groups.length === 0 && !prefix) return null;
  return html`<details class="tree" open=${open}>
    <summary>Prefixes</summary>
    <nav aria-label="Keys by prefix">
      <ul>
        <li><a href=${to({ prefix: "" })} aria-current=${prefix ? undefined : "true"}><span>All keys</span><span class="num">${prefix ? "" : count(data.matched)}</span></a></li>
        ${ancestors.map((ancestor, depth) => {
          const here = ancestor === prefix;
          return html`<li><a class=${`depth-${Math.min(depth + 1, 6)}`} href=${to({ prefix: ancestor })} aria-current=${here ? "true" : undefined}
            ><bdi>${visible(parts[depth])}:</bdi><span class="num">${here ? count(data.matched) : ""}</span></a></li>`;
        })}
        ${data.groups.map(
          (group) => html`<li key=${group.prefix}><a class=${`depth-${Math.min(ancestors.length + 1, 6)}`} href=${to({ prefix: group.prefix })} title=${visible(group.prefix)}
            ><bdi>${visible(group.prefix.slice(prefix.length))}</bdi><span class="num">${group.waiters > 0 ? html`<b title=${plural(group.waiters, "waiter")}>${count(group.waiters)}<span class="visually-hidden"> waiters, </span></b> ` : null}${count(group.count)}<span class="visually-hidden"> keys</span></span></a></li>`,
        )}
      </ul>
    </nav>
  </details>`;
}

const COLUMNS = [
  ["Key", "key", "c-key"],
  ["Holder", null, "c-holder"],
  ["Held for", "age", "c-held number"],
  ["Lease left", null, "c-lease"],
  ["Fencing token", null, "c-fence number"],
  ["Waiters", "waiters", "c-wait number"],
];

// The roles are written out: at phone width the rows are laid out as cards, and browsers then forget that this is a table.
function Table({ data, sort, to, received, stopped }) {
  return html`<table class="locks" role="table" aria-label="Locks" aria-rowcount=${data.matched}>
    <thead role="rowgroup"><tr role="row">${COLUMNS.map(
      ([label, by, style]) => html`<th role="columnheader" class=${style} scope="col" aria-sort=${by && by === sort ? (by === "key" ? "ascending" : "descending") : undefined}
        >${by ? html`<a href=${to({ sort: by === sort ? "" : by })} title=${by === sort ? "Back to the most urgent first" : `Sort by ${label.toLowerCase()}`}>${label}</a>` : label}</th>`,
    )}</tr></thead>
    <tbody role="rowgroup">${data.rows.map(
      (lock, i) => html`<${Row} key=${lock.key} lock=${lock} index=${data.offset + i + 1} received=${received} lag=${lagOf(data)} stopped=${stopped} />`,
    )}</tbody>
  </table>`;
}

function Row({ lock, index, received, lag, stopped }) {
  const holder = lock.holders[0];
  const open = (event) => {
    if (!event.target.closest("a") && !getSelection().toString()) go(address("key", { key: lock.key }));
  };
  return html`<tr role="row" aria-rowindex=${index} onClick=${open} class=${lock.waiterCount > 0 ? "waited" : ""}>
    <th role="rowheader" scope="row" class="c-key"><${KeyLink} name=${lock.key} data-row="" /><${Kind} lock=${lock} /></th>
    <td role="cell" class="c-holder">${
      holder
        ? html`<${Client} of=${holder}>${holder.resting && html`<span class="more" title="Released; the key stays taken for a while">resting</span>`}${lock.holderCount > 1 && html`<span class="more">+ ${count(lock.holderCount - 1)} more</span>`}<//>`
        : html`<span class="muted">${lock.kind === "semaphore" ? "no holder" : "free"}</span>`
    }</td>
    <td role="cell" class="c-held number" data-label="held for">${holder ? duration(holder.heldMillis) : "–"}</td>
    <td role="cell" class="c-lease">${holder ? html`<${LeaseBar} holder=${holder} received=${received} lag=${lag} stopped=${stopped} />` : "–"}</td>
    <td role="cell" class="c-fence number" data-label="token">${holder && holder.fencingToken !== null ? holder.fencingToken : "–"}</td>
    <td role="cell" class="c-wait number" data-label="waiters">${
      lock.waiterCount > 0
        ? html`<b>${count(lock.waiterCount)}</b> <span class="oldest" title="The oldest of them has waited this long">${duration(lock.oldestWaitMillis)}</span>`
        : html`<span class="muted">0</span>`
    }</td>
  </tr>`;
}

function Pager({ page, pages, data, to }) {
  if (pages <= 1) return null;
  const link = (target, label, id, enabled) =>
    enabled
      ? html`<a class="button" id=${id} href=${to({ page: target === 1 ? "" : target })}>${label}</a>`
      : html`<span class="button" id=${id} aria-disabled="true">${label}</span>`;
  const first = data.offset + 1;
  return html`<nav class="pager" aria-label="Pages">
    ${link(page - 1, "Previous", "previous", page > 1)}
    <span class="num">${count(first)}–${count(data.offset + data.rows.length)} of ${count(data.matched)}</span>
    ${link(page + 1, "Next", "next", page < pages)}
  </nav>`;
}
