/** The tables of the interface, section "Resources and their fields", field for field. */
import {
  errorBody,
  groupMembership,
  navigationEntry,
  navigationStep,
  paginationState,
  policyGroup,
  policyRecord,
  policyTest,
  policyToken,
  policyTopic,
  storedPolicy,
} from '@blockwork/core/records';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';

interface Field {
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
  readonly required?: true;
}
type Table = Readonly<Record<string, Field>>;

const noText = [null, 7, true, {}, ['text']];
const field = (valid: readonly unknown[], invalid: readonly unknown[]): Field => ({ valid, invalid });
const required = (one: Field): Field => ({ ...one, required: true });

const text = field(['text', ''], noText);
const flag = field([true, false], [null, 'true', 1, {}]);
const number = field([0, 2.5, -1], [null, '1', NaN, true, {}]);
const texts = field([[], ['Installer', '']], [null, 'Installer', [7], [null], {}]);
const oneOf = (values: readonly string[]): Field =>
  field(values, [...noText, '', 'else', values[0]!.toLowerCase() + ' ']);
const uuid = field(
  [
    '5b0c8a36-7f0b-4d5e-9a51-3f0d3a6f1c2b',
    '5B0C8A36-7F0B-0D5E-FA51-3F0D3A6F1C2B',
    '00000000-0000-0000-0000-000000000000',
  ],
  [
    ...noText,
    '',
    '5b0c8a367f0b4d5e9a513f0d3a6f1c2b',
    '5b0c8a36-7f0b-4d5e-9a51-3f0d3a6f1c2',
    'x5b0c8a36-7f0b-4d5e-9a51-3f0d3a6f1c2b',
  ],
);
const version = field(['1.0.0', '10.20.30'], [...noText, '', '1.0', '1.0.0.0', 'v1.0.0', '1.0.x', '1.0.0-beta']);
const topicId = field(['0.0.4812345'], [...noText, '', '0.0', '0.0.x', '0.0.1.2', ' 0.0.1', '-1.0.1']);
const messageId = field(
  ['1706823227.586179534'],
  [...noText, '', '1706823227', '1706823227.', '.586', '1.2.3', '1706823227-586179534'],
);
const timestamp = field(
  ['2026-03-14T09:26:53.589Z', '2026-03-14T09:26:53Z'],
  [
    ...noText,
    '',
    '2026-03-14',
    '2026-03-14T09:26:53.589+01:00',
    '2026-02-30T09:26:53Z',
    'Sat, 14 Mar 2026 09:26:53 GMT',
  ],
);
const listOf = (one: object, wrong: object): Field =>
  field([[], [one], [one, {}]], [null, {}, 'text', ['text'], [null], [wrong]]);

const policyStatus = ['DRAFT', 'DRY-RUN', 'PUBLISH', 'PUBLISH_ERROR', 'DISCONTINUED', 'DEMO', 'VIEW'];

const tables: Readonly<Record<string, { readonly schema: z.ZodType; readonly fields: Table; readonly open: boolean }>> =
  {
    'policy record': {
      schema: policyRecord,
      open: true,
      fields: {
        id: required(field(['66f0c0ffee'], noText)),
        uuid: required(uuid),
        name: required(text),
        description: required(text),
        topicDescription: required(text),
        policyTag: required(text),
        status: required(oneOf(policyStatus)),
        creator: required(text),
        owner: required(text),
        topicId: required(topicId),
        messageId: required(messageId),
        codeVersion: required(version),
        createDate: required(timestamp),
        version: required(version),
        config: field([{}, { blockType: 'x', anything: [1, null, { deep: true }] }], [null, 'text', 7, []]),
        userRole: required(text),
        userRoles: required(texts),
        userGroup: field([{}, { uuid: uuid.valid[0], role: 'Installer' }], [null, 'text', [], { uuid: 'x' }]),
        userGroups: listOf({ role: 'Installer' }, { active: 'yes' }),
        policyRoles: required(texts),
        policyNavigation: listOf({ role: 'Installer', steps: [{ level: 1 }] }, { steps: [{ level: '1' }] }),
        policyTopics: listOf({ memoObj: 'topic' }, { memoObj: 'else' }),
        policyTokens: listOf({ tokenType: 'fungible' }, { tokenType: 'else' }),
        policyGroups: listOf({ groupAccessType: 'Private' }, { groupAccessType: 'else' }),
        categories: required(texts),
        projectSchema: required(uuid),
        tests: listOf({ status: 'New' }, { status: 'else' }),
      },
    },
    'group membership': {
      schema: groupMembership,
      open: true,
      fields: { uuid, role: text, groupLabel: text, groupName: text, active: flag },
    },
    'navigation entry': {
      schema: navigationEntry,
      open: true,
      fields: { role: text, steps: listOf({ block: 'tag', level: 1, name: 'Home' }, { name: 7 }) },
    },
    'navigation step': { schema: navigationStep, open: true, fields: { block: text, level: number, name: text } },
    'policy topic': {
      schema: policyTopic,
      open: true,
      fields: {
        name: text,
        description: text,
        memoObj: oneOf(['topic', 'doc']),
        static: flag,
        type: field(['any', 'INSTANCE_POLICY_TOPIC', ''], noText),
      },
    },
    'policy token definition': {
      schema: policyToken,
      open: true,
      fields: {
        tokenName: text,
        tokenSymbol: text,
        tokenType: oneOf(['fungible', 'non-fungible']),
        decimals: field(['2', ''], [...noText, 2]),
        changeSupply: flag,
        enableAdmin: flag,
        enableFreeze: flag,
        enableKYC: flag,
        enableWipe: flag,
        templateTokenTag: text,
      },
    },
    'policy group': {
      schema: policyGroup,
      open: true,
      fields: {
        name: text,
        creator: text,
        groupAccessType: oneOf(['Private', 'Global']),
        groupRelationshipType: oneOf(['Single', 'Multiple']),
        members: texts,
      },
    },
    'policy test': {
      schema: policyTest,
      open: true,
      fields: {
        id: text,
        uuid,
        name: text,
        policyId: text,
        owner: text,
        status: oneOf(['New', 'Running', 'Stopped', 'Success', 'Failure']),
        date: timestamp,
        duration: number,
        progress: number,
        resultId: uuid,
        result: text,
      },
    },
    'block pagination state': {
      schema: paginationState,
      open: false,
      fields: { size: required(number), itemsPerPage: required(number), page: required(number) },
    },
    'error body': {
      schema: errorBody,
      open: false,
      fields: {
        code: required(field([500, 404], [null, '500', 500.5, {}])),
        message: required(text),
        error: text,
        details: field([[], [{ path: '/page', message: 'must be an integer' }]], [null, {}, [{}], [{ path: '/page' }]]),
        requestId: text,
      },
    },
  };

