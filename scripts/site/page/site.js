/** The script of every page: the colour scheme, the menu of small windows, and the search. */
import MiniSearch from 'minisearch';
import { searchOptions } from './search-options.js';

const { document, localStorage, matchMedia } = globalThis;
const { documentElement } = document;
const { root } = document.currentScript.dataset;
const element = (id) => document.getElementById(id);
const RESULTS_AT_MOST = 12;

/** Stored under this name; a browser may have no storage for a page that was opened from a folder. */
const SCHEME = 'blockwork-scheme';
try {
  documentElement.dataset.scheme = localStorage.getItem(SCHEME) ?? '';
} catch {
  documentElement.dataset.scheme = '';
}
element('scheme').addEventListener('click', () => {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const shown = documentElement.dataset.scheme || (isDark ? 'dark' : 'light');
  documentElement.dataset.scheme = shown === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(SCHEME, documentElement.dataset.scheme);
  } catch {
    // It lasts as long as the page.
  }
});

const menu = element('menu');
menu.addEventListener('click', () => {
  const isOpen = document.body.classList.toggle('menu');
  menu.setAttribute('aria-expanded', String(isOpen));
});

const input = element('search');
const results = element('results');
let loading;

/** The index is large, so it is loaded when somebody is about to search. After a failure, the next call tries again. */
function loaded() {
  loading ??= indexText()
    .then((json) => MiniSearch.loadJSON(json, searchOptions))
    .catch((error) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

function indexText() {
  return new Promise((resolve, reject) => {
    globalThis.blockworkSearch = resolve;
    const script = document.createElement('script');
    script.src = `${root}search-index.js`;
    const end = () => {
      script.remove();
      // Of no effect once the script has handed over the index.
      reject(new Error(`${script.src} has no index.`));
    };
    script.addEventListener('load', end);
    script.addEventListener('error', end);
    document.head.append(script);
  });
}

async function search() {
  const words = input.value.trim();
  const index = await loaded().catch(() => null);
  if (words !== input.value.trim()) return;
  results.replaceChildren(
    ...(index === null ? [said('The search cannot be loaded. Type on to try again.', 'alert')] : hits(index, words)),
  );
  results.hidden = words === '';
}

function hits(index, words) {
  const matches = words === '' ? [] : index.search(words).slice(0, RESULTS_AT_MOST);
  if (matches.length === 0) return [said('Nothing found.')];
  return matches.map(({ id, title, heading }) => {
    const link = document.createElement('a');
    link.href = root + id;
    link.textContent = heading === title ? title : `${title}: ${heading}`;
    return link;
  });
}

function said(text, role) {
  const line = document.createElement('p');
  line.textContent = text;
  if (role !== undefined) line.setAttribute('role', role);
  return line;
}

input.addEventListener('focus', () => loaded().catch(() => undefined), { once: true });
input.addEventListener('input', () => void search());
results.addEventListener('click', () => (results.hidden = true));
document.addEventListener('keydown', (event) => {
  const links = [...results.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  const isTyping = document.activeElement === input;
  if (event.key === '/' && !isTyping) input.focus();
  else if (event.key === 'Escape') results.hidden = true;
  else if (event.key === 'ArrowDown' && (isTyping || at >= 0)) links[at + 1]?.focus();
  else if (event.key === 'ArrowUp' && at >= 0) (links[at - 1] ?? input).focus();
  else return;
  event.preventDefault();
});
