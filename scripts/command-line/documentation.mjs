/** The pages of the documentation that come with the command line, for `blockwork mcp`: what somebody needs who writes policies. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../run.mjs';

const pages = [
  'mcp',
  'making-a-policy',
  'formulas',
  'scenarios',
  'trials',
  'exploring',
  'versions',
  'spreadsheets',
  'coming-from',
  'debugging',
  'glossary',
  'limits',
  'errors',
].map((name) => `docs/${name}.md`);

/** The files that `writtenDocumentation` reads, for the hash of the sources. */
export async function documentationFiles() {
  const blocks = (await readdir(join(root, 'docs', 'blocks'))).sort().map((name) => `docs/blocks/${name}`);
  return [...pages, 'docs/policy.schema.json', ...blocks];
}

/** One JSON text: the pages by their addresses, each with its title. */
export async function writtenDocumentation() {
  const entries = (await documentationFiles()).map(async (file) => {
    const text = await readFile(join(root, file), 'utf8');
    const [, heading = file] = /^# (.+)$/m.exec(text) ?? [];
    const title = file.endsWith('.json') ? 'JSON Schema of policy files' : heading.replaceAll('`', '');
    // A block is found by its type alone.
    const address = file.replace(/^docs\/blocks\/(.+)\.md$/, 'blocks/$1');
    return [address, { title, text }];
  });
  return JSON.stringify(Object.fromEntries(await Promise.all(entries)));
}
