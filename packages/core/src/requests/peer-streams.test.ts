import { expect, it, vi } from 'vitest';
import { PeerStreams, type PeerStreamsDeps } from './peer-streams.js';
import { StreamShares } from './stream-shares.js';

it('a stream that is shared with nobody costs no read', async () => {
  const [get, putEvent] = [vi.fn(), vi.fn()];
  const shares = new StreamShares({ news: ['south'] });
  const streams = new PeerStreams({ shares, messages: { putEvent } } as unknown as PeerStreamsDeps);
  const event = { stream: 'other', document: { issuer: 'did:example:ann' } };
  expect(await streams.announce({ get } as never, event as never)).toEqual([]);
  expect([get.mock.calls, putEvent.mock.calls]).toEqual([[], []]);
});
