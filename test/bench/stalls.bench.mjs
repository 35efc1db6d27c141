/** The longest time for which each kind of work keeps the event loop to itself: chains, scripts, formulas, imports and lists. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { z } from 'zod';
import { median, note, report } from './support/measure.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const ALLOWED_MS = 50;
const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const block = (blockType, tag, more = {}) => ({
  blockType,
  tag,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  ...more,
});
const link = (source, target) => ({
  source,
  output: 'RunEvent',
  target,
  input: 'RunEvent',
  actor: '',
  disabled: false,
});

/** Runs the work, and gives the longest time without a turn of the event loop, in milliseconds. */
async function worstStall(work, expectedCode) {
  let [worst, last, isOver] = [0, performance.now(), false];
  const look = () => {
    const now = performance.now();
    worst = Math.max(worst, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const outcome = await work().then(
    () => 'done',
    (error) => (error.code === expectedCode ? error.code : String(error)),
  );
  isOver = true;
  return { outcome, worst: Math.max(worst, performance.now() - last) };
}

const schema = {
  iri: '#reading',
  name: 'Reading',
  document: { $id: '#reading', type: 'object', properties: { value: { type: 'number' } } },
};
const document = {
  owner: owner.did,
  schema: '#reading',
  document: { type: ['VerifiableCredential'], issuer: owner.did, credentialSubject: [{ id: 'urn:x', value: 1 }] },
};
const subject = (more) => ({
  ...document,
  document: { ...document.document, credentialSubject: [{ id: 'urn:x', ...more }] },
});
/** Sends a document with a list of as many numbers along its link. */
const startList = defineBlock({
  ...{ type: 'startList', title: '', description: '', kind: 'interface' },
  input: z.object({ value: z.number() }),
  receive: (ctx, { value }) =>
    ctx.emit('RunEvent', subject({ list: Array.from({ length: value }, (_, at) => at + 0.5) })),
});
/** Sends a document with the value that it is given along its link. */
const start = defineBlock({
  ...{ type: 'start', title: '', description: '', kind: 'interface' },
  input: z.object({ value: z.number() }),
  receive: (ctx, { value }) => ctx.emit('RunEvent', subject({ value })),
});
const policy = {
  name: 'Stalls',
  schemas: [schema],
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('start', 'to_script', { events: [link('to_script', 'script')] }),
      block('customLogicBlock', 'script', {
        expression:
          'done(Array.from({ length: documents[0].document.credentialSubject[0].value }, (_, value) => ({ value })));',
        outputSchema: '#reading',
      }),
      block('start', 'to_cycle', { events: [link('to_cycle', 'cycle_a')] }),
      block('notificationBlock', 'cycle_a', {
        title: 'a',
        message: 'b',
        type: 'INFO',
        user: 'CURRENT',
        events: [link('cycle_a', 'cycle_b')],
      }),
      block('notificationBlock', 'cycle_b', {
        title: 'a',
        message: 'b',
        type: 'INFO',
        user: 'CURRENT',
        events: [link('cycle_b', 'cycle_a')],
      }),
      block('start', 'to_sum', { events: [link('to_sum', 'sum')] }),
      block('customLogicBlock', 'sum', {
        expression: 'let sum = 0; for (let at = 0; at < 3e6; at += 1) sum += at; done({ value: sum });',
        outputSchema: '#reading',
      }),
      block('startList', 'to_formulas', { events: [link('to_formulas', 'formulas')] }),
      block('calculateContainerBlock', 'formulas', {
        inputSchema: '#reading',
        outputSchema: '#reading',
        inputFields: [{ name: 'list', title: 'list', value: 'list' }],
        outputFields: [{ name: 'value', title: 'value', value: 'total' }],
        children: [
          block('calculateMathAddon', 'equations', {
            equations: Array.from({ length: 20 }, (_, at) => ({
              ...{ variable: at === 19 ? 'total' : `part${at}`, role: '' },
              formula: 'sum(map(list .* list, f(x) = x / 3)) / count(list)',
            })),
          }),
        ],
      }),
      block('interfaceDocumentsSourceBlock', 'grid', {
        uiMetaData: { fields: [] },
        children: [block('documentsSourceAddon', 'rows', { dataType: 'vc-documents', filters: [] })],
      }),
    ],
  }),
};
const send = (engine, policyId, tag, value) => engine.sendToBlock(owner, policyId, { tag }, { value });
const nested = (levels) =>
  levels === 0 ? [] : [block('interfaceContainerBlock', `level${levels}`, { children: nested(levels - 1) })];
const large = {
  name: 'Large',
  schemas: Array.from({ length: 200 }, (_, at) => ({
    ...schema,
    iri: `#s${at}`,
    document: { ...schema.document, $id: `#s${at}` },
  })),
  config: block('interfaceContainerBlock', 'root', {
    children: Array.from({ length: 900 }, (_, at) =>
      block('informationBlock', `info${at}`, { uiMetaData: { title: `${at}` } }),
    ).concat(nested(20)),
  }),
};

const works = {
  'a cycle of 10,000 events': ['RUN_TOO_LONG', (engine, id) => send(engine, id, 'to_cycle', 1)],
  'a script with 1,000 results': ['done', (engine, id) => send(engine, id, 'to_script', 1_000)],
  'a script with 100,000 results': ['DOCUMENTS_TOO_MANY', (engine, id) => send(engine, id, 'to_script', 100_000)],
  'a script that calculates for long': ['done', (engine, id) => send(engine, id, 'to_sum', 1)],
  'formulas over a list of 5,000 numbers': ['done', (engine, id) => send(engine, id, 'to_formulas', 5_000)],
  'an import of 1,000 blocks and 200 schemas': ['done', (engine) => engine.importPolicy(owner, large)],
  'a grid of 1,000 rows': [
    'done',
    (engine, id) => engine.readBlockText(owner, id, { tag: 'grid' }, { page: '0', itemsPerPage: '1000' }),
  ],
};

for (const [name, [expected, work]] of Object.entries(works)) {
  const stalls = [];
  for (let round = 0; round < rounds; round += 1) {
    const engine = createEngine({ blocks: [...standardBlocks(), start, startList] });
    const { policy: imported } = await engine.importPolicy(owner, policy);
    await engine.lifecycle.publish(owner, imported.id, { version: '1.0.0' });
    await engine.program.documents.add(
      imported.id,
      Array.from({ length: 1_000 }, () => document),
    );
    // Code that is compiled while it runs for the first time is not what is measured.
    await work(engine, imported.id).catch(() => undefined);
    const { outcome, worst } = await worstStall(() => work(engine, imported.id), expected);
    if (outcome !== expected) throw new Error(`${name} ended with ${outcome}.`);
    stalls.push(worst);
    await engine.close();
  }
  stalls.sort((a, b) => a - b);
  const ms = (value) => `${value.toFixed(0)} ms`;
  note(`${name}: longest stall in each round`, stalls.map(ms).join(', '));
  report(
    name,
    { median: median(stalls), low: stalls[0], high: stalls.at(-1) },
    `<= ${ALLOWED_MS} ms`,
    (value) => value <= ALLOWED_MS,
  );
}
