/** What the search of the site knows: each part of each page, and each name of the API, found by its words. */
import MiniSearch from 'minisearch';
import { dirname } from 'node:path/posix';
import { API } from './navigation.mjs';
import { addressOf } from './pages.mjs';
import { searchOptions } from './page/search-options.js';

/**
 * As a script, since a page that was opened from a folder may load scripts, but no data.
 *
 * @param {{ address: string, title: string, heading: string, text: string }[]} api addresses below that of the reference
 */
export function searchIndex(pages, api) {
  const search = new MiniSearch(searchOptions);
  for (const { page, title, parts } of pages) {
    for (const { anchor, heading, text } of parts) {
      search.add({ id: `${addressOf(page)}#${anchor}`, title, heading, text });
    }
  }
  for (const { address, ...entry } of api) {
    const id = `${dirname(API)}/${address}`;
    // Overloads have one address.
    if (!search.has(id)) search.add({ id, ...entry });
  }
  return `globalThis.blockworkSearch(${JSON.stringify(JSON.stringify(search))});\n`;
}
