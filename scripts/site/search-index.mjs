/** What the search of the site knows: each part of each page, found by its words. */
import MiniSearch from 'minisearch';
import { addressOf } from './pages.mjs';
import { searchOptions } from './page/search-options.js';

/** As a script, since a page that was opened from a folder may load scripts, but no data. */
export function searchIndex(pages) {
  const search = new MiniSearch(searchOptions);
  for (const { page, title, parts } of pages) {
    for (const { anchor, heading, text } of parts) {
      search.add({ id: `${addressOf(page)}#${anchor}`, title, heading, text });
    }
  }
  return `globalThis.blockworkSearch(${JSON.stringify(JSON.stringify(search))});\n`;
}
