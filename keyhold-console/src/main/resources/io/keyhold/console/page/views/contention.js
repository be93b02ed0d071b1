// Contention: how many clients waited for which key, and when; percentiles of wait and hold.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/htm-preact.js";
import { clock, count, duration, plural, visible } from "../format.js";
import { useData } from "../live.js";
import { KeyLink, Loading, Message, Outdated } from "../parts.js";
import { address } from "../route.js";

const MINUTES = [10, 30, 60];

export function ContentionView({ query, info, live, theme }) {
  const minutes = MINUTES.includes(Number(query.minutes)) ? Number(query.minutes) : 10;
  const { data, error } = useData(`api/contention?minutes=${minutes}`, { identity: String(minutes), every: 2 });
  const [at, setAt] = useState(null);
  return html`<section aria-labelledby="title">
    <div class="toolbar">
      <h1 id="title" tabindex="-1">Contention</h1>
      <nav class="choices" aria-label="Time shown">${MINUTES.map(
        (n) => html`<a class="button" href=${address("contention", { minutes: n === 10 ? "" : n })} aria-current=${n === minutes ? "true" : undefined}>${n} min</a>`,
      )}</nav>
    </div>
    <${Outdated} data=${data} error=${error} live=${live} />
    ${!data
      ? html`<${Loading} error=${error} />`
      : html`<${Percentiles} data=${data} />
          ${data.rows.length === 0
            ? html`<${Message} title="No client waited" id="no-contention"><p>In the last ${minutes} minutes no client was seen waiting for a lock.</p><//>`
            : html`<${Heat} data=${data} theme=${theme} at=${at} setAt=${setAt} />`}
          <p class="muted">${source(data, info)}</p>`}
  </section>`;
}

function source(data, info) {
  if (data.source === "event" || data.source === "events") return "From the events of clients that write them; clients without the event stream are not counted.";
  const every = info && info.sampleMillis ? `every ${duration(info.sampleMillis)}` : "from time to time";
  return `From looking at the server ${every} since the console started: what is shorter may be missing.`;
}

function Percentiles({ data }) {
  const row = (label, d, id) => html`<tr id=${id} role="row">
    <th role="rowheader" scope="row">${label}</th>
    ${["p50", "p90", "p99", "max"].map((p) => html`<td role="cell" class="number">${d && d.count > 0 ? duration(d[p]) : "–"}</td>`)}
    <td role="cell" class="number muted">${d ? count(d.count) : "–"}</td>
  </tr>`;
  return html`<table class="plain percentiles" role="table">
    <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col"><span class="visually-hidden">What</span></th><th role="columnheader" scope="col" class="number">p50</th><th role="columnheader" scope="col" class="number">p90</th><th role="columnheader" scope="col" class="number">p99</th><th role="columnheader" scope="col" class="number">max</th><th role="columnheader" scope="col" class="number">seen</th></tr></thead>
    <tbody role="rowgroup">${row("Wait", data.wait, "wait-percentiles")}${row("Hold", data.hold, "hold-percentiles")}</tbody>
  </table>`;
}

function Heat({ data, theme, at, setAt }) {
  const highest = Math.max(1, ...data.rows.map((row) => Math.max(0, ...row.waiters)));
  const totals = data.times.map((_, i) => data.rows.reduce((sum, row) => sum + (row.waiters[i] || 0), 0));
  const column = at !== null && at.column < data.times.length ? at.column : null;
  const pointed = column === null ? null : data.rows.find((row) => row.key === at.key);
  return html`<h2>Waiters, all keys</h2>
    <${Plot} times=${data.times} values=${totals} theme=${theme} />
    <h2>Waiters by key</h2>
    <p class="legend muted"><span>0</span><${Scale} theme=${theme} /><span class="num">${count(highest)}</span> waiters
      <span class="grow"></span><output class="num" id="pointed">${
        pointed ? html`${clock(data.times[column])} · ${plural(pointed.waiters[column] || 0, "waiter")}` : html`point at a cell to read it`
      }</output></p>
    <div class="heat" id="heat" role="table" aria-label="Waiters by key and time" onMouseLeave=${() => setAt(null)}>
      <div class="heat-row head" role="row"><span role="columnheader">Key</span><span role="columnheader"><span class="visually-hidden">Waiters over time</span></span><span role="columnheader" class="number">peak</span><span role="columnheader" class="number" title="Of all clients together">waited</span></div>
      ${data.rows.map((row) => {
        const peak = Math.max(0, ...row.waiters);
        const when = data.times[row.waiters.indexOf(peak)];
        return html`<div class="heat-row" role="row" key=${row.key}>
          <span role="rowheader"><${KeyLink} name=${row.key} data-row="" /></span>
          <span role="cell" class="cells" aria-label=${`peak of ${plural(peak, "waiter")} at ${clock(when)}`}><${Cells} values=${row.waiters} highest=${highest} theme=${theme} onPoint=${(i) => setAt({ key: row.key, column: i })} /></span>
          <span role="cell" class="number">${count(peak)}</span>
          <span role="cell" class="number">${duration(row.waiters.reduce((sum, n) => sum + n, 0) * data.stepMillis)}</span>
        </div>`;
      })}
    </div>`;
}

