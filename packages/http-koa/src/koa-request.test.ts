import { PassThrough } from 'node:stream';
import { BodyBudget, BodyShare, collectBody } from '@blockwork/http';
import type { Context } from 'koa';
import { expect, it } from 'vitest';
import { KoaRequest } from './koa-request.js';

it('a large body leaves the event loop to others every 128 KiB, however fast it comes', async () => {
  const [chunks, chunk] = [64, Buffer.alloc(64 * 1024)];
  const req = Object.assign(new PassThrough({ highWaterMark: chunks * chunk.length }), { headers: {} });
  for (let n = 0; n < chunks; n += 1) req.write(chunk);
  req.end();
  let turns = 0;
  let isRead = false;
  const count = (): void => {
    turns += 1;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);

  const share = new BodyShare(new BodyBudget(Infinity));
  const body = await collectBody(new KoaRequest({ req } as unknown as Context), { limit: Infinity, share });
  isRead = true;

  expect(body.length).toBe(chunks * chunk.length);
  expect(turns).toBeGreaterThanOrEqual(chunks / 2 - 1);
});
