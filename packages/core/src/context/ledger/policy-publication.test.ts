import { MemoryLedger } from '../../memory/memory-ledger.js';
import type { Ledger } from '../../ports/ledger.js';
import { describe, expect, it } from 'vitest';
import { openBook } from '../../../test/ledger-book.js';
import { schemasInOrder } from './published-schemas.js';

const record = {
  ...{ id: 'policy-1', uuid: 'u', name: 'Solar', description: 'd', topicDescription: 't', version: '1.0.0' },
  ...{ policyTag: 'solar', owner: 'did:example:owner', status: 'PUBLISH' },
} as never;
const schema = (id: string, ...uses: string[]) => ({
  ...{ id, name: id, entity: 'VC', status: '', source: {} },
  document: { $id: id, $defs: Object.fromEntries([id, ...uses].map((iri) => [iri, {}])) },
});

async function published(ledger: Ledger) {
  const book = await openBook({ externalLedger: ledger });
  const put = (value: ReturnType<typeof schema>) =>
    ({ op: 'put', kind: 'schema', partition: 'policy-1', value }) as const;
  await book.store.commit({ expect: {}, changes: [put(schema('#a', '#b')), put(schema('#b'))] });
  await book.unit(async (to) => {
    await to.publishPolicy(record);
    await to.discontinuePolicy(record, '2026-01-02T00:00:00.000Z', false);
  });
  return book;
}

describe('a policy that is published', () => {
  it('is in the book of a ledger that publishes policies: its topic, its schemas, the topic of what it does, then itself', async () => {
    const book = await published(Object.assign(new MemoryLedger(), { publishesPolicies: true }));
    const { items } = await book.ledger.listEffects('policy-1');
    const messages = new Map((await book.ledger.listMessages('policy-1')).map((each) => [each.id, each]));
    const [topic, b, a, root, policy, end] = items;
    const messageOf = (effect: (typeof items)[number] | undefined) => messages.get(effect?.messageId ?? '');
    const about = {
      uuid: 'u',
      name: 'Solar',
      description: 'd',
      topicDescription: 't',
      version: '1.0.0',
      policyTag: 'solar',
    };
    expect(topic?.body).toEqual({ name: 'blockwork/policy', owner: 'did:example:owner', policy: about });
    expect(root?.body).toEqual({ name: 'root', owner: '', policyTopicId: topic?.topicId });
    const body = { ...about, instanceTopicId: root?.topicId };
    const shared = { topicId: topic?.topicId, owner: 'did:example:owner' };
    expect(messageOf(b)).toMatchObject({ ...shared, type: 'schema', relationships: [], body: { iri: '#b' } });
    expect(messageOf(a)).toMatchObject({
      ...shared,
      type: 'schema',
      relationships: [b?.messageId],
      body: { iri: '#a' },
    });
    expect(messageOf(policy)).toMatchObject({ ...shared, type: 'publish-policy', body });
    const effectiveDate = '2026-01-02T00:00:00.000Z';
    expect(messageOf(end)).toMatchObject({ ...shared, type: 'discontinue-policy', body: { ...body, effectiveDate } });
    expect(items).toHaveLength(6);
  });

  it('is not, with any other ledger', async () => {
    const book = await published(new MemoryLedger());
    expect((await book.ledger.listEffects('policy-1')).items).toEqual([]);
    expect(await book.reader.topics()).toEqual([]);
  });
});

describe('the order of schemas', () => {
  const order = (...schemas: Parameters<typeof schemasInOrder>[0]) =>
    schemasInOrder(schemas)
      .map(({ id }) => id)
      .join('');

  it('has each after those that it uses, each once, and ends in a circle', () => {
    expect(order(schema('a', 'b', 'c'), schema('b', 'd'), schema('c', 'd'), schema('d'))).toMatch(/^d(bc|cb)a$/);
    expect(order(schema('a', 'b'), schema('b', 'a'))).toBe('ba');
    expect(order(schema('a', 'elsewhere'), { ...schema('b'), document: null })).toBe('a');
    const chain = Array.from({ length: 5_000 }, (_, at) => schema(String(at), String(at + 1)));
    expect(schemasInOrder(chain)[0]?.id).toBe('4999');
  });
});
