import { expect, test } from 'vitest';
import { readFacts } from './policy-facts.js';

function read(raw: Record<string, unknown>) {
  const complaints: string[] = [];
  const facts = readFacts(raw, '1.5.1', (member) => complaints.push(member));
  return { facts, complaints };
}

test('what a file does not say is empty or absent, without a complaint', () => {
  const { facts, complaints } = read({ instanceTopicId: null, version: null, policyGroups: null });
  expect(facts).toEqual({
    name: '',
    description: '',
    topicDescription: '',
    codeVersion: '1.5.1',
    policyRoles: [],
    policyGroups: [],
    policyTopics: [],
    policyTokens: [],
    policyNavigation: [],
    categories: [],
    extra: { instanceTopicId: null },
  });
  expect(complaints).toEqual([]);
});

test('words of closed lists are known however they are cased, and decimals may be a number', () => {
  const { facts, complaints } = read({
    policyGroups: [{ name: 'G', groupAccessType: 'private', groupRelationshipType: 'MULTIPLE', members: ['A'] }],
    policyTopics: [{ name: 'P', memoObj: 'Topic', static: false, type: 'any' }],
    policyTokens: [{ tokenName: 'T', tokenType: 'Non-Fungible', decimals: 2, own: 1 }],
  });
  expect(facts.policyGroups).toEqual([
    { name: 'G', groupAccessType: 'Private', groupRelationshipType: 'Multiple', members: ['A'] },
  ]);
  expect(facts.policyTopics).toMatchObject([{ memoObj: 'topic' }]);
  expect(facts.policyTokens).toEqual([{ tokenName: 'T', tokenType: 'non-fungible', decimals: '2', own: 1 }]);
  expect(complaints).toEqual([]);
});

test('a member that cannot be used is left out with a complaint, and the rest of its record is kept', () => {
  const { facts, complaints } = read({
    version: 'Dry Run',
    uuid: 'x',
    policyRoles: ['A', 5],
    policyGroups: [{ name: 'G', groupAccessType: 'Secret', creator: null }, 'G2'],
    policyNavigation: [{ role: 'A', steps: [{ block: 'x', level: '1' }, 3] }],
    categories: 7,
  });
  expect(facts).not.toHaveProperty('version');
  expect(facts.policyRoles).toEqual(['A']);
  expect(facts.policyGroups).toEqual([{ name: 'G' }]);
  expect(facts.policyNavigation).toEqual([{ role: 'A', steps: [{ block: 'x' }] }]);
  expect(complaints).toEqual([
    '/uuid',
    '/version',
    '/policyRoles/1',
    '/policyGroups/1',
    '/policyGroups/0/groupAccessType',
    '/policyNavigation/0/steps/1',
    '/policyNavigation/0/steps/0/level',
    '/categories',
  ]);
});

test('a version of one or two numbers is completed', () => {
  expect(read({ version: '2' }).facts.version).toBe('2.0.0');
  expect(read({ version: '2.1' }).facts.version).toBe('2.1.0');
});

test('a misspelt member is kept and complained of; another unknown one is kept', () => {
  const { facts, complaints } = read({ policyRole: ['Judge'], instanceTopicId: '0.0.1', tools: [] });
  expect(complaints).toEqual(['/policyRole']);
  expect(facts).toMatchObject({
    policyRoles: [],
    extra: { policyRole: ['Judge'], instanceTopicId: '0.0.1', tools: [] },
  });
});
