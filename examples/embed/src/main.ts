/** The smallest program that embeds the engine: imports a policy, adds documents to it, and prints a page of them. */
import { readFile } from 'node:fs/promises';
import { createEngine } from '@blockwork/core';

const file = new URL('../meter-readings.policy.json', import.meta.url);
const registry = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
const reading = (month: number) => ({
  owner: registry.did,
  document: { site: 'Hilltop', month: `2026-${String(month).padStart(2, '0')}`, megawattHours: 40 + month },
});

const engine = createEngine();
const { policy } = await engine.importPolicy(registry, JSON.parse(await readFile(file, 'utf8')));
await engine.program.documents.add(
  policy.id,
  Array.from({ length: 12 }, (_, index) => reading(index + 1)),
);
const page = await engine.readBlock(registry, policy.id, { tag: 'readings' }, { page: '1', itemsPerPage: '5' });
console.log(JSON.stringify(page, ['totalCount', 'page', 'pageSize', 'data', 'document', 'month', 'megawattHours'], 2));
await engine.close();
