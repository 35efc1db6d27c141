/** What the studio proposes to mend a finding with, and what the button says. */
import { describe, expect, it } from 'vitest';
import { blocksOf } from '../app/studio/draft/blocks.js';
import { fixesOf } from '../app/studio/findings/fixes.js';

const form = { id: 'b2', blockType: 'requestVcDocumentBlock', tag: 'report', permissions: ['Producer', 'Reader'] };
const config = {
  id: 'b1',
  blockType: 'interfaceContainerBlock',
  tag: 'root',
  permissions: ['ANY_ROLE'],
  children: [form],
};
const definition = { config, policyRoles: ['Producer'] } as never;

const fixes = (code: string, path: string, message: string) =>
  fixesOf({ code, path, message } as never, definition, blocksOf(config), new Map());

describe('a role that the policy does not have', () => {
  const proposed = fixes(
    'PERMISSION_UNKNOWN',
    '/children/0/permissions/1',
    'The role "Reader" is unknown (did you mean "Producer"?).',
  );

  it('is replaced by what was meant, added, or taken away, and each button names the role', () => {
    expect(proposed.map(({ label }) => label)).toEqual([
      expect.stringContaining('Producer'),
      expect.stringContaining('Reader'),
      expect.stringContaining('Reader'),
    ]);
    expect(proposed.map(({ operations }) => operations)).toEqual([
      [{ op: 'setOption', block: 'b2', path: '/permissions/1', value: 'Producer' }],
      [{ op: 'addEntry', list: 'policyRoles', value: 'Reader' }],
      [{ op: 'unsetOption', block: 'b2', path: '/permissions/1' }],
    ]);
  });
});

it('a block that nobody can reach is opened to those of its parent', () => {
  const [fix] = fixes('PERMISSION_MISSING', '/children/0', 'Nobody may use it.');
  expect(fix?.operations).toEqual([{ op: 'setOption', block: 'b2', path: '/permissions', value: ['ANY_ROLE'] }]);
});

it('nothing is proposed where the block is gone', () => {
  expect(fixes('PERMISSION_UNKNOWN', '/children/7/permissions/0', 'The role "Reader" is unknown.')).toEqual([]);
});
