/**
 * Live events over HTTP: a hundred clients whose connections are cut in the middle of events while units are committed, and one that
 * does not read. `npm run soak events` does the first with ten thousand units.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createClient, type PolicyEvent } from '@blockwork/client';
import { createPolicyServer, signDevelopmentToken, type PolicyServer } from '@blockwork/http-koa';
import { afterEach, expect, it } from 'vitest';
import { listeners, notesWorld, noteTags } from './support/event-policy.js';
import { owner, secret } from './support/world.js';
import { wholeNumbers } from '../support/random-numbers.mjs';
import { times } from '../support/repetitions.js';

const units = times(50, 150, 10_000);
const { BLOCKWORK_SEED = '1' } = process.env;
const seed = BLOCKWORK_SEED === 'random' ? Math.floor(Math.random() * 1_000_000) : Number(BLOCKWORK_SEED);

let server: PolicyServer | undefined;
afterEach(() => server?.close());

/** Each answer breaks off after some bytes, wherever that is. */
const cutting =
  (draw: (most: number) => number, cuts: () => void) =>
  async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    let left = draw(times(12_000, 12_000, 200_000));
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        controller.enqueue(chunk.subarray(0, Math.max(0, left)));
        left -= chunk.byteLength;
        if (left >= 0) return;
        cuts();
        controller.error(new TypeError('The connection is cut.'));
      },
    });
    const { status, headers } = response;
    return new Response(response.body?.pipeThrough(cut) ?? null, { status, headers });
  };

it(
  `a hundred clients, cut off in the middle of events, each see every unit that they may see, once and in order (seed ${seed})`,
  { timeout: 60 * 60_000 },
  async () => {
    const { engine, policyId, closedId, send, sendThere } = await notesWorld({ eventBacklog: units + 2 });
    server = createPolicyServer(engine, { auth: { secret }, eventHeartbeat: 100 });
    const { url } = await server.listen({ port: 0 });
    const policies = [policyId, closedId];
    const opening = engine.events(owner, { policyId: policies });
    const { value: open } = await opening.next();
    await opening.return();
    const after = open?.id ?? '';
    const [start = 0, closedStart = 0] = after.split(',').map((part) => Number(part.split(':')[1]));
    const draw = wholeNumbers(seed);
    const sent = [...Array.from({ length: units - 1 }, () => noteTags[draw(noteTags.length) - 1] ?? ''), 'for_all'];
    let cuts = 0;

    const following = Array.from({ length: 100 }, async (_, n) => {
      const { caller, sees } = listeners[n % listeners.length] ?? { caller: owner, sees: () => true };
      const client = createClient({
        url,
        token: signDevelopmentToken(secret, caller),
        fetch: cutting(wholeNumbers(draw(1_000_000_000)), () => void (cuts += 1)),
      });
      const received: PolicyEvent[] = [];
      for await (const event of client.events({ policies, after })) {
        if (event.type === 'open') continue;
        received.push(event);
        if (event.type === 'unit' && event.policyId === policyId && event.revision === start + units) break;
      }
      return { received, caller, expected: sent.flatMap((tag, at) => (sees(tag) ? [start + at + 1] : [])) };
    });
    for (const [at, tag] of sent.entries()) {
      if (at % 10 === 0) await sendThere();
      await send(tag);
    }

    for (const { received, expected, caller } of await Promise.all(following)) {
      const of = (id: string): number[] =>
        received.flatMap((event) => (event.type === 'unit' && event.policyId === id ? event.revision : []));
      expect(received.filter(({ type }) => type !== 'unit')).toEqual([]);
      expect(of(policyId), caller.did).toEqual(expected);
      const elsewhere = of(closedId);
      expect(elsewhere).toEqual(elsewhere.map((_, at) => closedStart + at + 1));
      expect(elsewhere.length > 0, caller.did).toBe(caller === owner);
    }
    expect(cuts).toBeGreaterThan(100);
    await engine.close();
  },
);

it('a client that does not read is not written to for ever: it gets a gap when it reads again', async () => {
  const { engine, policyId, send } = await notesWorld({ eventBacklog: 50 });
  // Every event names the position in each of these, which makes it too large for many to be on the way.
  const names = Array.from({ length: 40 }, (_, n) => `${n}`.padEnd(190, '-'));
  const others: string[] = [];
  for (const id of names) {
    const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] };
    others.push((await engine.importPolicy(owner, { id, name: id, config })).policy.id);
  }
  server = createPolicyServer(engine, { auth: { secret } });
  const { url } = await server.listen({ port: 0 });
  const query = [policyId, ...others].map((id) => `policy=${encodeURIComponent(id)}`).join('&');
  const headers = { authorization: `Bearer ${signDevelopmentToken(secret, owner)}` };
  const request = get(`${url}/api/v1/events?${query}`, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  response.pause();

  const sent = 2_000;
  for (let n = 0; n < sent; n += 1) await send('for_all');
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  response.resume();
  await expect.poll(() => text.includes('event: gap\n')).toBe(true);
  const toldBefore = text.split('event: gap\n')[0]?.split('event: unit\n').length ?? 0;
  // Kept for the client was what fits on the way and the backlog, and not the rest.
  expect(toldBefore).toBeLessThan(sent / 2);
  await send('for_all');
  await expect.poll(() => text.split('event: gap\n')[1]?.includes('event: unit\n')).toBe(true);
  request.destroy();
  await engine.close();
});
