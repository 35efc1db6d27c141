/** A small policy with a block for every way in which a block can answer. */
import type { DocumentInput } from '@blockwork/core';

export const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const ODD_TAG = 'Übersicht (neu) / 100 %';

type Block = Record<string, unknown>;

const block = (n: number, blockType: string, tag: string, rest: Block = {}): Block => ({
  id: id(n),
  blockType,
  tag,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  ...rest,
});

export const blockIds = {
  root: id(1),
  roles: id(2),
  grid: id(3),
  paging: id(5),
  verifierOnly: id(6),
  nobody: id(7),
  waiting: id(10),
  sink: id(11),
  machine: id(12),
  echo: id(13),
  failing: id(14),
  slow: id(15),
  odd: id(16),
  ghost: id(17),
  outside: id(18),
  form: id(19),
} as const;

export const trialPolicy = {
  name: 'Trial',
  description: 'Every way to answer',
  topicDescription: 'Trial',
  policyTag: 'Trial',
  codeVersion: '1.5.1',
  policyRoles: ['Registrant', 'Verifier'],
  policyGroups: [
    {
      name: 'Team',
      creator: 'Registrant',
      groupAccessType: 'Private',
      groupRelationshipType: 'Multiple',
      members: ['Registrant'],
    },
  ],
  policyNavigation: [{ role: 'Registrant', steps: [{ block: 'grid', level: 1, name: 'Documents' }] }],
  config: block(1, 'interfaceContainerBlock', 'root', {
    children: [
      block(2, 'policyRolesBlock', 'choose_role', { roles: ['Verifier'], groups: ['Team'] }),
      block(3, 'interfaceDocumentsSourceBlock', 'grid', {
        children: [
          block(4, 'documentsSourceAddon', 'source', { dataType: 'vc-documents', schema: '#trial', filters: [] }),
          block(5, 'paginationAddon', 'paging'),
        ],
      }),
      block(6, 'informationBlock', 'verifier_only', { permissions: ['Verifier'] }),
      block(7, 'informationBlock', 'without_role', { permissions: ['NO_ROLE'] }),
      block(8, 'interfaceStepBlock', 'steps', {
        children: [block(9, 'informationBlock', 'first_step'), block(10, 'testEcho', 'second_step')],
      }),
      block(11, 'testSink', 'sink'),
      block(12, 'testMachine', 'machine'),
      block(13, 'testEcho', 'echo'),
      block(14, 'testFailing', 'failing'),
      block(15, 'testSlow', 'slow'),
      block(16, 'informationBlock', ODD_TAG),
      block(17, 'testGhost', 'ghost'),
      block(18, 'testOutside', 'outside'),
      block(19, 'testForm', 'form'),
    ],
  }),
};

/** Without what keeps it from being published. */
export const offeredPolicy = {
  ...trialPolicy,
  config: {
    ...trialPolicy.config,
    children: (trialPolicy.config['children'] as Block[]).filter(({ blockType }) => blockType !== 'testGhost'),
  },
};

export const documents = (count: number): DocumentInput[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `doc-${n}`,
    owner: 'did:example:owner',
    schema: '#trial',
    document: { n },
  }));

/** A policy without errors, which can be tried and published. */
export const soundPolicy = (name: string) => ({
  name,
  config: {
    id: id(100),
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    children: [block(101, 'testClock', 'clock'), block(102, 'testEcho', 'echo')],
  },
});
