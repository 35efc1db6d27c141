/** Checks of what a policy has beside its blocks: roles, groups, topics, templates of tokens, and the navigation. */
import { hintAt, meantBy } from '../../options/index.js';
import { POLICY_TOPIC, WITNESS_TOPIC } from '../../records/index.js';
import { suggestedValue } from '../model/block-finding.js';
import { pointerOf } from '../model/pointer.js';
import type { BlockNode, Finding, FindingCode } from '../model/policy-model.js';
import { quote } from '../model/quote.js';
import { templateFaults } from '../model/token-faults.js';
import type { CompileFacts } from './compile-facts.js';
import { specialPermissions } from './validate.js';

/** A name is shown whole wherever it stands, and is part of messages for the ledger, which have 1,024 bytes in all. */
const NAME_CHARACTERS = 200;

type Place = readonly [list: string, ...steps: (string | number)[]];

export function validateFacts(facts: CompileFacts, byTag: ReadonlyMap<string, BlockNode>): Finding[] {
  return [
    ...roleFindings(facts),
    ...groupFindings(facts),
    ...topicFindings(facts),
    ...templateFindings(facts),
    ...navigationFindings(facts, byTag),
  ];
}

const warning = (code: FindingCode, message: string, place: Place): Finding => ({
  severity: 'warning',
  code,
  message,
  path: '',
  pointer: pointerOf(place),
});

/** With the value that is meant at each of the places. */
const suggesting = (finding: Finding, meant: string | undefined, places: readonly Place[]): Finding =>
  meant === undefined
    ? finding
    : { ...finding, suggestions: places.map((place) => suggestedValue(pointerOf(place), meant)) };

/** A role is what people choose and permissions name. */
function roleFindings({ roles }: CompileFacts): Finding[] {
  return [
    ...roles.flatMap((role, index) => {
      const place: Place = ['policyRoles', index];
      if (role.trim() === '') {
        return [
          warning(
            'RECORD_FIELD_INVALID',
            `Role ${String(index)} of the policy has no name. Give it one, or remove it.`,
            place,
          ),
        ];
      }
      if (role.length > NAME_CHARACTERS) return [tooLong('role', role, place)];
      if (!specialPermissions.includes(role)) return [];
      const message = `The role "${role}" has the name of a special permission, so nothing can be for it alone. Rename it.`;
      return [warning('RECORD_FIELD_INVALID', message, place)];
    }),
    ...repeated(
      roles,
      (index) => ['policyRoles', index],
      (name) => `The role ${quote(name)}`,
    ),
  ];
}

function groupFindings({ groups, roles }: CompileFacts): Finding[] {
  const declared = new Set(roles);
  const ofRoles = groups.flatMap(({ name = '', creator, members = [] }, index) =>
    [...new Set(creator === undefined ? members : [creator, ...members])].flatMap((role) => {
      if (declared.has(role)) return [];
      const meant = meantBy(role, roles);
      const message = `The group ${quote(name)} names the role ${quote(role)}, which the policy does not have${hintAt(meant)}.`;
      const places: Place[] = [
        ...(creator === role ? [['policyGroups', index, 'creator'] as const] : []),
        ...members.flatMap((member, at) => (member === role ? [['policyGroups', index, 'members', at] as const] : [])),
      ];
      return [suggesting(warning('ROLE_UNKNOWN', message, ['policyGroups', index]), meant, places)];
    }),
  );
  const names = groups.map(({ name }) => name);
  return [...ofRoles, ...nameFindings(names, 'policyGroups', 'group')];
}

const reservedTopics = new Map([
  [WITNESS_TOPIC, "the checkpoints of the policy's log"],
  [POLICY_TOPIC, "the policy's versions"],
]);

function topicFindings({ topics = [] }: CompileFacts): Finding[] {
  const names = topics.map(({ name }) => name);
  const reserved = names.flatMap((name, index): Finding[] => {
    const use = reservedTopics.get(name ?? '');
    if (use === undefined) return [];
    const message = `The topic ${quote(name)} is the one for ${use}. Rename it.`;
    return [
      { ...warning('RECORD_FIELD_INVALID', message, ['policyTopics', index, 'name']), severity: 'error' as const },
    ];
  });
  return [...nameFindings(names, 'policyTopics', 'topic'), ...reserved];
}

