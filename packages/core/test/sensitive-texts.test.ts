/** No text quotes the sensitive options of a block: findings, errors, journal and log. */
import { consoleLogger, createEngine, recentLog, type Caller } from '@blockwork/core';
import { defineBlock, sensitive } from '@blockwork/core/block';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { written } from './policy-fixtures.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };

const hidden = {
  url: 'https://name:hidden-password@api.example/v1?key=hidden%20key&n=${document.n}',
  header: 'Bearer hidden-token',
  body: '{"password":"hidden-member","unit":"kilogram"}',
};

/** A type that says everything it knows, as those of others may. */
const teller = defineBlock({
  type: 'teller',
  title: 'Teller',
  description: '',
  kind: 'interface',
  options: z.object({
    url: sensitive(z.string()),
    headers: z.array(z.object({ name: z.string(), value: sensitive(z.string()) })),
    body: sensitive(z.string().refine((text) => text.startsWith('{'), { error: ({ input }) => `is ${String(input)}` })),
  }),
  check: (node, { url, headers, body }) => [
    {
      ...{ severity: 'warning', code: 'OPTIONS_INVALID', path: node.path, block: node.uuid },
      message: `calls ${url} with ${String(headers[0]?.value)}, ${body} and hidden key`,
    },
  ],
  input: z.object({ how: z.string() }),
  receive: (ctx, { how }) => {
    const { url, headers, body } = ctx.options;
    const text = `${url.replace('${document.n}', '1')} ${String(headers[0]?.value)} ${body} hidden-member in kilogram`;
    if (how === 'fail') return ctx.fail('REMOTE_CALL_FAILED', { facts: { address: url, reason: text } });
    if (how === 'refuse')
      return ctx.fail('INPUT_INVALID', { facts: { reason: text }, details: [{ path: '', message: text }] });
    throw new TypeError(text);
  },
});

const closed: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closed.splice(0)) await close();
});

async function world(options: object = {}) {
  const lines: string[] = [];
  const log = recentLog({ to: consoleLogger({ level: 'debug', write: (line) => lines.push(line) }) });
  const engine = createEngine({ blocks: [teller], logger: log, recentLog: log, operators: [owner.did] });
  closed.push(() => engine.close());
  const { url, body, header } = hidden;
  const headers = [{ name: 'Authorization', value: header }];
  const config = written('teller', 'tell', { url, body, headers, ...options });
  const { policy, findings } = await engine.importPolicy(owner, { name: 'Tells', config });
  return { engine, policyId: policy.id, findings, lines, log };
}

it('findings of a block do not', async () => {
  const { findings, engine, policyId } = await world();
  expect(findings.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('calls https://api.example/v1?…'),
  );
  expect(JSON.stringify([findings, await engine.getFindings(owner, policyId)])).not.toContain('hidden');
});

it('neither does what is said of options that are invalid', async () => {
  const { findings, engine, policyId } = await world({ body: 'hidden-token 12' });
  expect(findings).toContainEqual(expect.objectContaining({ code: 'OPTIONS_INVALID', path: '/body' }));
  const error: unknown = await engine.readRoot(owner, policyId).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'BLOCK_MISCONFIGURED' });
  expect(String(error) + JSON.stringify([findings, error])).not.toContain('hidden');
});

it.each(['fail', 'refuse', 'throw'])('neither do errors, the journal and the log when it fails: %s', async (how) => {
  const { engine, policyId, lines, log } = await world();
  const error: unknown = await engine
    .sendToBlock(owner, policyId, { tag: 'tell' }, { how })
    .catch((caught: unknown) => caught);
  log.error('It failed.', { error });
  const { cause, message } = error as Error;
  const texts = [message, String(cause), (cause as Error | undefined)?.stack, JSON.stringify(error), ...lines];
  expect(texts.join('\n')).toContain('kilogram');
  expect(texts.join('\n')).not.toContain('hidden');
  expect(JSON.stringify(await engine.journal.list(owner, policyId))).not.toContain('hidden');
  expect(JSON.stringify(await engine.operation.log(owner))).not.toContain('hidden');
});
