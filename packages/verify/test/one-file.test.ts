/** The verifier as one file for a page: small, without anything of Node.js, and with the same report. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { storyOf, verifyBundle } from '@blockwork/verify';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { describe, expect, it, onTestFinished } from 'vitest';
import { changedAt, drawn, type Json } from './support/mutations.js';
import { provenMint } from '../../../test/support/proven-mint.js';

const candidates = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const executablePath = candidates.find((path) => path !== undefined && existsSync(path));

const html = '<!doctype html><title>Verify</title><script type="module" src="/page.js"></script>';
const script = `
  import { storyOf, verifyBundle } from '/verify.js';
  globalThis.verified = async (value) => {
    const report = await verifyBundle(value);
    return { report, story: storyOf(report) };
  };`;

/** What the script of the page leaves there. */
declare const verified: (value: unknown) => Promise<unknown>;

async function oneFile(): Promise<string> {
  const input = fileURLToPath(new URL('../src/index.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm' });
  const [chunk] = output;
  expect(output).toHaveLength(1);
  expect(chunk.imports).toEqual([]);
  return chunk.code;
}

describe('the verifier', () => {
  it('is one file below 200 kB that imports nothing', async () => {
    const code = await oneFile();
    expect(Buffer.byteLength(code)).toBeLessThan(200_000);
    expect(code).not.toMatch(/\b(Buffer|process|require)\b/);
  });

  it.skipIf(executablePath === undefined)('reports the same in a page with a strict policy as in Node.js', async () => {
    const [code, { engine, mint }] = [await oneFile(), await provenMint()];
    onTestFinished(() => engine.close());
    const server = createServer((request, response) => {
      const { url = '' } = request;
      response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html');
      response.setHeader('content-security-policy', "default-src 'none'; script-src 'self'");
      response.end(url === '/verify.js' ? code : url === '/page.js' ? script : html);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      timeout: 120_000,
    });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
    const bundle = JSON.parse(JSON.stringify(mint)) as Json;
    const forged = changedAt(bundle, ['documents', '1', 'document', 'credentialSubject', '0', 'site'], drawn(1));
    for (const value of [bundle, forged]) {
      const shown = await page.evaluate((bundle) => verified(bundle), value as unknown);
      const report = await verifyBundle(value);
      expect(shown).toEqual({ report, story: storyOf(report) });
      expect(report.ok).toBe(value === bundle);
    }
  });
});
