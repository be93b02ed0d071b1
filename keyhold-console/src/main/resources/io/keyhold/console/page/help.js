// Shortcuts, and the overlay that lists them.

import { html } from "./vendor/htm-preact.js";
import { Dialog } from "./parts.js";

const SHORTCUTS = [
  ["Go to", [["1", "locks"], ["2", "contention"], ["3", "doctor"]]],
  ["In a list", [["/", "filter"], ["j", "k", "next, previous row (or the arrow keys)"], ["Enter", "open the key"], ["[", "]", "previous, next page"], ["u", "up one prefix, or back to the list"]]],
  ["Everywhere", [["p", "pause, continue"], ["t", "light, dark, as the system"], ["r", "force release, on the view of a key"], ["?", "this list"], ["Esc", "close, leave the field"]]],
];

export function Help({ onClose, singleKeys, setSingleKeys }) {
  return html`<${Dialog} id="help" title="Keyboard" onClose=${onClose}>
    ${SHORTCUTS.map(
      ([title, keys]) => html`<h3>${title}</h3><dl class="shortcuts">${keys.map(
        (entry) => html`<div><dt>${entry.slice(0, -1).map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${entry[entry.length - 1]}</dd></div>`,
      )}</dl>`,
    )}
    <p><label class="choice"><input type="checkbox" id="single-keys" checked=${singleKeys} onChange=${(event) => setSingleKeys(event.target.checked)} /> Use these single-key shortcuts</label></p>
    <div class="actions"><button type="button" data-first="" onClick=${onClose}>Close</button></div>
  <//>`;
}
