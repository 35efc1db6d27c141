/** What operators are told of an instance, and nobody else. */
import { createEngine, MemoryStore, type Caller } from '@blockwork/core';
import { expect, it } from 'vitest';

const operator: Caller = { did: 'did:example:operator', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:example:user', role: 'USER' };

it('operators see what waits, what the store can do, and every limit as JSON has it', async () => {
  const engine = createEngine({ store: new MemoryStore(), limits: { hops: 77 } });
  const seen = await engine.operation.get(operator);
  expect(seen).toMatchObject({ store: { durable: false, shared: false }, limits: { hops: 77, policyDocuments: null } });
  expect(seen.backlog).toEqual(await engine.program.getBacklog());
  expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
  await expect(engine.operation.get(user)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await engine.close();
});
