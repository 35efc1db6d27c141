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

/** The index is large, so it is loaded when somebody is about to search. */
function loaded() {
  loading ??= new Promise((resolve) => {
    globalThis.blockworkSearch = (json) => resolve(MiniSearch.loadJSON(json, searchOptions));
    const script = document.createElement('script');
    script.src = `${root}search-index.js`;
    document.head.append(script);
  });
  return loading;
}

async function search() {
  const words = input.value.trim();
  const index = await loaded();
  if (words !== input.value.trim()) return;
  const found = words === '' ? [] : index.search(words).slice(0, RESULTS_AT_MOST);
  const links = found.map(({ id, title, heading }) => {
    const link = document.createElement('a');
    link.href = root + id;
    link.textContent = heading === title ? title : `${title}: ${heading}`;
    return link;
  });
  const none = document.createElement('p');
  none.textContent = 'Nothing found.';
  results.replaceChildren(...(links.length > 0 ? links : [none]));
  results.hidden = words === '';
}

input.addEventListener('focus', () => void loaded(), { once: true });
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
