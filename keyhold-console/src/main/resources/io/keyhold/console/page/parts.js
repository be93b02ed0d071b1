// Small parts that several views share.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { clock, duration, seconds, visible } from "./format.js";
import { address } from "./route.js";

/** A name from Redis. Always text: isolated from the direction of its neighbours, invisible characters written out. */
export const Name = ({ text, className = "" }) =>
  text === null || text === undefined || text === ""
    ? html`<span class="muted">unknown</span>`
    : html`<bdi class=${className} title=${text.length > 24 ? visible(text) : undefined}>${visible(text)}</bdi>`;

export const KeyLink = ({ name, ...rest }) =>
  html`<a class="key" href=${address("key", { key: name })} title=${visible(name)} ...${rest}><bdi>${visible(name)}</bdi></a>`;

/** Client, host and process of a holder or waiter. A token that the caller chose names no client, and so stands for it. */
export function Client({ of, children }) {
  const place = [of.host, of.pid ? `pid ${of.pid}` : null].filter(Boolean).map(visible).join(" · ");
  return html`<span class="client">
    <${Name} text=${of.clientName || of.token} className="name" />
    ${children}${place && html` <bdi class="place">${place}</bdi>`}
  </span>`;
}

const KINDS = {
  lock: ["lock", "A lock: one holder at a time"],
  semaphore: ["semaphore", "A semaphore: a number of permits"],
  readWrite: ["read/write", "A read/write lock: one writer, or several readers"],
  foreign: ["foreign", "Not written by Keyhold"],
};

export function Kind({ lock }) {
  const [label, title] = KINDS[lock.kind] || [lock.kind, ""];
  return html`<span class=${`kind ${lock.kind}`} title=${title}>${label}${
    lock.permits ? html` <span class="num">${lock.permitsInUse ?? "–"}/${lock.permits}</span>` : null
  }</span>`;
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const longest = new Map(); // The longest rest of a lease seen by token, where the server does not say how long it was.

function lengthOf(holder) {
  if (holder.leaseMillis) return holder.leaseMillis;
  const known = Math.max(longest.get(holder.token) || 0, holder.remainingMillis);
  if (longest.size > 20_000) longest.clear();
  longest.set(holder.token, known);
  return known;
}

/**
 * How much of the lease is left; `lag` is the age of what the reply says. Counts down by itself between two replies, as one animation that the browser runs without
 * script; a reply that disagrees with it (a renewal, a shorter lease) starts it again from there.
 */
export function LeaseBar({ holder, received, lag = 0, stopped }) {
  const bar = useRef(null);
  const run = useRef(null);
  const unlimited = holder.remainingMillis === null || holder.remainingMillis === undefined;
  const length = unlimited ? 0 : lengthOf(holder);
  const rest = unlimited ? 0 : Math.max(0, holder.remainingMillis - (stopped ? 0 : lag));
  const share = length ? Math.min(1, rest / length) : 0;

  useLayoutEffect(() => {
    const element = bar.current;
    if (!element) return undefined;
    if (stopped || calm.matches) {
      if (run.current) run.current.animation.pause();
      else element.style.transform = `scaleX(${share})`;
      if (calm.matches && !stopped) element.style.transform = `scaleX(${share})`;
      return undefined;
    }
    const left = Math.max(1, rest - (performance.now() - received));
    const last = run.current;
    if (last && last.token === holder.token && last.animation.playState === "running") {
      const expected = last.total - last.animation.currentTime;
      if (Math.abs(expected - left) < 300) return undefined;
    }
    const from = last && last.token === holder.token ? currentScale(element) : share;
    if (last) last.animation.cancel();
    const fill = Math.min(250, left / 2);
    const frames = [{ transform: `scaleX(${from})` }, { transform: `scaleX(${share})`, offset: fill / left }, { transform: "scaleX(0)" }];
    const animation = element.animate(frames, { duration: left, fill: "forwards" });
    run.current = { animation, total: left, token: holder.token };
    return undefined;
  }, [holder.token, rest, received, stopped]);
  useEffect(() => () => run.current && run.current.animation.cancel(), []);

  if (unlimited) return html`<span class="lease"><span class="muted">no expiry</span></span>`;
  const ending = share < 1 / 3;
  const text = `${duration(rest)} of ${duration(length)} left`;
  return html`<span class=${`lease${ending ? " ending" : ""}`} title=${text}>
    <span class="track" role="meter" aria-label="lease left" aria-valuemin="0" aria-valuemax=${length} aria-valuenow=${Math.min(rest, length)} aria-valuetext=${text}
      ><span class="fill" ref=${bar}></span
    ></span>
    <span class="num">${duration(rest)}</span>
  </span>`;
}

function currentScale(element) {
  const matrix = getComputedStyle(element).transform;
  const found = /^matrix\(([\d.e-]+)/.exec(matrix);
  return found ? Number(found[1]) : 1;
}

/** Renders again every second while it is mounted. */
export function useSeconds() {
  const [, count] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => count((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
}

export const Since = ({ at, now }) => html`<span class="num">${clock(at)}</span> (${seconds(now - at)} ago)`;

export const Message = ({ title, children, tone = "", ...rest }) =>
  html`<div class=${`message ${tone}`} ...${rest}><h2>${title}</h2>${children}</div>`;

/** Says that what a view shows is not the newest, because the last request failed; the banners say it of all requests. */
export const Outdated = ({ data, error, live }) =>
  data && error && live ? html`<div class="note" id="outdated" role="status"><b>Not updated since ${clock(data.at)}:</b> ${visible(error)}</div>` : null;

/** What a view shows before its first reply. */
export const Loading = ({ error }) =>
  error
    ? html`<${Message} title="Nothing to show" role="alert"><p>${visible(error)}. It is tried again every second.</p><//>`
    : html`<div class="loading" role="status"><span class="visually-hidden">Loading …</span>${[...Array(6)].map(() => html`<div class="bone"></div>`)}</div>`;

export function CopyButton({ text, label }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = () => navigator.clipboard?.writeText(text).then(() => setDone(true), () => setDone(false));
  return html`<button type="button" class="quiet" onClick=${copy} aria-label=${label}>${done ? "Copied" : "Copy"}</button>`;
}

/**
 * A modal dialog: the browser keeps the focus inside, and returns it to where it was. It is opened before the browser paints it, so that no key
 * is lost; Escape closes it in the browser, which then says so.
 */
export function Dialog({ title, onClose, children, id, className = "" }) {
  const dialog = useRef(null);
  const mounted = useRef(true);
  useLayoutEffect(() => {
    const element = dialog.current;
    element.showModal();
    const first = element.querySelector("[data-first]");
    if (first) first.focus();
    return () => {
      mounted.current = false;
      element.close();
    };
  }, []);
  const outside = (event) => event.target === dialog.current && onClose();
  return html`<dialog ref=${dialog} id=${id} class=${className} aria-labelledby=${`${id}-title`} onClose=${() => mounted.current && onClose()} onMouseDown=${outside}>
    <div class="inside">
      <h2 id=${`${id}-title`} tabindex="-1">${title}</h2>
      ${children}
    </div>
  </dialog>`;
}
