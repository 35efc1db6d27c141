/** A page for each block type: what it is, its options, its events, and what it reads and takes. */
import { describeOption } from './option-descriptions.mjs';
import { defaultsOf, optionSchema, requiredOf, typeText, usableNames } from './option-types.mjs';

/** `comments`: descriptions of options by block type. */
export const blockPages = (types, comments, toJsonSchema) => [
  { file: 'docs/blocks/README.md', text: indexPage(types) },
  ...types.map((type) => ({
    file: `docs/blocks/${type.type}.md`,
    text: blockPage(type, comments, toJsonSchema),
  })),
];

const indexPage = (types) => `# Block types

Generated from the code by \`npm run reference\`. [Writing a block](../writing-a-block.md) explains the terms.

| block type | kind | what it is |
| --- | --- | --- |
${types.map(({ type, kind, description }) => `| [\`${type}\`](${type}.md) | ${kind} | ${cell(description)} |`).join('\n')}

## Members of every block

| member | type | default | what it is |
| --- | --- | --- | --- |
| \`blockType\` | string | required | One of the types above. |
| \`id\` | string | a new one | UUID of the block. |
| \`tag\` | string | none | Its name, unique in the policy. |
| \`permissions\` | list of string | \`[]\` | Who may use it: \`ANY_ROLE\`, \`OWNER\`, \`NO_ROLE\`, or roles of the policy. Nobody, where empty; events run it all the same. |
| \`defaultActive\` | boolean | \`true\` | Whether it is listed by its parent. Paging and filter addons are switched off by \`false\`. |
| \`dependencies\` | list of string | \`[]\` | Tags of blocks that have to complete for a user before this one opens. In archives: blocks after which it refreshes. |
| \`events\` | list of { source, output, target, input, actor, disabled } | \`[]\` | Links from outputs to inputs. |
| \`stopPropagation\` | boolean | \`false\` | Whether the next sibling is not run after it. |
| \`uiMetaData\` | object | \`{}\` | For front ends. |
| \`onErrorAction\` | "no-action", "retry", "goto-step" or "goto-tag" | "no-action" | What happens when a run fails in it, with \`errorTimeout\`, \`errorFallbackStep\` and \`errorFallbackTag\`. |
| \`children\` | list of blocks | \`[]\` | The blocks that it holds. |
`;

function blockPage(type, comments, toJsonSchema) {
  return `# \`${type.type}\`: ${type.title}

${type.description}

${factRows(type)}

## Options

${optionRows(type, comments, toJsonSchema)}

## Example

\`\`\`json
${JSON.stringify(exampleOf(type, toJsonSchema), null, 2)}
\`\`\`
${inputPart(type, toJsonSchema)}`;
}

function factRows(type) {
  const rows = [
    ['kind', type.kind],
    ['children', Array.isArray(type.children) ? type.children.join(', ') : (type.children ?? 'none')],
    ['parents', type.parents === undefined ? 'any' : type.parents.map(code).join(', ')],
    ['inputs', list(['RunEvent', 'RefreshEvent', ...(type.inputs ?? [])], type.ports && 'those that its options name')],
    [
      'outputs',
      list(
        [...new Set(['RunEvent', 'RefreshEvent', 'ReleaseEvent', ...outputsOf(type)])],
        typeof type.outputs === 'function' && 'those that its options name',
      ),
    ],
    ['can be read', type.read === undefined ? 'no' : 'yes'],
    ['takes data', type.receive === undefined ? 'no' : 'yes'],
    ['takes data from outside', type.external === undefined ? 'no' : 'yes'],
  ];
  return ['| | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}

const outputsOf = ({ outputs }) => (Array.isArray(outputs) ? outputs : []);
const list = (names, more) => [...names.map(code), ...(more ? [more] : [])].join(', ');
const code = (text) => `\`${text}\``;
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function optionRows(type, comments, toJsonSchema) {
  const properties = optionSchema(type, toJsonSchema)?.properties ?? {};
  const names = usableNames(properties);
  if (names.length === 0) return 'None besides the [members of every block](README.md#members-of-every-block).';
  const [defaults, required] = [defaultsOf(type), requiredOf(type)];
  const rows = names.map((name) => {
    const value = defaults[name];
    const fallback = required.has(name)
      ? 'required'
      : value === undefined || value === ''
        ? ''
        : code(JSON.stringify(value));
    const about = properties[name].description ?? describeOption(type.type, name, comments) ?? '';
    return `| \`${name}\` | ${cell(typeText(properties[name]))} | ${cell(fallback)} | ${cell(about)} |`;
  });
  return ['| option | type | default | what it is |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** The block with the options that have to be written, and the defaults that say something. */
function exampleOf(type, toJsonSchema) {
  const properties = optionSchema(type, toJsonSchema)?.properties ?? {};
  const [defaults, required] = [defaultsOf(type), requiredOf(type)];
  const options = Object.keys(properties).flatMap((name) => {
    const value = required.has(name) ? placeholder(properties[name]) : defaults[name];
    return value === undefined || value === '' || value === null ? [] : [[name, value]];
  });
  return { blockType: type.type, tag: 'my_block', permissions: ['OWNER'], ...Object.fromEntries(options) };
}

function placeholder(schema) {
  const [first] = schema.enum ?? [];
  return first ?? (schema.type === 'number' ? 1 : schema.type === 'array' ? [] : '...');
}

function inputPart({ input }, toJsonSchema) {
  if (input === undefined) return '';
  const schema = toJsonSchema(input, { io: 'input', unrepresentable: 'any' });
  delete schema.$schema;
  if (Object.keys(schema).length === 0) return '';
  return `
## What it takes

\`\`\`json
${JSON.stringify(schema, null, 2)}
\`\`\`
`;
}
