/** What a policy file says of the policy besides its blocks, read leniently. */
import {
  groupAccessType,
  groupRelationshipType,
  memoObject,
  navigationEntry,
  navigationStep,
  policyGroup,
  policyToken,
  policyTopic,
  tokenType,
  uuid,
} from '../../records/index.js';
import { fullVersion } from './code-version.js';
import { objects, text, texts, type Complain } from './coerce.js';
import { pointerStep } from '../model/pointer.js';
import type { PolicyFacts } from './policy-bundle.js';
import { quote } from '../model/quote.js';
import { numberAsText, oneOf, tolerant, type Mend } from './salvage.js';

const known = [
  'uuid',
  'name',
  'description',
  'topicDescription',
  'policyTag',
  'version',
  'codeVersion',
  'policyRoles',
  'policyGroups',
  'policyTopics',
  'policyTokens',
  'policyNavigation',
  'categories',
  'projectSchema',
];

/**
 * @param raw the top of the policy's JSON without the members that are no facts (`config`).
 * @param codeVersion what the blocks are written in after migration.
 */
export function readFacts(raw: Record<string, unknown>, codeVersion: string, complain: Complain): PolicyFacts {
  const id = optional(raw['uuid'], 'uuid', isUuid, complain);
  const policyTag = optional(raw['policyTag'], 'policyTag', isText, complain);
  const version = optional(raw['version'], 'version', fullVersion, complain);
  const projectSchema = optional(raw['projectSchema'], 'projectSchema', isUuid, complain);
  return {
    ...(id === undefined ? {} : { uuid: id }),
    name: text(raw['name'], '/name', complain),
    description: text(raw['description'], '/description', complain),
    topicDescription: text(raw['topicDescription'], '/topicDescription', complain),
    ...(policyTag === undefined ? {} : { policyTag }),
    ...(version === undefined ? {} : { version }),
    codeVersion,
    policyRoles: texts(raw['policyRoles'], '/policyRoles', complain),
    policyGroups: entries(raw, 'policyGroups', complain, policyGroup, {
      groupAccessType: oneOf(groupAccessType.options),
      groupRelationshipType: oneOf(groupRelationshipType.options),
      members: (value, member) => texts(value, member, complain),
    }),
    policyTopics: entries(raw, 'policyTopics', complain, policyTopic, { memoObj: oneOf(memoObject.options) }),
    policyTokens: entries(raw, 'policyTokens', complain, policyToken, {
      tokenType: oneOf(tokenType.options),
      decimals: numberAsText,
    }),
    policyNavigation: entries(raw, 'policyNavigation', complain, navigationEntry, {
      steps: (value, member) =>
        objects(value, member, complain).map((step, index) =>
          tolerant(navigationStep, step, member + pointerStep(index), complain),
        ),
    }),
    categories: texts(raw['categories'], '/categories', complain),
    ...(projectSchema === undefined ? {} : { projectSchema }),
    extra: Object.fromEntries(Object.entries(raw).filter(([key]) => !known.includes(key))),
  };
}

const isUuid = (value: unknown): string | undefined =>
  typeof value === 'string' && uuid.safeParse(value).success ? value : undefined;
const isText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function optional(
  value: unknown,
  key: string,
  understand: (value: unknown) => string | undefined,
  complain: Complain,
): string | undefined {
  const understood = understand(value);
  if (understood === undefined && value !== undefined && value !== null && value !== '') {
    complain(pointerStep(key), `is ${quote(value)}; left out`);
  }
  return understood === '' ? undefined : understood;
}

const entries = <T extends object>(
  raw: Record<string, unknown>,
  key: string,
  complain: Complain,
  schema: Parameters<typeof tolerant<T>>[0],
  mend: Mend,
): T[] =>
  objects(raw[key], pointerStep(key), complain).map((entry, index) =>
    tolerant(schema, entry, pointerStep(key) + pointerStep(index), complain, mend),
  );
