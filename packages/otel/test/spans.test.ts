import { channels, createEngine, MemoryLink, MemoryLinkHub, newInstanceKey, type Operation } from '@blockwork/core';
import { startTelemetry } from '@blockwork/otel';
import { context, createContextKey, diag, DiagLogLevel, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, SamplingDecision, type Sampler } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { alice, closedAfterEach, idsOf, PARENT, policy, TRACE, traceparent, type Watched } from './world.js';

const opened = closedAfterEach();

describe('spans', () => {
  it('of reads name the block, its type and the error', async () => {
    const { read, spans } = await opened();
    await read();
    await expect(read('nowhere')).rejects.toThrow();
    const [done, failed] = spans('blockwork.read');
    expect(done?.attributes).toEqual({
      'blockwork.policy.id': policy.id,
      'blockwork.block.tag': 'note',
      'blockwork.block.type': 'note',
      'blockwork.read.kept': false,
    });
    expect([done?.kind, done?.status.code]).toEqual([SpanKind.INTERNAL, SpanStatusCode.UNSET]);
    expect(failed?.attributes).toMatchObject({ 'blockwork.block.tag': 'nowhere', 'error.type': 'BLOCK_UNKNOWN' });
    expect(failed?.status.code).toBe(SpanStatusCode.ERROR);
  });

  it('cover units of work, and commits with links to the units', async () => {
    const { send, spans } = await opened();
    await send();
    const [sent] = spans('blockwork.send');
    expect(sent?.attributes).toMatchObject({
      'blockwork.cause': 'send',
      'blockwork.block.type': 'note',
      'blockwork.attempts': 1,
      'blockwork.events': 0,
    });
    const [commit] = spans('blockwork.commit');
    expect(commit?.attributes).toMatchObject({ 'blockwork.units': 1 });
    expect(commit?.parentSpanContext).toBeUndefined();
    expect(commit?.links.map((link) => link.context.spanId)).toEqual([idsOf(sent).span]);
  });

  it('start a trace for work without a cause, and continue that of a cause', async () => {
    const { read, spans } = await opened();
    await read();
    await read('note', { traceparent });
    await read('note', { traceparent: 'nonsense' });
    const [own, continued, other] = spans('blockwork.read').map(idsOf);
    expect(continued).toMatchObject({ trace: TRACE, parent: PARENT });
    expect([own?.parent, other?.parent]).toEqual([undefined, undefined]);
    expect(new Set([own?.trace, other?.trace, TRACE]).size).toBe(3);
  });

  it('of an HTTP request are nested, and fail only for server errors', async () => {
    const { engine, read, spans } = await opened();
    const source = engine.program.telemetrySource;
    for (const status of [200, 404, 503]) {
      const operation = { source, traceparent, requestId: 'r', method: 'GET', route: '/policies/{policyId}' };
      const started: Operation & { status?: number } = operation;
      await channels.http.trace(started as typeof operation, async () => {
        if (status === 200) await read('note', { traceparent: operation.traceparent });
        started.status = status;
      });
    }
    const requests = spans('GET /policies/{policyId}');
    expect(requests.map(({ kind }) => kind)).toEqual([SpanKind.SERVER, SpanKind.SERVER, SpanKind.SERVER]);
    expect(requests.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([200, 404, 503]);
    expect(requests.map(({ attributes }) => attributes['error.type'])).toEqual([undefined, undefined, '503']);
    expect(requests.map(({ status }) => status.code)).toEqual([0, 0, SpanStatusCode.ERROR]);
    expect(idsOf(requests[0])).toMatchObject({ trace: TRACE, parent: PARENT });
    expect(idsOf(spans('blockwork.read')[0])).toMatchObject({ trace: TRACE, parent: idsOf(requests[0]).span });
  });

  it('of outgoing calls have the standard attributes, and no address beyond the host', async () => {
    const { engine, spans } = await opened();
    const about = { source: engine.program.telemetrySource, traceparent: undefined, policyId: 'p' };
    const webhook = { ...about, webhookId: 'w', messageId: 'm', origin: 'https://example.org', status: 503 };
    await channels.webhook.trace(webhook, () => Promise.reject(new Error('refused'))).catch(() => undefined);
    await channels.settle.trace({ ...about, effectId: 'e', effectType: 'mint' }, () => Promise.resolve());
    await channels.timer.trace({ ...about, timerId: 't', timerType: 'tick', lateMs: 5 }, () => Promise.resolve());
    const [posted, settled, timer] = spans();
    expect(posted).toMatchObject({ name: 'POST', kind: SpanKind.CLIENT });
    expect(posted?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'server.address': 'example.org',
      'server.port': 443,
      'http.response.status_code': 503,
      'error.type': '503',
    });
    expect(settled).toMatchObject({ name: 'blockwork.settle', kind: SpanKind.CLIENT });
    expect(settled?.attributes).toMatchObject({ 'blockwork.effect.id': 'e', 'blockwork.effect.type': 'mint' });
    expect(timer?.attributes).toMatchObject({ 'blockwork.timer.type': 'tick', 'blockwork.timer.late_ms': 5 });
  });

  it('follow a request to another instance, in one trace', async () => {
    const keys = { north: newInstanceKey(), south: newInstanceKey() };
    const hub = new MemoryLinkHub();
    const ports = (id: 'north' | 'south', other: 'north' | 'south') => ({
      link: new MemoryLink({ hub }),
      instance: { id, key: keys[id].privateKey },
      peers: [{ id: other, key: keys[other].publicKey, identities: ['did:example:*'] }],
      autoApprove: () => true,
    });
    const north = await opened({}, ports('north', 'south'));
    const south = await opened({}, ports('south', 'north'));
    const action = { type: 'send-data', tag: 'note', user: { did: alice.did }, data: {} } as const;
    await north.engine.requests.ask(alice, { to: 'south', policyId: policy.id, action, traceparent });
    await vi.waitFor(() => expect(north.spans('process instance/north')).toHaveLength(1), { timeout: 60_000 });
    const [sent] = north.spans('send instance/south');
    const [taken] = south.spans('process instance/south');
    const [ran] = south.spans('blockwork.send');
    const [replied] = south.spans('send instance/north');
    const [ended] = north.spans('process instance/north');
    for (const span of [sent, taken, ran, replied, ended]) expect(idsOf(span).trace).toBe(TRACE);
    expect([sent?.kind, taken?.kind]).toEqual([SpanKind.PRODUCER, SpanKind.CONSUMER]);
    expect(taken?.attributes).toMatchObject({
      'messaging.system': 'blockwork',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'instance/south',
      'blockwork.message.type': 'request',
      'blockwork.peer': 'north',
    });
    expect(idsOf(ran).parent).toBe(idsOf(taken).span);
    expect(idsOf(ended).parent).toBe(idsOf(ran).span);
  });

  it('cover only the selected operations of one engine, until they are stopped', async () => {
    const [one, other] = [await opened({ spans: ['read'] }), await opened()];
    await one.send();
    expect(one.spans()).toEqual([]);
    await one.read();
    expect(one.spans()).toHaveLength(1);
    expect(other.spans()).toEqual([]);
    for (const { stop } of [one, other]) {
      stop();
      stop();
    }
    await other.read();
    expect(other.spans()).toEqual([]);
    expect(Object.values(channels).some(({ isHeard }) => isHeard)).toBe(false);
  });

  it('are passed to samplers in a context that contains their parent and accepts values', async () => {
    const key = createContextKey('of a sampler');
    const seen: unknown[] = [];
    const sampler: Sampler = {
      shouldSample: (context) => {
        const [one, other] = [context.setValue(key, 1), context.setValue(key, 2)];
        const parent = trace.getSpanContext(context);
        seen.push({
          values: [context, one, other, one.deleteValue(key)].map((each) => each.getValue(key)),
          parents: [one, one.deleteValue(key)].map((each) => trace.getSpanContext(each)?.spanId),
          without: trace.getSpanContext(trace.deleteSpan(one)),
          parent: parent && { trace: parent.traceId, span: parent.spanId, isRemote: parent.isRemote },
        });
        return { decision: SamplingDecision.RECORD_AND_SAMPLED };
      },
      toString: () => 'looks',
    };
    const { read } = await opened({ tracerProvider: new BasicTracerProvider({ sampler }) });
    await read('note', { traceparent });
    await read();
    const values = [undefined, 1, 2, undefined];
    expect(seen).toEqual([
      {
        values,
        parents: [PARENT, PARENT],
        without: undefined,
        parent: { trace: TRACE, span: PARENT, isRemote: false },
      },
      { values, parents: [undefined, undefined], without: undefined, parent: undefined },
    ]);
  });

  it('that a span processor fails to start do not affect the engine', async () => {
    const errors: unknown[] = [];
    const ignore = (): void => undefined;
    const logger = { error: (...args: unknown[]) => void errors.push(args), warn: ignore, info: ignore, debug: ignore };
    diag.setLogger({ ...logger, verbose: ignore }, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
    const broken = new BasicTracerProvider({
      spanProcessors: [
        {
          onStart: () => {
            throw new Error('a broken processor');
          },
          onEnd: ignore,
          forceFlush: () => Promise.resolve(),
          shutdown: () => Promise.resolve(),
        },
      ],
    });
    const { read } = await opened({ tracerProvider: broken });
    expect(await read()).toBe('0');
    expect(errors).toHaveLength(1);
    diag.disable();
  });

  it('are not created without an SDK, and the received trace context is passed on unchanged', async () => {
    const engine = createEngine();
    const stop = startTelemetry(engine);
    const operation = {
      source: engine.program.telemetrySource,
      traceparent,
      policyId: 'p',
      block: 'b',
    };
    await channels.read.trace(operation, () => Promise.resolve());
    expect(operation.traceparent).toBe(traceparent);
    stop();
    await engine.close();
  });

  it.each([
    ['tracerProvider', { tracerProvider: {} }],
    ['meterProvider', { meterProvider: 'x' }],
    ['spans', { spans: ['reads'] }],
    ['spams', { spams: [] }],
    ['sampleRatio', { sampleRatio: 1.5 }],
    ['sampleRatio', { sampleRatio: NaN }],
    ['sampleRatio', { sampleRatio: '1' }],
  ])('refuse an invalid option: %s', async (option, options) => {
    const engine = createEngine();
    expect(() => startTelemetry(engine, options as never)).toThrow(`telemetry.${option}`);
    await engine.close();
  });
});

describe('the active span', () => {
  beforeAll(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
  afterAll(() => context.disable());

  const within = async (world: Watched, work: () => Promise<unknown>): Promise<string> => {
    const span = world.tracerProvider.getTracer('program').startSpan('program');
    await context.with(trace.setSpan(context.active(), span), work);
    span.end();
    return span.spanContext().spanId;
  };

  it('is the parent of a call by the program, unless the call names another', async () => {
    const world = await opened();
    const active = await within(world, async () => {
      await world.read();
      await world.read('note', { traceparent });
    });
    expect(world.spans('blockwork.read').map((span) => idsOf(span).parent)).toEqual([active, PARENT]);
  });

  it('is the parent of an HTTP request that another instrumentation has seen', async () => {
    const world = await opened();
    const source = world.engine.program.telemetrySource;
    const operation = { source, traceparent, requestId: 'r', method: 'GET', route: '/x' };
    const active = await within(world, () => channels.http.trace(operation, () => Promise.resolve()));
    expect(world.spans('GET /x').map((span) => idsOf(span).parent)).toEqual([active]);
  });

  it('is not the parent of background work', async () => {
    const world = await opened();
    await within(world, async () => {
      await world.engine.program.schedule.tick(policy.id, 'note').catch(() => undefined);
      await world.send();
    });
    expect(idsOf(world.spans('blockwork.commit')[0]).parent).toBeUndefined();
    const [tick] = world.spans('blockwork.send').filter(({ attributes }) => attributes['blockwork.cause'] === 'tick');
    expect(tick).toBeDefined();
    expect(idsOf(tick).parent).toBeUndefined();
  });
});
