/** CIDs as other programs compute them, and files in a node that answers what it likes. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { cidOf, kuboFiles } from '../src/index.js';
import { message, messageEffect, startBench, topicEffect } from './support/bench.js';

const golden = JSON.parse(await readFile(new URL('golden/cids.json', import.meta.url), 'utf8')) as {
  readonly files: readonly (readonly [size: number, cid: string])[];
};

/** The golden files: as many bytes of SHAKE256 of their size. */
const fileOf = (size: number): Buffer =>
  size === 0 ? Buffer.alloc(0) : createHash('shake256', { outputLength: size }).update(String(size)).digest();

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A node of IPFS that gives each file its CID, or another one. */
async function node(answer?: { readonly status: number; readonly hash: string }) {
  const files: string[] = [];
  const urls: string[] = [];
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [, content = ''] = /\r\n\r\n([^]*)\r\n--/.exec(Buffer.concat(chunks).toString('utf8')) ?? [];
      files.push(content);
      urls.push(request.url ?? '');
      const { status = 200, hash = cidOf(Buffer.from(content, 'utf8')) } = answer ?? {};
      reply.writeHead(status).end(`${JSON.stringify({ Name: 'file', Hash: hash, Size: '1' })}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return {
    files,
    urls,
    store: kuboFiles({ url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` }),
  };
}

it('CIDs are those of another implementation', () => {
  const wrong = golden.files.filter(([size, cid]) => cidOf(fileOf(size)) !== cid);
  expect(wrong).toEqual([]);
  expect(golden.files).toHaveLength(200);
});

it('the CID of a known file', () => {
  expect(cidOf(Buffer.from('hello world'))).toBe('bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e');
});

it('a file is added with the parameters that its CID depends on, and pinned', async () => {
  const { store, files, urls } = await node();
  expect(await store.put(Buffer.from('{"a":"ü"}', 'utf8'))).toBe(cidOf(Buffer.from('{"a":"ü"}', 'utf8')));
  expect(files).toEqual(['{"a":"ü"}']);
  expect(urls[0]).toMatch(/cid-version=1&raw-leaves=true&chunker=size-262144&pin=true/);
});

it('a node that gives another CID is not believed', async () => {
  const { store } = await node({ status: 200, hash: 'bafkreiaaaa' });
  await expect(store.put(Buffer.from('x'))).rejects.toThrow('gives the file the CID bafkreiaaaa, but it has bafkrei');
  // However long what it says about that is.
  const failing = await node({ status: 500, hash: 'x'.repeat(10_000) });
  await expect(failing.store.put(Buffer.from('x'))).rejects.toThrow('answers 500');
  const endless = await node({ status: 200, hash: 'b'.repeat(100_000) });
  await expect(endless.store.put(Buffer.from('x'))).rejects.toThrow('is larger than 4096 bytes');
});

it('a document is in the file store, byte by byte, before the message that names it', async () => {
  const { store, files } = await node();
  const bench = startBench({ files: store });
  const adapter = bench.open();
  await adapter.settle(topicEffect(), { document: null, token: null });
  const document = '{"id":"urn:uuid:1","issuer":"did:example:i","n":1.50}';
  await adapter.settle(messageEffect(message('1767225610.000000001')), { document, token: null });
  expect(files).toEqual([document]);
  const cid = cidOf(Buffer.from(document, 'utf8'));
  const [topic] = bench.ledger.topics.values();
  expect(JSON.parse(topic?.messages.at(-1)?.text ?? '')).toMatchObject({ cid, uri: `ipfs://${cid}` });
});

it('without its file a message is not sent', async () => {
  const { store } = await node({ status: 503, hash: '' });
  const bench = startBench({ files: store });
  const adapter = bench.open();
  await adapter.settle(topicEffect(), { document: null, token: null });
  const before = bench.network.submissions;
  const effect = messageEffect(message('1767225610.000000001'));
  await expect(adapter.settle(effect, { document: '{}', token: null })).rejects.toThrow('answers 503');
  expect(bench.network.submissions).toBe(before);
});
