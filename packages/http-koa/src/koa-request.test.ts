import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import { expect, it } from 'vitest';
import { KoaRequest } from './koa-request.js';

it('a large body leaves the event loop to others every 128 KiB, however fast it comes', async () => {
  const [chunks, chunk] = [64, Buffer.alloc(64 * 1024)];
  const req = new PassThrough({ highWaterMark: chunks * chunk.length });
  for (let n = 0; n < chunks; n += 1) req.write(chunk);
  req.end();
  let turns = 0;
  let isRead = false;
  const count = (): void => {
    turns += 1;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);

  let size = 0;
  await new KoaRequest({ req } as unknown as Context).readBody((bytes) => {
    size += bytes.length;
    return true;
  });
  isRead = true;

  expect(size).toBe(chunks * chunk.length);
  expect(turns).toBeGreaterThanOrEqual(chunks / 2 - 1);
});
