/** The parts of a policy record (interface, section "Resources and their fields"). */
import { z } from 'zod';
import { component } from '../component.js';
import { groupAccessType, groupRelationshipType, memoObject, testStatus, tokenType } from './enumerations.js';
import { timestamp, uuid } from './identifiers.js';

const text = z.string().optional();
const flag = z.boolean().optional();

export const groupMembership = component(
  'GroupMembership',
  z.looseObject({ uuid: uuid.optional(), role: text, groupLabel: text, groupName: text, active: flag }),
);

export const navigationStep = component(
  'NavigationStep',
  z.looseObject({ block: text, level: z.number().optional(), name: text }),
);

export const navigationEntry = component(
  'NavigationEntry',
  z.looseObject({ role: text, steps: z.array(navigationStep).optional() }),
);

export const policyTopic = component(
  'PolicyTopic',
  z.looseObject({
    name: text,
    description: text,
    memoObj: memoObject.optional(),
    static: flag,
    type: text,
  }),
);

export const policyToken = component(
  'PolicyToken',
  z.looseObject({
    tokenName: text,
    tokenSymbol: text,
    tokenType: tokenType.optional(),
    decimals: text,
    changeSupply: flag,
    enableAdmin: flag,
    enableFreeze: flag,
    enableKYC: flag,
    enableWipe: flag,
    templateTokenTag: text,
  }),
);

export const policyGroup = component(
  'PolicyGroup',
  z.looseObject({
    name: text,
    creator: text,
    groupAccessType: groupAccessType.optional(),
    groupRelationshipType: groupRelationshipType.optional(),
    members: z.array(z.string()).optional(),
  }),
);

export const policyTest = component(
  'PolicyTest',
  z.looseObject({
    id: text,
    uuid: uuid.optional(),
    name: text,
    policyId: text,
    owner: text,
    status: testStatus.optional(),
    date: timestamp.optional(),
    duration: z.number().optional(),
    progress: z.number().optional(),
    resultId: uuid.optional(),
    result: text,
  }),
);
