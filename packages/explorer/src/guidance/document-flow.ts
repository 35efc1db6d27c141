/** Static analysis of which documents a block creates, and which a source lists. */
import type { DocumentRecord } from '@blockwork/core';
import { isObject, valueAt, type BlockNode } from '@blockwork/core/block';
import type { Action } from './actions.js';

/** Possible properties of a document; an empty set means unknown. */
export interface DocumentTraits {
  readonly schemas: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly statuses: ReadonlySet<string>;
  /** Whether anything about it changes that a source could ask for. */
  readonly isChanged: boolean;
}

/** Options that name the schema of the documents that a block creates. */
export const schemaMembers = ['schema', 'outputSchema', 'inputSchema'];

/** Blocks that act on existing documents. */
const onRows: ReadonlySet<string> = new Set([
  'buttonBlock',
  'buttonBlockAddon',
  'interfaceActionBlock',
  'multiSignBlock',
]);
const revoking: ReadonlySet<string> = new Set(['revokeBlock', 'revocationBlock']);

/** The documents that an action changes or creates. */
export function documentsOf({ site, choice, runs }: Action): DocumentTraits {
  const [schemas, types, statuses] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { options, blockType } of [site.node, ...runs]) {
    if (revoking.has(blockType)) statuses.add('Revoked');
    if (!isObject(options)) continue;
    for (const member of schemaMembers) addText(schemas, options[member]);
    addText(types, options['entityType']);
    for (const { name, value } of membersOf(options['options'])) if (name === 'status') addText(statuses, value);
  }
  const pressed = membersOf(site.node.uiMetaData['buttons']).find(({ tag }) => tag === choice);
  if (pressed?.['field'] === STATUS && statuses.size === 0) addText(statuses, pressed['value']);
  const field = pressed?.['field'] ?? site.node.source['field'];
  const isChanged =
    !onRows.has(site.node.blockType) ||
    statuses.size + types.size + schemas.size > 0 ||
    (typeof field === 'string' && field !== '') ||
    runs.some(({ blockType }) => blockType === 'reassigningBlock');
  const { sources } = site;
  for (const source of sources) addText(schemas, optionsOf(source).schema);
  if (types.size === 0) addAsked(types, sources, 'type');
  if (statuses.size === 0) addAsked(statuses, sources, STATUS);
  return { schemas, types, statuses, isChanged };
}

/** What rows are like that are not changed: what all of their sources ask for. */
function addAsked(texts: Set<string>, sources: readonly BlockNode[], field: string): void {
  const statuses = sources.map((source) =>
    optionsOf(source).filters.flatMap((filter) =>
      filter.type === 'equal' && filter.field === field ? [asText(filter.value)] : [],
    ),
  );
  if (statuses.every((values) => values.length > 0)) for (const value of statuses.flat()) texts.add(value);
}

/** Whether the source lists such documents, given what is known of both. `more`: what else is asked of them. */
export function lists(
  source: BlockNode,
  { schemas, types, statuses }: DocumentTraits,
  more: readonly SourceFilter[] = [],
): boolean {
  const { schema, dataType, filters } = optionsOf(source);
  if (dataType !== 'vc-documents' || (schema !== '' && schemas.size > 0 && !schemas.has(schema))) return false;
  return [...filters, ...more].every(({ type, field, value }) => {
    const values = field === STATUS ? statuses : field === 'type' ? types : undefined;
    if (values === undefined || values.size === 0) return true;
    const named = type === 'equal' || type === 'not_equal' ? [asText(value)] : listed(value);
    if (type === 'equal' || type === 'in') return named.some((each) => values.has(each));
    return [...values].some((each) => !named.includes(each));
  });
}

/** What the filters of a button ask of its rows. */
export function filtersOf({ site: { node }, choice }: Action): SourceFilter[] {
  const buttons = membersOf(node.uiMetaData['buttons']);
  const { enableIndividualFilters } = node.uiMetaData;
  const areApart = enableIndividualFilters === true || enableIndividualFilters === 'true';
  const asking = areApart ? buttons.filter(({ tag }) => tag === choice) : buttons;
  return asking.flatMap(({ filters }) => membersOf(filters) as unknown as SourceFilter[]);
}

/** Whether the source may list this very document, leaving aside whose it is. */
export function fits(source: BlockNode, document: DocumentRecord): boolean {
  const { schema, dataType, filters } = optionsOf(source);
  if (dataType !== document.dataType || (schema !== '' && schema !== document.schema)) return false;
  return filters.every(
    ({ type, field, value }) => type !== 'equal' || asText(valueAt(document, field)) === asText(value),
  );
}

export interface SourceFilter {
  readonly type: string;
  readonly field: string;
  readonly value?: unknown;
}

export function optionsOf({ options }: BlockNode): { schema: string; dataType: string; filters: SourceFilter[] } {
  const { schema, dataType, filters } = isObject(options) ? options : {};
  return {
    schema: typeof schema === 'string' ? schema : '',
    dataType: typeof dataType === 'string' ? dataType : '',
    filters: membersOf(filters) as unknown as SourceFilter[],
  };
}

export const STATUS = 'option.status';

const membersOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);

const listed = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.map(asText)
    : asText(value)
        .split(',')
        .map((each) => each.trim());

export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

function addText(texts: Set<string>, value: unknown): void {
  if (typeof value === 'string' && value !== '') texts.add(value);
}
