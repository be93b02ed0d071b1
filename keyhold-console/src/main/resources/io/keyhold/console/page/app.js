// The page: header, banners, the view that the address names, and the keyboard.

import { html, render, useEffect, useErrorBoundary, useRef, useState } from "./vendor/htm-preact.js";
import { clock, plural, seconds, visible } from "./format.js";
import { Help } from "./help.js";
import { connect, pause, useData, useLive } from "./live.js";
import { Message, useSeconds } from "./parts.js";
import { address, go, useRoute } from "./route.js";
import { ContentionView } from "./views/contention.js";
import { DoctorView } from "./views/doctor.js";
import { KeyView } from "./views/key.js";
import { LocksView } from "./views/locks.js";

const VIEWS = { locks: LocksView, key: KeyView, contention: ContentionView, doctor: DoctorView };
const DARK = matchMedia("(prefers-color-scheme: dark)");
const TITLES = { locks: "Locks", contention: "Contention", doctor: "Doctor" };

function App() {
  const live = useLive();
  const route = useRoute();
  const [choice, theme, nextTheme] = useTheme();
  const [help, setHelp] = useState(false);
  const [singleKeys, setSingleKeys] = useStored("keyhold.shortcuts", true);
  const [broken, repair] = useErrorBoundary((failure) => console.error(failure));
  useEffect(() => {
    connect();
  }, []);
  useFocusOnNewView(route);
  useShortcuts({ route, singleKeys, nextTheme, help, setHelp, live });
  useEffect(() => {
    document.title = `${route.view === "key" ? visible(route.query.key || "") : TITLES[route.view]} · Keyhold console`;
  }, [route.view, route.query.key]);

  const View = VIEWS[route.view];
  const stopped = live.phase !== "live" || live.paused;
  return html`<a class="skip" href="#main" onClick=${(event) => {
      event.preventDefault();
      document.getElementById("main").focus();
    }}>Skip to the content</a>
    <${Header} live=${live} view=${route.view} theme=${choice} nextTheme=${nextTheme} openHelp=${() => setHelp(true)} />
    <${Banners} live=${live} view=${route.view} />
    <main id="main" tabindex="-1" class=${live.phase === "live" ? "" : "stale"}>
      ${live.phase === "signedOut"
        ? html`<${SignedOut} />`
        : broken
          ? html`<${Message} title="This view failed" role="alert"><p>${visible(broken.message)}</p><p><button type="button" onClick=${repair}>Show it again</button></p><//>`
          : html`<${View} key=${route.view} query=${route.query} info=${live.info} live=${live.phase === "live"} stopped=${stopped} theme=${theme} />`}
    </main>
    ${help && html`<${Help} onClose=${() => setHelp(false)} singleKeys=${singleKeys} setSingleKeys=${setSingleKeys} />`}`;
}

function Header({ live, view, theme, nextTheme, openHelp }) {
  const { info } = live;
  const tab = (name) => html`<a href=${address(name)} aria-current=${view === name || (view === "key" && name === "locks") ? "page" : undefined}>${TITLES[name]}${
    name === "doctor" && live.dangers > 0 ? html` <span class="badge" aria-label=${plural(live.dangers, "danger")}>${live.dangers}</span>` : null
  }</a>`;
  return html`<header>
    <a class="brand" href=${address("locks")}><svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true"><rect width="16" height="16" rx="3.5" /><path d="M8 3.2a2.6 2.6 0 0 0-1.3 4.85L6.1 12.8h3.8l-.6-4.75A2.6 2.6 0 0 0 8 3.2z" /></svg>Keyhold</a>
    <nav aria-label="Views">${Object.keys(TITLES).map(tab)}</nav>
    <span class="where">${info && html`<bdi title=${visible(info.target)}>${visible(info.target)}</bdi> <span class="muted">${info.topology}</span>`}</span>
    <${Status} live=${live} />
    <button type="button" class="quiet" id="pause" aria-pressed=${live.paused} onClick=${() => pause(!live.paused)} title="Stop the updates (p)">${live.paused ? "Continue" : "Pause"}</button>
    <button type="button" class="quiet" id="theme" onClick=${nextTheme} title="Switch between light, dark and the system's choice (t)" aria-label=${`Theme: ${theme}`}><span class="wide">Theme: </span>${theme}</button>
    <button type="button" class="quiet" id="help-button" onClick=${openHelp} aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)">?</button>
  </header>`;
}

const PHASES = { connecting: "connecting", live: "live", unreachable: "Redis unreachable", offline: "disconnected", signedOut: "signed out" };

function Status({ live }) {
  const phase = live.phase === "live" && live.paused ? "paused" : live.phase;
  return html`<span class=${`status ${phase}`} id="status" role="status" data-phase=${phase}><span class="dot" aria-hidden="true"></span>${phase === "paused" ? "paused" : PHASES[phase]}</span>`;
}

function Banners({ live, view }) {
  return html`<div class="banners" role="region" aria-label="State of the console and its server">
    ${live.phase === "offline" && html`<${Offline} live=${live} />`}
    ${live.phase === "unreachable" && html`<${Unreachable} live=${live} />`}
    ${live.phase !== "connecting" && live.phase !== "signedOut" && html`<${Dangers} n=${live.dangers} view=${view} />`}
    ${live.info && live.info.notice && html`<div class="banner notice" id="notice">${visible(live.info.notice)}</div>`}
  </div>`;
}

function Offline({ live }) {
  useSeconds();
  const rest = live.retryAt ? Math.max(0, live.retryAt - Date.now()) : 0;
  return html`<div class="banner danger" id="offline">
    <span><span role="alert"><b>Disconnected:</b> ${live.error}. What you see is old</span>${
      live.lastTick ? html`: it is from <span class="num">${clock(live.lastTick)}</span>, <span class="num">${seconds(Date.now() - live.lastTick)}</span> ago.` : "."
    }</span>
    <span class="grow"></span>
    <span class="num">${live.retryAt ? `next attempt in ${seconds(rest)}` : "connecting …"}</span>
    <button type="button" onClick=${connect}>Connect now</button>
  </div>`;
}

function Unreachable({ live }) {
  useSeconds();
  return html`<div class="banner danger" id="unreachable">
    <span><span role="alert"><b>Redis does not answer</b>${live.error ? html` (${visible(live.error)})` : null}. What you see is old</span>: it is from <span class="num">${clock(live.since)}</span>, <span class="num">${seconds(Date.now() - live.since)}</span> ago. The page continues when the server is back.</span>
  </div>`;
}

/** Also what makes the console look for dangers at all, whichever view is in front: it checks when its findings are asked for. */
function Dangers({ n, view }) {
  const { data, reload } = useData("api/doctor", { every: 30 });
  useEffect(() => {
    if (n > 0) reload();
  }, [n]);
  if (n === 0) return null;
  const found = data ? data.findings.filter((finding) => finding.level === "danger") : [];
  return html`<div class="banner danger" id="dangers" role="alert">
    <span><b>${found.length === 1 || n === 1 ? "Locks are in danger" : `Locks are in danger for ${n} reasons`}${found.length > 0 ? ":" : "."}</b> ${found.map((finding) => visible(finding.detail ? `${finding.title}: ${finding.detail}` : finding.title)).join(" · ")}</span>
    ${view !== "doctor" && html`<a href=${address("doctor")}>See the cure</a>`}
  </div>`;
}

const SignedOut = () => html`<${Message} title="This address is no longer valid" id="signed-out" role="alert">
  <p>The console was restarted, or this browser was never signed in. Open the address that the console printed when it started; each works once. To get a new one, run</p>
  <p><code>keyhold console</code></p>