const STEPS = 6;

function palette() {
  const style = getComputedStyle(document.documentElement);
  return [...Array(STEPS)].map((_, i) => style.getPropertyValue(`--heat-${i}`).trim());
}

// The square root: the difference between 1 and 3 waiters matters more than that between 41 and 43.
const step = (value, highest) => (value <= 0 ? 0 : Math.max(1, Math.round(Math.sqrt(value / highest) * (STEPS - 1))));

/** One row of the heat map: a picture with one pixel for each cell, which the browser stretches. */
function Cells({ values, highest, theme, onPoint }) {
  const canvas = useRef(null);
  useLayoutEffect(() => {
    const colours = palette();
    const element = canvas.current;
    element.width = Math.max(1, values.length);
    const context = element.getContext("2d");
    values.forEach((value, i) => {
      context.fillStyle = colours[step(value, highest)];
      context.fillRect(i, 0, 1, 1);
    });
  }, [values, highest, theme]);
  const point = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    onPoint(Math.min(values.length - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * values.length))));
  };
  return html`<canvas ref=${canvas} height="1" onMouseMove=${point} aria-hidden="true"></canvas>`;
}

const Scale = ({ theme }) => html`<span class="scale" key=${theme} aria-hidden="true">${[...Array(STEPS)].map((_, i) => html`<span class=${`heat-${i}`}></span>`)}</span>`;

/** The sum of all keys over time. Its plot area is as wide as the cells below it, so that the columns are aligned. */
function Plot({ times, values, theme }) {
  const host = useRef(null);
  const plot = useRef(null);
  const data = [times.map((t) => t / 1000), values];
  useEffect(() => {
    const element = host.current;
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const margins = () => {
      const cells = document.querySelector("#heat .cells");
      const box = element.getBoundingClientRect();
      const inner = cells ? cells.getBoundingClientRect() : box;
      return { left: Math.max(34, Math.round(inner.left - box.left)), right: Math.max(8, Math.round(box.right - inner.right)) };
    };
    const build = () => {
      if (plot.current) plot.current.destroy();
      const { left, right } = margins();
      const axis = { stroke: colour("--muted"), font: "11px system-ui, sans-serif", grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1, size: 4 } };
      plot.current = new uPlot(
        {
          width: element.clientWidth,
          height: 130,
          padding: [8, right, 0, 0],
          legend: { show: false },
          cursor: { show: false },
          scales: { y: { range: (_, low, high) => [0, Math.max(4, Math.ceil(high * 1.1))] } },
          axes: [
            { ...axis, size: 24, values: (_, marks) => marks.map((mark) => clock(mark * 1000).slice(-8, -3)) },
            { ...axis, size: left, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] },
          ],
          series: [{}, { stroke: colour("--accent"), width: 1.5, fill: colour("--accent-soft"), points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }) }],
        },
        data,
        element,
      );
    };
    build();
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth !== width) {
        width = element.clientWidth;
        build();
      }
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.current.destroy();
      plot.current = null;
    };
  }, [theme]);
  useEffect(() => {
    if (plot.current) plot.current.setData(data);
  }, [times, values]);
  const peak = Math.max(0, ...values);
  return html`<div class="plot" ref=${host} role="img" aria-label=${`Waiters of all keys over time, ${plural(values[values.length - 1] || 0, "waiter")} now, at most ${peak}`}></div>`;
}
