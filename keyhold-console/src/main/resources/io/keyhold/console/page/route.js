// The page's address: #/locks?filter=…&prefix=…, so that every view can be linked, and Back works.

import { useEffect, useState } from "./vendor/htm-preact.js";

const VIEWS = ["locks", "key", "contention", "doctor"];

export function parse(hash) {
  const [path, query = ""] = splitOnce(hash.replace(/^#\/?/, ""), "?");
  return { view: VIEWS.includes(path) ? path : "locks", query: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of a view; parameters that are empty are left out. */
export function address(view, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new URLSearchParams(given).toString();
  return `#/${view}${text ? "?" + text : ""}`;
}

export function go(hash) {
  if (location.hash !== hash) location.hash = hash;
}

/** Changes the address without a new entry in the browser's history. */
export function replace(hash) {
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute() {
  const [route, setRoute] = useState(() => parse(location.hash));
  useEffect(() => {
    const follow = () => setRoute(parse(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
