/** What works through a whole definition lets the rest of the process run meanwhile. */
import { createEngine, type Caller, type PolicyEngine } from '@blockwork/core';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { written } from './policy-fixtures.js';
import { referenceTo, tool, toolFile } from './tool-fixtures.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const BLOCKS = 1_000;

const definition = (name: string) => ({
  name,
  schemas: Array.from({ length: 200 }, (_, at) => ({
    iri: `#s${String(at)}`,
    name: String(at),
    document: { $id: `#s${String(at)}`, type: 'object', properties: { value: { type: 'number' } } },
  })),
  config: {
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    children: Array.from({ length: BLOCKS - 1 }, (_, at) => ({
      ...{ blockType: 'interfaceContainerBlock', tag: `b${String(at)}`, permissions: ['ANY_ROLE'] },
      uiMetaData: { title: name },
    })),
  },
});

let engine: PolicyEngine;
let time = 0;
// Each time it is asked, a millisecond has gone by: work that asks it after each of its steps gives way after ten.
beforeEach(() => {
  engine = createEngine({ clock: { now: () => (time += 1) } });
});
afterEach(() => engine.close());

/** Turns of the event loop while the work went on. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  const turning = new AbortController();
  let turns = 0;
  const turn = async (): Promise<void> => {
    for (; !turning.signal.aborted; turns += 1) await setImmediate();
  };
  const turned = turn();
  await work().finally(() => turning.abort());
  await turned;
  return turns;
}

/** A step for each block in reading and in compiling it, ten of them on end. */
const AT_LEAST = (2 * BLOCKS) / 10;

describe('the event loop turns while', () => {
  it('a policy is imported, from JSON and from an archive', async () => {
    expect(await turnsDuring(() => engine.importPolicy(owner, definition('one')))).toBeGreaterThan(AT_LEAST);
    const { policy } = await engine.importPolicy(owner, definition('two'));
    const archive = await engine.exportPolicy(owner, policy.id);
    expect(await turnsDuring(() => engine.importPolicy(owner, archive))).toBeGreaterThan(AT_LEAST);
    const text = Buffer.from(JSON.stringify(definition('three')));
    expect(await turnsDuring(() => engine.importPolicy(owner, text))).toBeGreaterThan(AT_LEAST);
  });

  it('a tool is imported', async () => {
    const config = tool('T', {}, ...Array.from({ length: BLOCKS }, (_, at) => written('leaf', `b${String(at)}`)));
    const importing = () => engine.tools.import(owner, toolFile(config), referenceTo('m1'));
    expect(await turnsDuring(importing)).toBeGreaterThan(BLOCKS / 10);
  });

  it('a draft is replaced by another file, edited as a whole, and checked', async () => {
    const { policy } = await engine.importPolicy(owner, definition('one'));
    const { editing } = engine;
    expect(await turnsDuring(() => editing.replace(owner, policy.id, definition('two')))).toBeGreaterThan(AT_LEAST);
    expect(await turnsDuring(() => editing.checkDefinition(owner, definition('three')))).toBeGreaterThan(AT_LEAST);
    const operations = [{ op: 'setText', name: 'description', value: 'other' }];
    expect(await turnsDuring(() => editing.check(owner, policy.id, operations))).toBeGreaterThan(BLOCKS / 10);
    expect(await turnsDuring(() => engine.getFindings(owner, policy.id))).toBeGreaterThan(BLOCKS / 10);
  });

  it('a policy is exported', async () => {
    const { policy } = await engine.importPolicy(owner, definition('one'));
    expect(await turnsDuring(() => engine.exportPolicy(owner, policy.id))).toBeGreaterThan(BLOCKS / 10);
  });

  it('a policy is published', async () => {
    const { policy } = await engine.importPolicy(owner, definition('one'));
    const publish = () => engine.lifecycle.publish(owner, policy.id, '1.0.0');
    expect(await turnsDuring(publish)).toBeGreaterThan(AT_LEAST);
  });
});

it('a value that its owner changes while it is imported is imported as it was', async () => {
  const value = definition('one');
  const importing = engine.importPolicy(owner, value);
  value.config.children.length = 0;
  value.schemas.length = 0;
  const { policy } = await importing;
  const { config } = await engine.getPolicy(owner, policy.id);
  expect(config?.children).toHaveLength(BLOCKS - 1);
});

it('a tool whose file its owner changes while it is imported is imported as it was', async () => {
  const blocks = Array.from({ length: BLOCKS }, (_, at) => written('leaf', `b${String(at)}`));
  const file = toolFile(tool('T', {}, ...blocks), { 'schemas/one.json': { iri: '#one', document: {} } });
  const before = Uint8Array.from(file);
  const importing = engine.tools.import(owner, file, referenceTo('m1'));
  file.fill(0);
  expect((await importing).findings).toEqual([]);
  expect(Uint8Array.from(await engine.tools.export(owner, referenceTo('m1')))).toEqual(before);
});
