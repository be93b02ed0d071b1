// Doctor: what was found, how to cure it, and a picture of the servers.

import { html } from "../vendor/htm-preact.js";
import { clock, visible } from "../format.js";
import { useData } from "../live.js";
import { Loading } from "../parts.js";

const LEVELS = ["danger", "warning", "notice", "ok"];

export function DoctorView() {
  const { data, error } = useData("api/doctor", { every: 2 });
  if (!data) return html`<section aria-labelledby="title"><div class="toolbar"><h1 id="title" tabindex="-1">Doctor</h1></div><${Loading} error=${error} /></section>`;
  const findings = [...data.findings].sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  const good = findings.filter((finding) => finding.level === "ok");
  const others = findings.filter((finding) => finding.level !== "ok");
  return html`<section aria-labelledby="title" aria-busy=${data.running}>
    <div class="toolbar"><h1 id="title" tabindex="-1">Doctor</h1>
      <span class="muted">${data.running ? "checking …" : html`checked at <span class="num">${clock(data.at)}</span>`}</span></div>
    <h2>Findings</h2>
    ${others.length === 0 && !data.running && html`<p id="healthy"><span class="state ok">ok</span> Nothing endangers the locks of this server.</p>`}
    <ul class="findings">${[...others, ...good].map((finding) => html`<${Finding} finding=${finding} />`)}</ul>
    <h2>Servers</h2>
    <${Topology} topology=${data.topology} />
  </section>`;
}

const Finding = ({ finding }) => html`<li class=${`finding ${finding.level}`}>
  <span class=${`state ${finding.level}`}>${finding.level}</span>
  <div>
    <h3>${visible(finding.title)}</h3>
    ${finding.detail && html`<p>${visible(finding.detail)}</p>`}
    ${finding.cure && html`<p class="cure"><b>Cure</b> ${visible(finding.cure)}</p>`}
  </div>
</li>`;

const ROLES = ["sentinel", "master", "primary", "server", "node", "replica"];
const rank = (role) => (ROLES.includes(role) ? ROLES.indexOf(role) : ROLES.length);
const TONES = { ok: "ok", unreachable: "danger", quarantined: "warning", down: "danger" };
const SAYS = {
  single: "One server holds all locks.",
  memory: "Locks are held in the memory of this process.",
  sentinel: "Sentinels watch one master, and promote a replica when it fails.",
  cluster: "Each key belongs to one master of the cluster.",
  quorum: (nodes) => `A lock needs ${Math.floor(nodes.length / 2) + 1} of ${nodes.length} independent nodes.`,
};

function Topology({ topology }) {
  if (!topology || topology.nodes.length === 0) return html`<p class="muted">No server is known yet.</p>`;
  const roles = [...new Set(topology.nodes.map((node) => node.role))].sort((a, b) => rank(a) - rank(b));
  const says = SAYS[topology.kind];
  return html`<p class="muted">${typeof says === "function" ? says(topology.nodes) : says}</p>
    <div class="topology" id="topology">
      <div class="tier"><div class="node clients"><b>Keyhold clients</b></div></div>
      ${roles.map(
        (role) => html`<div class=${`tier of-${rank(role) < ROLES.length ? role : "other"}`} role="group" aria-label=${role}>${topology.nodes
          .filter((node) => node.role === role)
          .map(
            (node) => html`<div class=${`node ${TONES[node.state] || "notice"}`} key=${node.address}>
              <span class="role">${visible(node.role)}</span>
              <code><bdi>${visible(node.address)}</bdi></code>
              <span class=${`state ${TONES[node.state] || "notice"}`}>${visible(node.state)}</span>
              ${node.detail && html`<span class="muted detail">${visible(node.detail)}</span>`}
            </div>`,
          )}</div>`,
      )}
    </div>`;
}
