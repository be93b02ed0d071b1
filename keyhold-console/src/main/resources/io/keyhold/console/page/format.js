// Text for people: durations, counts, times, and names that come from Redis.

const counts = new Intl.NumberFormat("en");

export const count = (n) => (n === null || n === undefined ? "–" : counts.format(n));

export const plural = (n, one, many = one + "s") => `${count(n)} ${n === 1 ? one : many}`;

/** "840 ms", "12.3 s", "3 min 05 s", "2 h 14 min", "3 d 4 h"; a dash for an unknown duration. */
export function duration(millis) {
  if (millis === null || millis === undefined) return "–";
  if (millis < 0) return "0 ms";
  if (millis < 1000) return `${Math.round(millis)} ms`;
  if (millis < 59_950) return `${(millis / 1000).toFixed(1)} s`;
  const seconds = Math.round(millis / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
}

/** Whole seconds, for text that counts. */
export const seconds = (millis) => (millis < 59_500 ? `${Math.max(0, Math.round(millis / 1000))} s` : duration(millis));

/** The time of day, with the date if it is another day. */
export function clock(millis) {
  const then = new Date(millis);
  const time = `${pad(then.getHours())}:${pad(then.getMinutes())}:${pad(then.getSeconds())}`;
  if (then.toDateString() === new Date().toDateString()) return time;
  return `${then.getFullYear()}-${pad(then.getMonth() + 1)}-${pad(then.getDate())} ${time}`;
}

const pad = (n) => String(n).padStart(2, "0");

// Characters that show nothing or reorder their neighbours. The joiner of emoji stays.
const INVISIBLE = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\p{Cs}]/gu;

/** A name from Redis, with each invisible character written as its code point. */
export function visible(text) {
  return String(text).replace(INVISIBLE, (c) => `⟨U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}
