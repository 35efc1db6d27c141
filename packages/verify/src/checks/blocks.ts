/** The blocks of the policy, as far as checks ask for them. */
import { isObject, type JsonObject, listOf, memberOf } from '../json.js';
import { textAt } from './context.js';

/** Depth of the tree, beyond which blocks are not looked at. */
const DEPTH = 200;

/** All blocks, parents first. */
export function blocksOf(definition: JsonObject): JsonObject[] {
  const blocks: JsonObject[] = [];
  let level = [definition];
  for (let depth = 0; depth < DEPTH && level.length > 0; depth += 1) {
    blocks.push(...level);
    level = level.flatMap((block) => listOf(memberOf(block, 'children')).filter(isObject));
  }
  return blocks;
}

export const permissionsOf = (block: JsonObject): string[] =>
  listOf(memberOf(block, 'permissions')).filter((each) => typeof each === 'string');

/** Who may hand in documents of the schema, by the blocks that take them; `undefined` if no block names it. */
export function permittedFor(blocks: readonly JsonObject[], iri: string): Set<string> | undefined {
  const taking = blocks.filter((block) => textAt(block, 'schema') === iri && takesDocuments(block));
  if (taking.length === 0) return undefined;
  return new Set(taking.flatMap(permissionsOf));
}

/** Whether a block issues documents in the name of users who did not hand them in, whatever their roles. */
export const issuesForOthers = (block: JsonObject): boolean =>
  block.blockType === 'reassigningBlock'
    ? block.issuer !== 'policyOwner'
    : block.blockType === 'customLogicBlock' && ['owner', 'issuer'].includes(textAt(block, 'documentSigner'));

/** Whether a block takes documents of the schema that were signed elsewhere: who hands them in need not have signed them. */
export const takesFromOutside = (block: JsonObject, iri: string): boolean =>
  block.blockType === 'externalDataBlock' && ['', iri].includes(textAt(block, 'schema'));

const takesDocuments = (block: JsonObject): boolean =>
  /^(requestVcDocument|uploadVcDocument|externalData|requestVcDocumentBlockAddon|dropdown)/.test(
    textAt(block, 'blockType'),
  );