function templateFindings({ tokenTemplates = [] }: CompileFacts): Finding[] {
  const ofMembers = tokenTemplates.flatMap((template, index) => {
    const named = template.templateTokenTag ?? template.tokenName ?? String(index);
    return templateFaults(template).map(({ member, fault, severity, meant }): Finding => {
      const message = `The token template ${quote(named)} ${fault}.`;
      const place: Place = ['policyTokens', index, member];
      return suggesting({ ...warning('TOKEN_UNREADABLE', message, place), severity }, meant, [place]);
    });
  });
  const tags = tokenTemplates.map(({ templateTokenTag }) => templateTokenTag);
  return [...ofMembers, ...nameFindings(tags, 'policyTokens', 'token template', 'templateTokenTag')];
}

const tooLong = (noun: string, name: string, place: Place): Finding => {
  const has = `has ${String(name.length)} characters; more than ${String(NAME_CHARACTERS)} may not fit into a message of a ledger`;
  return warning('RECORD_FIELD_INVALID', `The name of the ${noun} ${quote(name)} ${has}. Shorten it.`, place);
};

/** Blocks refer to the entries of these lists by their names. */
function nameFindings(names: readonly (string | undefined)[], list: string, noun: string, member = 'name'): Finding[] {
  const unnamed = names.flatMap((name = '', index) => {
    if (name.trim() !== '') return [];
    const message = `The ${noun} ${String(index)} of the policy has no ${member}, so no block can use it. Give it one.`;
    return [warning('RECORD_FIELD_INVALID', message, [list, index])];
  });
  const place = (index: number): Place => [list, index, member];
  const long = names.flatMap((name = '', index) =>
    name.length > NAME_CHARACTERS ? [tooLong(noun, name, place(index))] : [],
  );
  return [...unnamed, ...long, ...repeated(names, place, (name) => `The ${noun} ${quote(name)}`)];
}

function repeated(
  names: readonly (string | undefined)[],
  place: (index: number) => Place,
  called: (name: string) => string,
): Finding[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (name === undefined || name.trim() === '') return [];
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const message = `${called(name)} is there already. Rename this one, or remove it.`;
    return [warning('RECORD_FIELD_INVALID', message, place(index))];
  });
}

function navigationFindings({ navigation, roles }: CompileFacts, byTag: ReadonlyMap<string, BlockNode>): Finding[] {
  const permitted = new Set([...roles, ...specialPermissions]);
  return navigation.flatMap(({ role = '', steps = [] }, index) => {
    const meantRole = meantBy(role, roles);
    const unknownRole = `The navigation has an entry for the role "${role}", which the policy does not have${hintAt(meantRole)}.`;
    const rolePlace: Place = ['policyNavigation', index, 'role'];
    const ofRole = permitted.has(role)
      ? []
      : [suggesting(warning('ROLE_UNKNOWN', unknownRole, rolePlace), meantRole, [rolePlace])];
    const ofSteps = steps.flatMap(({ block = '', level }, step) => {
      const place: Place = ['policyNavigation', index, 'steps', step];
      const meant = meantBy(block, byTag);
      const unknownTag = `The navigation of "${role}" leads to "${block}", but no block has that tag${hintAt(meant)}.`;
      const blockPlace: Place = [...place, 'block'];
      const odd = `The navigation of "${role}" shows "${block}" at the level ${quote(level)}, which is no whole number above 0. Write 1 for the top level, 2 for the one below.`;
      return [
        ...(byTag.has(block)
          ? []
          : [suggesting(warning('REFERENCE_UNKNOWN', unknownTag, blockPlace), meant, [blockPlace])]),
        ...(isLevel(level) ? [] : [warning('RECORD_FIELD_INVALID', odd, [...place, 'level'])]),
      ];
    });
    return [...ofRole, ...ofSteps];
  });
}

const isLevel = (level: number | undefined): boolean => level === undefined || (Number.isInteger(level) && level >= 1);
