/** The contract repeats the records of core, because clients need it without the engine. Both say the same. */
import {
  errorBody as engineErrorBody,
  policyRecord as enginePolicyRecord,
  requestedAction as engineRequestedAction,
  requestStatus as engineRequestStatus,
  requestType as engineRequestType,
  sender as engineSender,
} from '@blockwork/core/records';
import { permissions as enginePermissions } from '@blockwork/core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { errorBody, permissions } from '../src/index.js';
import { components } from '../src/component.js';
import { policyRecord } from '../src/records/policy-record.js';
import { requestedAction, requestStatus, requestType, sender } from '../src/records/request.js';

/** Without descriptions, names and references, which are the contract's only. */
function shape(schema: z.ZodType): unknown {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', reused: 'inline', metadata: z.registry() }));
  return JSON.parse(text, (key, value: unknown) => (key === 'description' ? undefined : value));
}

it.each([
  ['the policy record', policyRecord, enginePolicyRecord],
  ['the error body', errorBody, engineErrorBody],
  ['the sender of a request', sender, engineSender],
  ['a requested action', requestedAction, engineRequestedAction],
  ['the status of a request', requestStatus, engineRequestStatus],
  ['the type of a request', requestType, engineRequestType],
])('%s of the contract is that of the engine', (_, ours, theirs) => {
  expect(shape(ours)).toEqual(shape(theirs));
});

it('a difference between two schemas is seen', () => {
  expect(shape(policyRecord)).not.toEqual(shape(enginePolicyRecord.extend({ more: z.string() })));
});

it('the permissions of the contract are those of the engine', () => {
  expect(permissions).toEqual(enginePermissions);
});

it('each component has a name of its own', () => {
  expect(components.get(policyRecord)).toMatchObject({ id: 'PolicyRecord' });
});