/** A record with every field, or with the required ones only. */
const whole = (fields: Table, take: (one: Field) => boolean = () => true): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, one]) => (take(one) ? [[name, one.valid[0]]] : [])));

const without = (record: Record<string, unknown>, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

describe.each(Object.entries(tables))('%s', (_, { schema, fields, open }) => {
  const names = Object.keys(fields);

  it('takes a record with every field as it is, and one with the required fields only', () => {
    expect(schema.parse(whole(fields))).toEqual(whole(fields));
    const least = whole(fields, (one) => one.required === true);
    expect(schema.parse(least)).toEqual(least);
  });

  it('refuses what is no object', () => {
    for (const value of [null, undefined, 'text', 7, []])
      expect(schema.safeParse(value).success, String(value)).toBe(false);
  });

  it.each(names)('%s: is required or optional as the table says', (name) => {
    const result = schema.safeParse(without(whole(fields), name));
    expect(result.success).toBe(fields[name]?.required !== true);
    expect(result.error?.issues.map((issue) => issue.path) ?? [[name]]).toEqual([[name]]);
  });

  it.each(names)('%s: takes the values of its type and refuses all others, by its name', (name) => {
    const { valid, invalid } = fields[name]!;
    for (const value of valid) {
      expect(schema.parse({ ...whole(fields), [name]: value }), JSON.stringify(value)).toMatchObject({ [name]: value });
    }
    for (const value of invalid) {
      const { error } = schema.safeParse({ ...whole(fields), [name]: value });
      expect(error, `${name} = ${JSON.stringify(value)}`).toBeDefined();
      expect(new Set(error?.issues.map((issue) => issue.path[0]))).toEqual(new Set([name]));
    }
  });

  it(open ? 'keeps fields that it does not know' : 'leaves fields out that it does not know', () => {
    const later = { ...whole(fields), fromTheFuture: { deep: [1] } };
    expect(schema.parse(later)).toEqual(open ? later : whole(fields));
  });
});

describe('a policy as it is stored', () => {
  const { fields } = tables['policy record']!;

  it('needs none of the fields that depend on who asks, nor the configuration', () => {
    const perCaller = ['userRole', 'userRoles', 'userGroup', 'userGroups', 'config'];
    const stored = Object.fromEntries(Object.entries(whole(fields)).filter(([name]) => !perCaller.includes(name)));
    expect(storedPolicy.parse(stored)).toEqual(stored);
    for (const name of Object.keys(stored)) {
      expect(storedPolicy.safeParse(without(stored, name)).success, name).toBe(fields[name]?.required !== true);
    }
  });

  it('keeps fields inside its lists that it does not know', () => {
    const record = {
      ...whole(fields),
      policyGroups: [{ name: 'Team', later: 1 }],
      tests: [{ later: 2 }],
      userGroup: { later: 3 },
    };
    expect(policyRecord.parse(record)).toEqual(record);
  });
});
