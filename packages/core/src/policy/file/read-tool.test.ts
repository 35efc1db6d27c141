import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { countingIds, written } from '../../../test/policy-fixtures.js';
import { tool, toolFile } from '../../../test/tool-fixtures.js';
import { atOnce } from '../../loop-share.js';
import { readingTool } from './read-tool.js';

const read = (bytes: Uint8Array) => atOnce(readingTool(bytes, { ids: countingIds() }));

test('a tool has its blocks, its schemas, its files, and what else is said of it', () => {
  const schema = { iri: '#1', name: 'One', document: { $id: '#1', type: 'object' } };
  const entries = { 'schemas/#1.json': schema, 'ipfs/Qm1': { rate: 2 }, 'tags/0.json': {} };
  const bundle = read(toolFile(tool('T', {}, written('leaf', 'first')), entries, { codeVersion: '1.0.0' }));
  expect(bundle).toMatchObject({
    name: 'Tool',
    description: 'A tool',
    config: { blockType: 'tool', tag: 'T', children: [{ tag: 'first' }] },
    schemas: [{ id: '#1', name: 'One' }],
    artifacts: [{ id: 'Qm1' }],
    source: { codeVersion: '1.0.0' },
    findings: [],
  });
});

test.each([
  [
    'without tool.json',
    zipSync({ 'module.json': new Uint8Array([0x7b, 0x7d]) }),
    'the archive has no tool.json, so it is not a tool',
  ],
  ['whose tool.json is no object', toolFileOf('7'), 'tool.json holds 7, not a tool'],
  ['without blocks', toolFile(undefined), 'there is nothing instead of a block'],
  [
    'whose root is another block',
    toolFile(written('module', 'M')),
    'the root block of tool.json is not a tool but "module"',
  ],
])('a file %s is refused', (_, bytes, reason) => {
  expect(() => read(bytes)).toThrow(reason);
});

test('a schema that cannot be read is left out and reported', () => {
  const bytes = toolFile(tool('T'), { 'schemas/a.json': 5 });
  expect(read(bytes)).toMatchObject({ schemas: [], findings: [{ code: 'SCHEMA_UNREADABLE' }] });
});

function toolFileOf(text: string): Uint8Array {
  return zipSync({ 'tool.json': new TextEncoder().encode(text) });
}
