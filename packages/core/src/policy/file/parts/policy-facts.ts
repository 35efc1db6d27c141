/** The metadata of a policy: everything in its JSON except the blocks. */
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
  type NavigationEntry,
  type PolicyGroup,
  type PolicyToken,
  type PolicyTopic,
} from '../../../records/index.js';
import { closestTo, hintAt } from '../../../options/index.js';
import { fullVersion } from '../migrations/code-version.js';
import { toObjects, toText, toTexts, type Report } from '../normalize/coerce.js';
import { pointerStep } from '../../model/pointer.js';
import { quote } from '../../model/quote.js';
import { numberAsText, oneOf, salvage, type Repairs } from '../normalize/salvage.js';

/** Members are absent if the file does not have them or if they are unusable, which is a finding. */
export interface PolicyFacts {
  readonly uuid?: string;
  readonly name: string;
  readonly description: string;
  readonly topicDescription: string;
  readonly policyTag?: string;
  readonly version?: string;
  readonly codeVersion: string;
  readonly policyRoles: readonly string[];
  readonly policyGroups: readonly PolicyGroup[];
  readonly policyTopics: readonly PolicyTopic[];
  readonly policyTokens: readonly PolicyToken[];
  readonly policyNavigation: readonly NavigationEntry[];
  readonly categories: readonly string[];
  readonly projectSchema?: string;
  /** What the file says, where it names the schema by its IRI instead of its UUID. */
  readonly projectSchemaIri?: string;
  /** All other members, unchanged. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const factNames = [
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
 * @param raw the top-level object of the policy's JSON without `config`.
 * @param codeVersion the version of the blocks after migration.
 */
export function readFacts(raw: Record<string, unknown>, codeVersion: string, report: Report): PolicyFacts {
  const id = optional(raw['uuid'], 'uuid', isUuid, report);
  const policyTag = optional(raw['policyTag'], 'policyTag', isText, report);
  const version = optional(raw['version'], 'version', fullVersion, report);
  const projectSchema = optional(raw['projectSchema'], 'projectSchema', uuidOfSchema, report);
  const extra = Object.keys(raw).filter((key) => !factNames.includes(key));
  for (const key of extra) {
    const meant = closestTo(key, factNames, 2);
    if (meant !== undefined)
      report(pointerStep(key), `is no member of a policy, so it is ignored${hintAt(meant)}`, meant);
  }
  return {
    ...(id === undefined ? {} : { uuid: id }),
    name: toText(raw['name'], '/name', report),
    description: toText(raw['description'], '/description', report),
    topicDescription: toText(raw['topicDescription'], '/topicDescription', report),
    ...(policyTag === undefined ? {} : { policyTag }),
    ...(version === undefined ? {} : { version }),
    codeVersion,
    policyRoles: toTexts(raw['policyRoles'], '/policyRoles', report),
    policyGroups: entries(raw, 'policyGroups', report, policyGroup, {
      groupAccessType: oneOf(groupAccessType.options),
      groupRelationshipType: oneOf(groupRelationshipType.options),
      members: (value, member) => toTexts(value, member, report),
    }),
    policyTopics: entries(raw, 'policyTopics', report, policyTopic, { memoObj: oneOf(memoObject.options) }),
    policyTokens: entries(raw, 'policyTokens', report, policyToken, {
      tokenType: oneOf(tokenType.options),
      decimals: numberAsText,
    }),
    policyNavigation: entries(raw, 'policyNavigation', report, navigationEntry, {
      steps: (value, member) =>
        toObjects(value, member, report).map((step, index) =>
          salvage(navigationStep, step, member + pointerStep(index), report),
        ),
    }),
    categories: toTexts(raw['categories'], '/categories', report),
    ...(projectSchema === undefined ? {} : { projectSchema }),
    ...(projectSchema === undefined || projectSchema === raw['projectSchema']
      ? {}
      : { projectSchemaIri: String(raw['projectSchema']) }),
    extra: Object.fromEntries(extra.map((key) => [key, raw[key]])),
  };
}

const isUuid = (value: unknown): string | undefined =>
  typeof value === 'string' && uuid.safeParse(value).success ? value : undefined;
/** A UUID, or the IRI of a schema: `#<uuid>`, perhaps with `&<version>`. */
const uuidOfSchema = (value: unknown): string | undefined =>
  typeof value === 'string' ? isUuid(/^#([^&]*)(?:&.{1,100})?$/.exec(value)?.[1] ?? value) : undefined;
const isText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function optional(
  value: unknown,
  key: string,
  parse: (value: unknown) => string | undefined,
  report: Report,
): string | undefined {
  const usable = parse(value);
  if (usable === undefined && value !== undefined && value !== null && value !== '') {
    report(pointerStep(key), `is ${quote(value)}; left out`);
  }
  return usable === '' ? undefined : usable;
}

function entries<T extends object>(
  raw: Record<string, unknown>,
  key: string,
  report: Report,
  schema: Parameters<typeof salvage<T>>[0] & { readonly shape: object },
  repairs: Repairs,
): T[] {
  const members = Object.keys(schema.shape);
  return toObjects(raw[key], pointerStep(key), report).map((entry, index) => {
    const pointer = pointerStep(key) + pointerStep(index);
    reportMisspelt(entry, members, pointer, report);
    return salvage(schema, entry, pointer, report, repairs);
  });
}

function reportMisspelt(entry: object, members: readonly string[], pointer: string, report: Report): void {
  for (const name of Object.keys(entry)) {
    const meant = members.includes(name) ? undefined : closestTo(name, members, 1);
    if (meant !== undefined)
      report(pointer + pointerStep(name), `is not known, so it is ignored${hintAt(meant)}`, meant);
  }
}
