import { isBlockworkError } from '../errors.js';
import { expect, it } from 'vitest';
import type { PolicyRecord, StoredPolicy } from '../records/index.js';
import { approvedRecord, readRecord } from './approval-service.js';

const config = { blockType: 'interfaceContainerBlock', tag: 'root' };
const policy = {
  id: 'policy-1',
  name: 'Rivers',
  description: 'Levels',
  policyTag: 'rivers',
  status: 'DRAFT',
  creator: 'did:example:owner',
  owner: 'did:example:owner',
  policyRoles: ['Farmer'],
  categories: [],
  createDate: '2026-01-01T00:00:00.000Z',
} as unknown as StoredPolicy;

const approved = (sent: object): StoredPolicy =>
  approvedRecord('1.000000001', { ...policy, ...sent } as unknown as PolicyRecord, { ...policy, config });

/** The fields for which a record is refused, each with what is said of it. */
function faults(sent: object): Readonly<Record<string, string>> {
  try {
    approved(sent);
    return {};
  } catch (error) {
    if (!isBlockworkError(error, 'RECORD_INVALID')) throw error;
    return Object.fromEntries(error.details.map(({ path, message }) => [path, message]));
  }
}

it('the approver writes the descriptive fields of a policy, and the rest stays as the server has it', () => {
  const written = {
    name: 'Lakes',
    description: 'Depths',
    topicDescription: 'T',
    policyTag: 'lakes',
    categories: ['c'],
  };
  expect(approved(written)).toEqual({ ...policy, ...written });
});

it('what the server sets may be left out or repeated, and nothing else', () => {
  expect(approved({ owner: undefined, status: undefined, config })).toEqual(policy);
  expect(faults({ owner: 'did:example:other', policyRoles: ['Farmer', 'Thief'], hash: 'x', id: 'policy-2' })).toEqual({
    '/id': 'is set by the server to "policy-1"',
    '/owner': 'is set by the server to "did:example:owner"',
    '/policyRoles': 'is set by the server to ["Farmer"]',
    '/hash': 'is set by the server to nothing',
  });
  expect(faults({ config: { ...config, tag: 'other' } })).toEqual({
    '/config': 'differs from the configuration of the policy',
  });
});

it('a long value of the server is shown in part', () => {
  const reference = { ...policy, policyRoles: ['x'.repeat(1_000)] } as unknown as StoredPolicy;
  expect(() => approvedRecord('1.1', { ...policy } as unknown as PolicyRecord, reference)).toThrow(
    expect.objectContaining({
      details: [{ path: '/policyRoles', message: `is set by the server to ["${'x'.repeat(198)}` }],
    }),
  );
});

it('the id of a message may be that of the request', () => {
  expect(faults({ messageId: '1.000000001' })).toEqual({});
  expect(faults({ messageId: '1.000000002' })).toEqual({ '/messageId': 'is set by the server to nothing' });
  expect(approved({ messageId: '1.000000001' })).not.toHaveProperty('messageId');
});

it('what is no record, or nests too deep, is refused with the reason', () => {
  let deep: unknown = {};
  for (let n = 0; n < 1_000; n += 1) deep = { deep };
  const refusal = (body: unknown): unknown => {
    try {
      return readRecord('1.1', body);
    } catch (error) {
      return error;
    }
  };
  expect(refusal({ deep })).toMatchObject({
    code: 'RECORD_INVALID',
    details: [{ path: '', message: 'nests too deep' }],
  });
  expect(refusal('text')).toMatchObject({ code: 'RECORD_INVALID', details: [{ path: '' }] });
});
