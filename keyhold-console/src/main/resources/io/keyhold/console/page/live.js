// The connection to the console: its event stream, with reconnection, and what the view in front fetches at each tick.
//
// Phases: connecting → live ⇄ unreachable (the console answers, its Redis does not)
//         any → offline (the console does not answer; retried with back-off) → connecting
//         any → signedOut (the console does not know this browser; a new address is needed)

import { useEffect, useRef, useState } from "./vendor/htm-preact.js";

const BACK_OFF = [500, 1000, 2000, 4000, 8000, 15_000];
const SILENCE = 12_000; // Ticks come every second; after this long without one, the stream counts as broken.

let state = {
  phase: "connecting",
  since: Date.now(), // by this browser's clock
  error: null,
  retryAt: null,
  lastTick: null, // when the last tick arrived, by this browser's clock
  skew: 0, // the console's clock minus this browser's
  dangers: 0,
  info: null,
  tick: 0,
  paused: false,
};
const listeners = new Set();

function set(change) {
  if (change.phase && change.phase !== state.phase) change = { since: Date.now(), ...change };
  state = { ...state, ...change };
  for (const listener of [...listeners]) listener(state);
}

export function useLive() {
  const [current, setCurrent] = useState(state);
  useEffect(() => {
    listeners.add(setCurrent);
    setCurrent(state);
    return () => listeners.delete(setCurrent);
  }, []);
  return current;
}

export const pause = (paused) => set({ paused });

/** Rejects with an error whose `status` is that of the reply, or 0 if there was none. */
export async function call(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw failed(0, "the console does not answer");
  }
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  if (response.status === 401) signOut();
  throw failed(response.status, body.error || `the console answered with status ${response.status}`);
}

const failed = (status, message) => Object.assign(new Error(message), { status });

let stream = null;
let retry = null;
let silence = null;
let failures = 0;

export async function connect() {
  clearTimeout(retry);
  closeStream();
  set({ retryAt: null });
  try {
    set({ info: await call("api/info") });
  } catch (failure) {
    if (state.phase !== "signedOut") lose(failure.message);
    return;
  }
  if (state.phase === "signedOut") return;
  closeStream();
  const mine = (stream = new EventSource("api/stream"));
  watchForSilence();
  mine.addEventListener("tick", (event) => {
    failures = 0;
    watchForSilence();
    const data = JSON.parse(event.data);
    set({
      phase: data.status === "ok" ? "live" : "unreachable",
      error: data.error,
      lastTick: Date.now(),
      skew: data.at - Date.now(),
      dangers: data.dangers,
      tick: state.tick + 1,
    });
  });
  mine.addEventListener("bye", () => lose("the console was stopped"));
  mine.onerror = () => {
    if (stream === mine) lose("the console does not answer");
  };
}

function watchForSilence() {
  clearTimeout(silence);
  silence = setTimeout(() => lose("the console sends nothing"), SILENCE);
}

function closeStream() {
  clearTimeout(silence);
  if (stream) stream.close();
  stream = null;
}

function lose(error) {
  closeStream();
  clearTimeout(retry);
  const wait = BACK_OFF[Math.min(failures++, BACK_OFF.length - 1)];
  retry = setTimeout(connect, wait);
  set({ phase: "offline", error, retryAt: Date.now() + wait });
}

function signOut() {
  clearTimeout(retry);
  closeStream();
  set({ phase: "signedOut", retryAt: null });
}

addEventListener("online", () => state.phase === "offline" && connect());
// A browser that kept the page in its back/forward cache has closed the stream.
addEventListener("pageshow", (event) => event.persisted && connect());

/**
 * What `path` returns, fetched again at each tick (or every `every` ticks) while the page is in front and not paused. Keeps
 * the last reply while the next is fetched, and when the path changes unless `identity` changes with it.
 */
export function useData(path, { identity = "", every = 1 } = {}) {
  const live = useLive();
  const [result, setResult] = useState({ data: null, error: null, path: null, received: 0, identity });
  const running = useRef(null);
  const again = useRef(false);

  const load = async () => {
    if (!path) return;
    if (running.current) {
      if (running.current.path === path) {
        again.current = true;
        return;
      }
      running.current.abort.abort();
    }
    const mine = (running.current = { path, abort: new AbortController() });
    try {
      const data = await call(path, { signal: mine.abort.signal });
      if (running.current === mine) setResult({ data, error: null, path, received: performance.now(), identity });
    } catch (failure) {
      if (running.current === mine && failure.name !== "AbortError") {
        setResult((last) => ({ ...last, data: last.identity === identity ? last.data : null, error: failure.message, path, identity }));
      }
    }
    if (running.current !== mine) return;
    running.current = null;
    if (again.current) {
      again.current = false;
      load();
    }
  };

  useEffect(() => {
    load();
  }, [path]);
  useEffect(() => {
    if (live.tick > 0 && live.tick % every === 0 && !live.paused && !document.hidden) load();
  }, [live.tick, live.paused]);
  useEffect(() => {
    const shown = () => !document.hidden && load();
    document.addEventListener("visibilitychange", shown);
    return () => document.removeEventListener("visibilitychange", shown);
  }, [path]);
  useEffect(
    () => () => {
      if (running.current) running.current.abort.abort();
      running.current = null;
    },
    [],
  );

  const current = result.identity === identity ? result : { data: null, error: null, path: null, received: 0 };
  return { ...current, loading: current.path !== path, reload: load };
}
