/** The names of metrics and labels that `/metrics` prints once everything that is measured has happened. */
import { standardBlocks } from '@blockwork/blocks';
import { channels, createEngine, type PolicyEngine } from '@blockwork/core';
import { serveMetrics } from '@blockwork/http-koa';

const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const alice = { did: 'did:example:alice', role: 'USER' };
const roles = {
  ...{ blockType: 'policyRolesBlock', tag: 'choose_role', permissions: ['NO_ROLE'] },
  ...{ defaultActive: true, roles: ['Producer'] },
};
const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'], children: [roles] };

/** The labels of each series, by its name: `blockwork_read_duration_seconds_bucket` -> `le`, ... */
export async function printedMetrics(): Promise<Map<string, Set<string>>> {
  const webhooks = { refusal: () => null, send: () => Promise.resolve({ status: 500 }) };
  const engine = createEngine({ blocks: standardBlocks(), webhooks });
  const metrics = await serveMetrics(engine, { port: 0 });
  try {
    await getStuck(engine);
    await doEverything(engine);
    return seriesIn(await (await fetch(`${metrics.url}/metrics`)).text());
  } finally {
    await metrics.close();
    await engine.close();
  }
}

/** Background work that fails: a webhook whose receiver does. */
async function getStuck(engine: PolicyEngine): Promise<void> {
  const { policy } = await engine.importPolicy(owner, { name: 'Roles', policyRoles: ['Producer'], config });
  await engine.lifecycle.publish(owner, policy.id, '1.0.0');
  await engine.webhooks.register(owner, policy.id, { url: 'https://hooks.example.org/in' });
  await engine.sendToBlock(alice, policy.id, { tag: 'choose_role' }, { role: 'Producer' });
  await engine.program.webhooks.idle();
}

/** One operation of each kind, done and failed, with everything that may be known of it. */
async function doEverything(engine: PolicyEngine): Promise<void> {
  const operation = {
    ...{ source: engine.program.telemetrySource, traceparent: undefined, policyId: 'policy' },
    ...({ block: 'block', blockType: 'buttonBlock', kept: true, cause: 'send', attempts: 1 } as const),
    ...{ units: 1, changes: 1, traceparents: [], effectId: 'effect', effectType: 'mint', webhookId: 'hook' },
    ...{ messageId: 'message', topic: 'topic', messageType: 'request', origin: 'https://hooks.example.org' },
    ...{ timerId: 'timer', timerType: 'tick', lateMs: 1, requestId: 'request', method: 'GET', route: '/', status: 200 },
  };
  for (const channel of Object.values(channels)) {
    await channel.trace({ ...operation }, () => Promise.resolve());
    await channel.trace({ ...operation }, () => Promise.reject(new Error('as it may fail'))).catch(() => undefined);
  }
}

function seriesIn(text: string): Map<string, Set<string>> {
  const series = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const labelSets = series.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) labelSets.add(label);
    series.set(name, labelSets);
  }
  return series;
}
