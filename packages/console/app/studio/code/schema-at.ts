/** The schema of a place in a policy: of the options of a block by its type, and of what every block and policy has. */
import { isRecord, type BlockType, type Source } from '../draft/operations.js';
import { membersOf, partsOf, type Member } from '../properties/option-kind.js';
import { studioTexts } from '../texts.js';
import type { Frame, JsonPlace } from './json-place.js';

const { members: texts } = studioTexts.code;

const text = { type: 'string' };
const textList = { type: 'array', items: text };
const link = {
  type: 'object',
  properties: Object.fromEntries(
    (['source', 'output', 'target', 'input', 'actor'] as const).map((name) => [
      name,
      { ...text, description: texts[name] },
    ]),
  ),
};

/** What every block has beside its options. */
const ofBlocks: Source = {
  blockType: { ...text, description: texts.blockType },
  tag: { ...text, description: texts.tag },
  permissions: { ...textList, description: texts.permissions },
  defaultActive: { type: 'boolean', description: texts.defaultActive },
  dependencies: { ...textList, description: texts.dependencies },
  events: { type: 'array', items: link, description: texts.events },
  stopPropagation: { type: 'boolean', description: texts.stopPropagation },
  onErrorAction: { enum: ['no-action', 'retry', 'goto-step', 'goto-tag'], description: texts.onErrorAction },
  errorFallbackTag: { ...text, description: texts.errorFallbackTag },
  uiMetaData: { type: 'object', properties: { title: text, description: text }, description: texts.uiMetaData },
  children: { type: 'array', items: { $ref: '#/$defs/block' }, description: texts.children },
};

/** A block that has no type yet. */
const untyped = { type: 'object', properties: ofBlocks };

export interface SchemaPlace {
  readonly blockType: BlockType | undefined;
  /** Steps from the block, or from the whole policy outside of any. */
  readonly steps: readonly string[];
  readonly isInBlock: boolean;
  /** The object or list that is typed in. */
  readonly holder: readonly Source[];
  readonly root: Source;
}

/** The innermost object with a type is the block. */
export function schemaPlaceOf({ frames }: JsonPlace, types: ReadonlyMap<string, BlockType>): SchemaPlace {
  const at = frames.findLastIndex(isBlock);
  const steps = frames.slice(at + 1).map(({ step }) => step);
  if (at < 1) return { blockType: undefined, steps: steps.slice(1), isInBlock: false, holder: [], root: {} };
  const blockType = types.get(frames[at]?.texts.get('blockType') ?? '');
  const options = blockType?.options ?? {};
  const properties = { ...ofBlocks, ...(isRecord(options['properties']) ? options['properties'] : {}) };
  const definitions = isRecord(options['$defs']) ? options['$defs'] : {};
  const root = { ...options, type: 'object', properties, $defs: { ...definitions, block: untyped } };
  const holder = steps.reduce<readonly Source[]>(
    (schemas, step) => schemas.flatMap((schema) => below(schema, step, root)),
    [root],
  );
  return { blockType, steps, isInBlock: true, holder, root };
}

const isBlock = ({ isList, texts: members }: Frame): boolean => !isList && members.has('blockType');

function below(schema: Source, step: string, root: Source): Source[] {
  return partsOf(schema, root).flatMap((part) => {
    const member =
      isRecord(part['properties']) && Object.hasOwn(part['properties'], step)
        ? part['properties'][step]
        : part['items'];
    return isRecord(member) ? [member] : [];
  });
}

/** What may be written in the object. */
export const membersAt = ({ holder, root }: SchemaPlace): readonly Member[] =>
  holder
    .flatMap((schema) => partsOf(schema, root).flatMap(membersOf))
    .filter(({ schema }) => schema['deprecated'] !== true);

/** The schema of a member of the object, or of an item of the list. */
export const schemasBelow = ({ holder, root }: SchemaPlace, step: string): readonly Source[] =>
  holder.flatMap((schema) => below(schema, step, root));

/** Values that a schema lists. */
export function valuesOf(schema: Source, root: Source): readonly unknown[] {
  return partsOf(schema, root).flatMap((part): readonly unknown[] => {
    if (Array.isArray(part['enum'])) return part['enum'];
    if ('const' in part) return [part['const']];
    return part['type'] === 'boolean' ? [true, false] : [];
  });
}
