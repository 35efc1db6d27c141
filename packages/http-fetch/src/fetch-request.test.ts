import { BodyBudget, BodyShare, collectBody } from '@blockwork/http';
import { expect, it } from 'vitest';
import { FetchRequest } from './fetch-request.js';

const [chunks, bytes] = [64, 64 * 1024];
const share = (): BodyShare => new BodyShare(new BodyBudget(Infinity));

/** A body whose chunks are all there. */
function requested(): Request {
  let left = chunks;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (left === 0) controller.close();
      else controller.enqueue(new Uint8Array(bytes));
      left -= 1;
    },
  });
  return new Request('http://localhost/', { method: 'POST', body, duplex: 'half' });
}

it('a large body leaves the event loop to others every 128 KiB, however fast it comes', async () => {
  let turns = 0;
  let isRead = false;
  const count = (): void => {
    turns += 1;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  const body = await collectBody(new FetchRequest(requested()), { limit: Infinity, share: share() });
  isRead = true;
  expect(body.length).toBe(chunks * bytes);
  expect(turns).toBeGreaterThanOrEqual(chunks / 2 - 1);
});

it('no more of a body is read than is wanted', async () => {
  const request = requested();
  const limit = 10 * bytes;
  const collected = collectBody(new FetchRequest(request), { limit, share: share() });
  await expect(collected).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
});
