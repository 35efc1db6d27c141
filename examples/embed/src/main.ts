/** The smallest program that embeds the engine: takes in a policy and its documents, and prints a page of them. */
import { readFile } from 'node:fs/promises';
import { createEngine } from '@blockwork/core';
import { documentInput } from '@blockwork/core/records';

const example = async (part: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`../../serve/policies/renewable-energy.${part}.json`, import.meta.url), 'utf8'));
const registry = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };

const engine = createEngine();
const { policy } = await engine.importPolicy(registry, await example('policy'));
await engine.program.documents.add(policy.id, documentInput.array().parse(await example('documents')));
const page = await engine.readBlock(registry, policy.id, { tag: 'documents_grid' }, { page: '0', itemsPerPage: '5' });
console.log(
  JSON.stringify(page, ['totalCount', 'page', 'pageSize', 'data', 'type', 'createDate', 'option', 'status'], 2),
);
await engine.close();
