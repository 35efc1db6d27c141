import {
  groupAccessType,
  groupRelationshipType,
  memoObject,
  policyStatus,
  requestStatus,
  testStatus,
  tokenType,
} from '@blockwork/core/records';
import { describe, expect, it } from 'vitest';

describe('the enumerations are closed', () => {
  it.each([
    [
      'status of a policy',
      policyStatus,
      ['DRAFT', 'DRY-RUN', 'PUBLISH', 'PUBLISH_ERROR', 'DISCONTINUED', 'DEMO', 'VIEW'],
    ],
    ['status of a test', testStatus, ['New', 'Running', 'Stopped', 'Success', 'Failure']],
    ['tokenType', tokenType, ['fungible', 'non-fungible']],
    ['memoObj', memoObject, ['topic', 'doc']],
    ['groupAccessType', groupAccessType, ['Private', 'Global']],
    ['groupRelationshipType', groupRelationshipType, ['Single', 'Multiple']],
    ['status of a request', requestStatus, ['NEW', 'COMPLETED', 'REJECTED', 'CANCELED', 'ERROR', 'EXPIRED']],
  ])('%s', (_, enumeration, members) => {
    expect(enumeration.options).toEqual(members);
    for (const member of members) {
      const other = member === member.toUpperCase() ? member.toLowerCase() : member.toUpperCase();
      for (const value of [other, ` ${member}`, `${member} `]) expect(enumeration.safeParse(value).success).toBe(false);
    }
    for (const value of ['', null, undefined, 0, [members[0]]])
      expect(enumeration.safeParse(value).success).toBe(false);
  });
});
