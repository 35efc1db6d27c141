/** What findings propose is data as well: a program that applies it has mended the mistake. */
import { standardBlocks } from '@blockwork/blocks';
import { isBlockworkError, type Finding, type Suggestion } from '@blockwork/core';
import { readPolicy } from '@blockwork/core/files';
import { expect, it } from 'vitest';
import { mistakesInBlocks } from './in-blocks.js';
import { mistakesInNames } from './in-names.js';
import { mistakesInOptions } from './in-options.js';
import { mistakesInPolicies } from './in-policies.js';
import { blockOf, soundPolicy, type Policy } from './sound-policy.js';

const all = [...mistakesInBlocks, ...mistakesInOptions, ...mistakesInPolicies, ...mistakesInNames];

async function findingsOf(policy: Policy): Promise<readonly Finding[]> {
  try {
    const file = new TextEncoder().encode(JSON.stringify(policy));
    return (await readPolicy(file, { blocks: standardBlocks() })).findings;
  } catch (error) {
    if (!isBlockworkError(error)) throw error;
    return [];
  }
}

const hint = /did you mean "([^"]+)"/;

const isHinting = ({ message }: Finding): boolean => hint.test(message);

const hinting: { readonly name: string; readonly policy: () => Policy; readonly finding: Finding }[] = [];
for (const { name, make } of all) {
  const policy = (): Policy => {
    const made = soundPolicy();
    make(made);
    return made;
  };
  for (const finding of (await findingsOf(policy())).filter(isHinting)) hinting.push({ name, policy, finding });
}

/** Without a hint in words, the suggestions are still what the message advises. */
const advising: readonly [name: string, make: (policy: Policy) => void, code: string, members: object][] = [
  [
    'the run of a mint comes back to it',
    (policy) => {
      Reflect.deleteProperty(blockOf(policy, 'mint'), 'stopPropagation');
      blockOf(policy, 'mint')['events'] = [
        { source: 'mint', output: 'RunEvent', target: 'save_approved', input: 'RunEvent', actor: '' },
      ];
    },
    'LINK_CIRCULAR',
    { kind: 'removal' },
  ],
  [
    'a button sets a field beside the status',
    (policy) => {
      const { buttons } = blockOf(policy, 'decide')['uiMetaData'] as { buttons: { field: string }[] };
      for (const button of buttons) button.field = 'options.status';
    },
    'OPTIONS_INVALID',
    { kind: 'value', value: 'option.status' },
  ],
  [
    'documents go nowhere',
    (policy) => Reflect.deleteProperty(blockOf(policy, 'save_decision'), 'dataSource'),
    'OPTIONS_INVALID',
    { kind: 'value', value: 'database' },
  ],
  [
    'a schema requires what is nothing like a field',
    (policy) => {
      const [schema] = policy['schemas'] as { document: { required: string[] } }[];
      schema?.document.required.push('elsewhere');
    },
    'SCHEMA_DOUBTFUL',
    { kind: 'removal', at: '/required/2' },
  ],
];

it.each(advising)('%s: following the suggestion mends it', async (_name, make, code, members) => {
  const policy = soundPolicy();
  make(policy);
  const finding = (await findingsOf(policy)).find((each) => each.code === code);
  const [suggestion] = finding?.suggestions ?? [];
  expect(suggestion).toMatchObject(members);
  if (finding === undefined || suggestion === undefined) return;
  apply(wholeOf(policy, finding, suggestion), suggestion);
  expect((await findingsOf(policy)).map(({ message }) => message)).not.toContain(finding.message);
});

it('a form whose documents nothing saves is to be followed by a block that does', async () => {
  const policy = soundPolicy();
  const producer = blockOf(policy, 'producer');
  producer.children = (producer.children ?? []).filter(({ tag }) => tag === 'report');
  const [finding] = (await findingsOf(policy)).filter(({ code }) => code === 'DOCUMENT_UNSAVED');
  expect(finding?.suggestions).toEqual([
    { kind: 'block', at: '/children/1/children/0', blockType: 'sendToGuardianBlock', place: 'after' },
  ]);
});

it('some thirty kinds of mistakes have a hint', () => {
  expect(hinting.length).toBeGreaterThan(30);
});

it.each(hinting)('$name: the hint is a suggestion, and following it mends what was found', async (mistake) => {
  const { finding, policy } = mistake;
  const [, meant = ''] = hint.exec(finding.message) ?? [];
  const [suggestion] = finding.suggestions ?? [];
  expect(suggestion, finding.message).toBeDefined();
  if (suggestion === undefined) return;
  expect(suggestion.kind === 'name' ? suggestion.name : JSON.stringify(suggestion)).toContain(meant);
  const mended = policy();
  apply(wholeOf(mended, finding, suggestion), suggestion);
  const left = (await findingsOf(mended)).map(({ code, message }) => `${code} ${message}`);
  expect(left).not.toContain(`${finding.code} ${finding.message}`);
});

/** What the suggestion points into. */
function wholeOf(policy: Policy, { pointer }: Finding, suggestion: Suggestion): unknown {
  const schema = 'schema' in suggestion ? suggestion.schema : undefined;
  if (schema === undefined) return pointer === undefined ? policy['config'] : policy;
  const schemas = policy['schemas'] as readonly { readonly iri: string; readonly document: unknown }[];
  return schemas.find(({ iri }) => iri === schema)?.document;
}

function apply(whole: unknown, suggestion: Suggestion): void {
  const steps = suggestion.at
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = steps.pop() ?? '';
  const holder = steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], whole);
  const members = holder as Record<string, unknown>;
  if (suggestion.kind === 'value') members[last] = suggestion.value;
  if (suggestion.kind === 'removal' && Array.isArray(holder)) holder.splice(Number(last), 1);
  if (suggestion.kind !== 'name') return;
  members[suggestion.name] = members[last];
  Reflect.deleteProperty(members, last);
}