<//>`;

/** Returns what the user chose, what that makes of the system's theme, and how to choose the next. */
function useTheme() {
  const [choice, setChoice] = useStored("keyhold.theme", "auto");
  const [systemIsDark, setSystemIsDark] = useState(DARK.matches);
  useEffect(() => {
    const changed = () => setSystemIsDark(DARK.matches);
    DARK.addEventListener("change", changed);
    return () => DARK.removeEventListener("change", changed);
  }, []);
  const theme = choice === "auto" ? (systemIsDark ? "dark" : "light") : choice;
  document.documentElement.dataset.theme = theme;
  return [choice, theme, () => setChoice(choice === "auto" ? "light" : choice === "light" ? "dark" : "auto")];
}

function useStored(name, initial) {
  const [value, setValue] = useState(() => {
    try {
      const stored = localStorage.getItem(name);
      return stored === null ? initial : typeof initial === "boolean" ? stored === "true" : stored;
    } catch {
      return initial;
    }
  });
  const store = (next) => {
    setValue(next);
    try {
      localStorage.setItem(name, next);
    } catch {
      // No storage: it lasts as long as the page.
    }
  };
  return [value, store];
}

/** A new view starts at its heading, for readers of the screen and of the keyboard. */
function useFocusOnNewView(route) {
  const last = useRef(null);
  const now = route.view + (route.query.key || "");
  useEffect(() => {
    if (last.current !== null && last.current !== now) {
      scrollTo(0, 0);
      const heading = document.getElementById("title");
      if (heading) heading.focus({ preventScroll: true });
    }
    last.current = now;
  }, [now]);
}

function useShortcuts({ route, singleKeys, nextTheme, help, setHelp, live }) {
  useEffect(() => {
    const actions = {
      1: () => go(address("locks")),
      2: () => go(address("contention")),
      3: () => go(address("doctor")),
      "/": () => focus("filter"),
      j: () => move(1),
      k: () => move(-1),
      "[": () => click("previous"),
      "]": () => click("next"),
      u: () => up(route),
      p: () => pause(!live.paused),
      t: nextTheme,
      r: () => click("release"),
      "?": () => setHelp(true),
    };
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const target = event.target;
      if (target.closest("input, textarea, select")) {
        if (event.key === "Escape") target.blur();
        return;
      }
      if ((event.key === "ArrowDown" || event.key === "ArrowUp") && target.closest("[data-row]")) {
        event.preventDefault();
        move(event.key === "ArrowDown" ? 1 : -1);
        return;
      }
      const action = actions[event.key];
      if (!action || (!singleKeys && event.key !== "?")) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [route, singleKeys, nextTheme, help, live.paused]);
}

const focus = (id) => {
  const element = document.getElementById(id);
  if (element) element.focus();
  if (element && element.select) element.select();
};

const click = (id) => {
  const element = document.getElementById(id);
  if (element && element.getAttribute("aria-disabled") !== "true") element.click();
};

function move(by) {
  const rows = [...document.querySelectorAll("[data-row]")];
  if (rows.length === 0) return;
  const at = rows.indexOf(document.activeElement);
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

function up({ view, query }) {
  if (view === "key") go(address("locks", { prefix: (query.key || "").replace(/[^:]*$/s, "") }));
  else if (view === "locks" && query.prefix) go(address("locks", { ...query, page: "", prefix: query.prefix.replace(/[^:]*:$/s, "") }));
}

render(html`<${App} />`, document.getElementById("app").replaceChildren() ?? document.getElementById("app"));
