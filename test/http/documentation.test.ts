/** The documentation below `/docs/`: a folder of files, under headers that allow nothing from elsewhere. */
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolders } from '../support/folders.js';
import { openWorld, type World } from './support/world.js';

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const inline = 'document.documentElement.dataset.theme = "os";';
const files = {
  'index.html': '<script src="site.js" defer></script>The first page',
  'docs/errors.html': 'Errors',
  'api/index.html': `<script>${inline}</script>The API`,
  'site.js': '"the script"',
  'playground/index.html': 'The playground',
  'playground/engine.js': '"the engine"',
  'playground/assets/console.js': '"the console"',
  'playground/module.wasm': 'wasm',
  'notes.txt': 'of no type that pages need',
};

const newFolder = temporaryFolders();
let world: World;
let folder: string;
beforeAll(async () => {
  folder = join(await newFolder(), 'site');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  world = await openWorld({ docs: { assets, site: folder } });
});
afterAll(() => world.close());

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(world.url + path, init);
const policyOf = (response: Response): string => response.headers.get('content-security-policy') ?? '';

it('has its first page at /docs/, where /docs leads', async () => {
  const redirect = await get('/docs', { redirect: 'manual' });
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, 'docs/']);
  expect(await (await get('/docs')).text()).toBe(files['index.html']);
});

it.each([
  ['docs/errors.html', 'text/html; charset=utf-8'],
  ['site.js', 'text/javascript; charset=utf-8'],
  ['playground/module.wasm', 'application/wasm'],
])('has the file %s as %s', async (path, type) => {
  const response = await get(`/docs/${path}`);
  expect(response.headers.get('content-type')).toBe(type);
  expect(await response.text()).toBe(files[path as keyof typeof files]);
});

it('has the headers of the console', async () => {
  const { headers } = await get('/docs/');
  const page = await get('/docs/docs/errors.html');
  expect(policyOf(page)).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

it('allows the scripts that are in a page by their hashes, and compiling to the workers of the playground alone', async () => {
  expect(policyOf(await get('/docs/api/index.html'))).toMatch(/script-src 'self' 'sha256-[\w+/]{43}=';/);
  expect(policyOf(await get('/docs/playground/engine.js'))).toContain("script-src 'self' 'unsafe-eval';");
  for (const path of ['site.js', 'playground/index.html', 'playground/assets/console.js'])
    expect(policyOf(await get(`/docs/${path}`))).toContain("script-src 'self';");
});

it('has nothing but the files that were there at the start', async () => {
  await writeFile(join(folder, 'later.html'), 'too late');
  const paths = ['later.html', 'notes.txt', 'nothing.html', 'docs', '../package.json', '%2e%2e/package.json'];
  for (const path of paths) expect((await get(`/docs/${path}`)).status, path).toBe(404);
  expect((await get('/docs/', { method: 'POST' })).status).toBe(405);
});

it('has the interface at /docs/openapi, with Swagger UI', async () => {
  const html = await (await get('/docs/openapi')).text();
  expect(html).toContain('<title>Blockwork API</title>');
  const scripts = [...html.matchAll(/src="([^"]+)"/g)].map(([, address = '']) => address);
  expect(scripts).not.toEqual([]);
  for (const address of scripts) expect((await get(address)).status, address).toBe(200);
});

it('is refused where the folder is not a site', async () => {
  const wrong = openWorld({ docs: { assets, site: await newFolder() } });
  await expect(wrong).rejects.toMatchObject({ facts: { option: 'docs.site' } });
});
