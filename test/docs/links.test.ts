/** Links between the pages lead to files and headings that are there; llms.txt and the navigation of the site list every page. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/run.mjs';
import { readPages } from '../../scripts/site/pages.mjs';

async function pagesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder)).catch(() => []);
  return names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name));
}

const folders = async (folder: string): Promise<string[]> =>
  (await readdir(join(root, folder), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));

const below = [...(await folders('packages')), ...(await folders('examples'))];
const parts = ['.', 'docs', 'docs/blocks', 'docs/decisions', 'deploy', 'examples', ...below];
const pages = [...(await Promise.all(parts.map(pagesIn))).flat(), 'llms.txt'].sort();
const texts = new Map(await Promise.all(pages.map(async (page) => [page, await read(page)] as const)));

function read(page: string): Promise<string> {
  return readFile(join(root, page), 'utf8');
}

/** The text without its blocks and spans of code. */
const prose = (text: string): string => text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '').replaceAll(/`[^`\n]*`/g, '``');

/** The fragments of headings, as GitHub makes them. */
function fragmentsOf(text: string): Set<string> {
  const fragments = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const shown = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const name = shown.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    fragments.add(fragments.has(name) ? `${name}-1` : name);
  }
  return fragments;
}

const linksOf = (text: string): string[] =>
  [...prose(text).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
    .map(([, link, source]) => link ?? source ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));

it.each(pages)('%s', async (page) => {
  for (const link of linksOf(texts.get(page) ?? '')) {
    const [path = '', fragment] = link.split('#');
    const target = path === '' ? page : relative(root, join(root, dirname(page), path));
    await expect(stat(join(root, target)), link).resolves.toBeDefined();
    if (fragment === undefined) continue;
    const file = (await stat(join(root, target))).isDirectory() ? join(target, 'README.md') : target;
    expect([...fragmentsOf(texts.get(file) ?? (await read(file)))], link).toContain(fragment);
  }
});

it('llms.txt lists each page of docs', () => {
  const listed = linksOf(texts.get('llms.txt') ?? '');
  const expected = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page));
  expect(listed).toEqual(expect.arrayContaining(expected));
  expect(new Set(listed).size).toBe(listed.length);
});

it('the navigation of the site lists each page of docs', async () => {
  const { texts: listed } = await readPages();
  expect([...listed.keys()]).toContain('docs/tutorial.md');
});

it('the README names each package and each example', async () => {
  const linked = linksOf(texts.get('README.md') ?? '');
  expect(linked).toEqual(expect.arrayContaining(below));
});
