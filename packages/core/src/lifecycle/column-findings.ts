/** Findings about columns of grids that show a field which no document has. */
import { didYouMean } from '../options/index.js';
import { finding, type Finding, type PolicyTree } from '../policy/index.js';
import { isObject } from '../records/index.js';

export interface Names {
  has(name: string): boolean;
  readonly listed: readonly string[];
}

/** What credentials have beside the fields of a schema, those that the engine issues for roles and tokens included. */
const ownFields = ['id', 'type', '@context', 'ref', 'policyId'];
const fieldsOfRoles = ['role', 'groupName', 'groupLabel'];
const fieldsOfTokens = ['tokenId', 'amount', 'serials', 'date', 'impactType', 'label', 'description', 'unit'];
const ofEveryCredential: ReadonlySet<string> = new Set([...ownFields, ...fieldsOfRoles, ...fieldsOfTokens]);

const MOST_LISTED = 12;

export function columnFindings({ blocks }: PolicyTree, fields: Names): Finding[] {
  return blocks.flatMap((block) => {
    if (block.blockType !== 'interfaceDocumentsSourceBlock') return [];
    const columns: readonly unknown[] = Array.isArray(block.uiMetaData.fields) ? block.uiMetaData.fields : [];
    return columns.flatMap((column, index) => {
      const name = isObject(column) ? column['name'] : undefined;
      const unknown = stepsOf(name).find((step) => !ofEveryCredential.has(step) && !fields.has(step));
      if (unknown === undefined) return [];
      const hint = didYouMean(unknown, fields.listed) || listOf(fields.listed);
      const message = `Column ${String(index)} of "${block.tag}" shows the field "${unknown}", which no schema of the policy has${hint}.`;
      const path = `/uiMetaData/fields/${String(index)}/name`;
      return [finding(block, { severity: 'warning', code: 'REFERENCE_UNKNOWN', message, path })];
    });
  });
}

const listOf = (names: readonly string[]): string =>
  names.length > MOST_LISTED ? '' : ` (there are ${names.map((name) => `"${name}"`).join(', ')})`;

/** The fields in the path of a credential's field, without positions in lists. */
function stepsOf(name: unknown): string[] {
  const inSubject =
    typeof name === 'string' ? /^document\.credentialSubject\.(?:\d+|L)\.(.+)$/.exec(name)?.[1] : undefined;
  return (inSubject ?? '').split('.').filter((step) => !/^(?:\d*|L)$/.test(step));
}
