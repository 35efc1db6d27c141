/** The console as a server serves it: its files and nothing else, under a strict policy. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '@blockwork/core';
import { createPolicyServer, type PolicyServer } from '@blockwork/http-koa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const secret = new Uint8Array(32).fill(1);
const engine = createEngine();
let folder: string;
let server: PolicyServer;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockwork-console-'));
  const app = join(folder, 'app');
  await mkdir(join(app, 'assets'), { recursive: true });
  await writeFile(join(app, 'index.html'), '<!doctype html><title>Console</title>');
  await writeFile(join(app, 'assets', 'main-1a2b.js'), 'export {};');
  await writeFile(join(app, 'notes.txt'), 'of no type that is served');
  await writeFile(join(folder, 'private.js'), 'outside');
  server = createPolicyServer(engine, { auth: { secret }, console: { assets: app }, prefix: '/policies/v1' });
  ({ url } = await server.listen({ port: 0 }));
});

afterAll(async () => {
  await server.close();
  await engine.close();
  await rm(folder, { recursive: true });
});

describe('The console', () => {
  it('is served to anyone, and is told where the interface is', async () => {
    const page = await fetch(`${url}/console/`);
    expect(await page.text()).toContain('<title>Console</title>');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await (await fetch(`${url}/console/settings.json`)).json()).toEqual({ prefix: '/policies/v1' });
  });

  it('is found without the slash as well, below any path', async () => {
    const answer = await fetch(`${url}/console`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, 'console/']);
  });

  it('allows no inline code, no evaluation and no other host', async () => {
    const policy = (await fetch(`${url}/console/`)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('http');
  });

  it('lets browsers keep files whose name is their hash, and nothing else', async () => {
    const caching = async (path: string): Promise<string | null> =>
      (await fetch(`${url}/console/${path}`)).headers.get('cache-control');
    expect(await caching('assets/main-1a2b.js')).toContain('immutable');
    expect(await caching('')).toBe('no-cache');
  });

  it.each([
    '/console/../private.js',
    '/console/%2e%2e/private.js',
    '/console/..%2fprivate.js',
    '/console/notes.txt',
    '/console/none.js',
  ])('has no file at %s', async (path) => {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(404);
  });

  it('only answers reads', async () => {
    expect((await fetch(`${url}/console/`, { method: 'POST' })).status).toBe(405);
  });

  it('is not there unless it is asked for, and not from a folder without a page', async () => {
    const without = createPolicyServer(engine, { auth: { secret } });
    const other = await without.listen({ port: 0 });
    expect((await fetch(`${other.url}/console/`)).status).toBe(404);
    await without.close();
    expect(() => createPolicyServer(engine, { auth: { secret }, console: { assets: folder } })).toThrow(
      'console.assets',
    );
  });
});
