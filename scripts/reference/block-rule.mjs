/** What a block of one type can have: its options, and the members of every block. */
import { closed, withEntries } from './closed-schema.mjs';
import { withoutEffect, withoutEffectOn } from './members-without-effect.mjs';
import { describeOption } from './option-descriptions.mjs';
import { definitionsOf } from './option-types.mjs';
import { entryRules, optionRules, shownMembers } from './shown-members.mjs';

const ofEveryBlock = [
  'blockType',
  'id',
  'tag',
  'permissions',
  'defaultActive',
  'dependencies',
  'events',
  'innerEvents',
  'stopPropagation',
  'onErrorAction',
  'errorTimeout',
  'errorFallbackStep',
  'errorFallbackTag',
  'uiMetaData',
  'children',
];

/**
 * Applies to blocks of the type alone, so that an editor says what is wrong with the block that the author means.
 * `demands`: from `demandedOptions`.
 */
export function blockRule(type, types, demands, comments, toJsonSchema) {
  const { schema } = definitionsOf(type, toJsonSchema);
  const { alone, either } = demands[type.type];
  const required = [
    ...forPeople(type).required,
    ...named(type),
    ...switched(type),
    ...(schema.required ?? []),
    ...alone,
  ];
  return {
    if: { properties: { blockType: { const: type.type } }, required: ['blockType'] },
    then: {
      description: type.description,
      required: [...new Set(required)],
      properties: {
        ...Object.fromEntries(ofEveryBlock.map((name) => [name, true])),
        ...Object.fromEntries([...withoutEffect, ...(withoutEffectOn[type.type] ?? [])].map((name) => [name, idle])),
        ...optionsOf(type, schema, alone, comments),
        ...forPeople(type).properties,
        ...childrenOf(type, types),
      },
      additionalProperties: isOpen(schema) ? { not: { $ref: '#/definitions/blocks' } } : false,
      ...(either.length === 0 ? {} : { allOf: either.map((names) => ({ anyOf: names.map(written) })) }),
    },
  };
}

function optionsOf({ type }, schema, alone, comments) {
  const options = Object.entries(schema.properties ?? {}).map(([name, option]) => {
    const description = option.description ?? describeOption(type, name, comments);
    const rules = { ...(alone.includes(name) ? filled(option) : {}), ...optionRules[type]?.[name] };
    return [name, { ...closed(option), ...rules, description }];
  });
  const properties = { ...Object.fromEntries(options), ...shownMembers[type] };
  return (entryRules[type] ?? []).reduce(withEntries, { properties }).properties;
}

/** Without the blocks that do not work there. */
function childrenOf(type, types) {
  if ((type.children ?? 'none') === 'none') return {};
  const misplaced = types.filter(({ kind, parents }) =>
    parents === undefined ? type.kind === 'container' && !admits(type, kind) : !parents.includes(type.type),
  );
  if (misplaced.length === 0) return {};
  const blockType = { not: { enum: misplaced.map((each) => each.type) } };
  return { children: { items: { properties: { blockType } } } };
}

const admits = ({ children }, kind) => children === 'any' || children.includes(kind);

const written = (name) => ({ required: [name], properties: { [name]: { type: ['string', 'boolean'], minLength: 1 } } });

const idle = { $ref: '#/definitions/withoutEffect' };

/** Modules have members that their variables name. */
const isOpen = ({ additionalProperties = false }) => additionalProperties !== false;

/** Those that are switched off unless it is said that they are not. */
const switched = ({ kind }) => (kind === 'paging' || kind === 'filter' ? ['defaultActive'] : []);

/** Containers need no name of their own: nothing has to lead to them. */
const named = ({ kind }) => (kind === 'container' ? [] : ['tag']);

/** Nobody can use it without permissions; events run other blocks all the same. */
function forPeople({ kind, options }) {
  if (kind === 'interface') return { required: ['permissions'], properties: { permissions: { minItems: 1 } } };
  const isPart = kind === 'container' && options === undefined;
  return { required: isPart ? ['permissions'] : [], properties: {} };
}

/** `null` and a blank text stand for what is not written. */
function filled({ type, enum: values }) {
  if (values !== undefined) return { enum: values.filter((each) => each !== null && each !== '') };
  return type === undefined ? {} : { type: [type].flat().filter((each) => each !== 'null'), minLength: 1 };
}
