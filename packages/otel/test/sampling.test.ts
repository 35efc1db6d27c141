/** Head sampling: a trace dropped at its root produces no span, here or in other instances. */
import { channels, MemoryLink, MemoryLinkHub, newInstanceKey, readTraceparent, type Caller } from '@blockwork/core';
import { context, trace, TraceFlags } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { describe, expect, it, vi } from 'vitest';
import { alice, closedAfterEach, idsOf, PARENT, policy, TRACE, traceparent, type Watched } from './world.js';

const opened = closedAfterEach();
const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const unsampled = traceparent.replace(/01$/, '00');
const dropped = /^00-[\da-f]{32}-[\da-f]{16}-00$/;

const journal = async ({ engine }: Watched): Promise<(string | undefined)[]> =>
  (await engine.journal.list(owner, policy.id, {})).items.map((entry) => entry.traceparent);

/** Traces an HTTP request with a read in it; resolves to the `traceparent` that is passed on. */
async function request({ engine, read }: Watched, received?: string): Promise<string | undefined> {
  const source = engine.program.telemetrySource;
  const operation = { source, traceparent: received, requestId: 'r', method: 'GET', route: '/x' };
  await channels.http.trace(operation, async () => {
    await read('note', operation.traceparent === undefined ? {} : { traceparent: operation.traceparent });
  });
  return operation.traceparent;
}

describe('a sample ratio', () => {
  it('decides about traces that start here, and their descendants follow', async () => {
    const world = await opened({ sampleRatio: 0.3 });
    const startSpan = vi.spyOn(world.tracerProvider.getTracer('@blockwork/otel'), 'startSpan');
    const carried: (string | undefined)[] = [];
    for (let call = 0; call < 1000; call += 1) carried.push(await request(world));
    const spans = world.spans('GET /x');
    expect(spans.length).toBeGreaterThan(200);
    expect(spans.length).toBeLessThan(400);
    const reads = world.spans('blockwork.read').map((span) => idsOf(span).parent);
    expect(reads).toEqual(spans.map((span) => idsOf(span).span));
    expect(startSpan).toHaveBeenCalledTimes(2 * spans.length);
    const others = carried.filter((text) => dropped.test(text ?? ''));
    expect(others).toHaveLength(1000 - spans.length);
    const contexts = carried.map(readTraceparent);
    for (const ids of [contexts.map((each) => each?.traceId), contexts.map((each) => each?.spanId)])
      expect(new Set(ids).size).toBe(1000);
  });

  it.each([
    [0, traceparent, 1],
    [1, unsampled, 0],
  ])('of %d does not apply to traces that started elsewhere', async (sampleRatio, received, count) => {
    const world = await opened({ sampleRatio });
    const carried = await request(world, received);
    expect(world.spans('GET /x').map(idsOf)).toMatchObject(
      Array.from({ length: count }, () => ({ trace: TRACE, parent: PARENT })),
    );
    expect(world.spans()).toHaveLength(2 * count);
    expect(readTraceparent(carried)).toMatchObject({ traceId: TRACE, flags: count });
    if (count === 0) expect(carried).toBe(unsampled);
  });

  it('applies to a new trace if the traceparent is invalid', async () => {
    const [none, every] = [await opened({ sampleRatio: 0 }), await opened({ sampleRatio: 1 })];
    for (const world of [none, every]) await world.read('note', { traceparent: 'nonsense' });
    expect([none.spans().length, every.spans().length]).toEqual([0, 1]);
  });

  it('records a commit if any of its units is recorded', async () => {
    const none = await opened({ sampleRatio: 0 });
    await none.send();
    expect(none.spans()).toEqual([]);
    expect((await journal(none)).at(-1)).toMatch(dropped);
    await none.send({ traceparent });
    expect(
      none
        .spans()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['blockwork.commit', 'blockwork.send']);
    const every = await opened({ sampleRatio: 1 });
    await every.send({ traceparent: unsampled });
    expect(every.spans()).toEqual([]);
  });

  it('gives way to the active span, whatever the request says', async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    try {
      const world = await opened({ sampleRatio: 1 });
      const active = { traceId: TRACE, spanId: PARENT, traceFlags: TraceFlags.NONE };
      const carried = await context.with(trace.setSpanContext(context.active(), active), () =>
        request(world, `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`),
      );
      expect(world.spans()).toEqual([]);
      expect(carried).toBe(unsampled);
    } finally {
      context.disable();
    }
  });

  it('of the first instance decides for everything a message causes, webhooks included', async () => {
    const keys = { north: newInstanceKey(), south: newInstanceKey() };
    const hub = new MemoryLinkHub();
    const posted: Readonly<Record<string, string>>[] = [];
    const ports = (id: 'north' | 'south', other: 'north' | 'south') => ({
      link: new MemoryLink({ hub }),
      instance: { id, key: keys[id].privateKey },
      peers: [{ id: other, key: keys[other].publicKey, identities: ['did:example:*'] }],
      autoApprove: () => true,
      webhooks: {
        refusal: () => null,
        send: ({ headers }: { headers: Readonly<Record<string, string>> }) => {
          posted.push(headers);
          return Promise.resolve({ status: 204 });
        },
      },
    });
    const north = await opened({ sampleRatio: 0 }, ports('north', 'south'));
    const south = await opened({ sampleRatio: 1 }, ports('south', 'north'));
    await south.engine.webhooks.register(owner, policy.id, { url: 'https://hooks.example.org/in' });
    const action = { type: 'send-data', tag: 'note', user: { did: alice.did }, data: {} } as const;
    await north.engine.requests.ask(alice, { to: 'south', policyId: policy.id, action, traceparent: unsampled });
    await vi.waitFor(() => expect(posted).toHaveLength(1), { timeout: 60_000 });
    const traced = ({ name }: { name: string }): boolean =>
      ['POST', 'blockwork.send', 'process instance/south'].includes(name);
    expect(south.spans().filter(traced)).toEqual([]);
    expect(readTraceparent(posted[0]?.['traceparent'])).toMatchObject({ traceId: TRACE, flags: 0 });
    expect(north.spans()).toEqual([]);
  });
});
