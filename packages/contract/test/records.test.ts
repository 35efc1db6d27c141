/** The engine and the contract have one schema for what both speak of. */
import * as engine from '@blockwork/core/records';
import { permissions as enginePermissions } from '@blockwork/core';
import { expect, it } from 'vitest';
import { permissions } from '../src/index.js';
import { components } from '../src/component.js';
import * as contract from '../src/records.js';

const shared = Object.keys(contract).filter((name) => name in engine) as (keyof typeof contract &
  keyof typeof engine)[];

it('what the engine stores is checked by the schemas that the interface shows', () => {
  expect(shared).toEqual(
    expect.arrayContaining(['errorBody', 'messageId', 'policyRecord', 'policyToken', 'requestedAction', 'sender']),
  );
});

it.each(shared)('%s is one schema', (name) => {
  expect(engine[name]).toBe(contract[name]);
});

it('the permissions of the contract are those of the engine', () => {
  expect(permissions).toEqual(enginePermissions);
});

it('each component has a name of its own', () => {
  expect(components.get(contract.policyRecord)).toMatchObject({ id: 'PolicyRecord' });
});
