import { describe, expect, it } from 'vitest';
import { UnknownVariable, Variables } from './variables.js';

const variables = new Variables({ row: { id: 'r', option: { status: 'New' }, list: [1, { a: 2 }] }, name: 'Roof' });
variables.setUser('alice', { did: 'did:a', account: '0.0.7' });

describe('variables of a script', () => {
  it('are filled in within texts, and in keys', () => {
    expect(variables.filledIn({ '${users.alice.account}': 'a ${name} of ${users.alice.did}' })).toEqual({
      '0.0.7': 'a Roof of did:a',
    });
  });

  it('keep their type where they are the whole text', () => {
    expect(variables.filledIn(['${row.list}', '${row.list.1.a}', { deep: '${row.option}' }])).toEqual([
      [1, { a: 2 }],
      2,
      { deep: { status: 'New' } },
    ]);
  });

  it('give rows with values written into them, and stay as they are', () => {
    const set = { 'option.status': 'Approved', 'list.1.a': '${name}', 'new.member': null };
    expect(variables.filledIn({ $row: 'row', set })).toEqual({
      id: 'r',
      option: { status: 'Approved' },
      list: [1, { a: 'Roof' }],
      new: { member: null },
    });
    expect(variables.filledIn('${row.option.status}')).toBe('New');
  });

  it('belong to nobody: what is changed outside changes nothing here', () => {
    const row = variables.filledIn('${row}') as { option: { status: string } };
    row.option.status = 'Changed';
    expect(variables.filledIn('${row.option.status}')).toBe('New');
  });

  it('that nothing has saved are an error', () => {
    expect(() => variables.filledIn({ a: ['${nobody.knows}'] })).toThrow(UnknownVariable);
    expect(() => variables.filledIn({ $row: 'nobody' })).toThrow(UnknownVariable);
  });

  it('refuse a row with members that mean nothing', () => {
    expect(() => variables.filledIn({ $row: 'row', sett: {} })).toThrow('"sett"');
  });

  it('find the users that a step names', () => {
    expect(Variables.usersIn({ a: '${users.bob.did}', '${users.carol.account}': 1 })).toEqual(['bob', 'carol']);
  });
});
