/** The code of a policy: a TypeScript module that gives the policy to `definePolicy`. */
import { isUtf8 } from 'node:buffer';
import type { PolicyAsJson } from '@blockwork/core/files';
import { isObject } from '@blockwork/core/records';
import { comment, constantNames } from '../client-code/names.js';
import { literal } from './literal.js';

/** Such a policy runs, so its code has to, too. */
const UNCHECKED =
  '// @ts-nocheck: `blockwork validate` has findings for this policy. Without this line, the compiler shows where they are.\n';

/** Names of the generated code itself. */
const takenNames = ['definePolicy', 'defineSchema', 'files'];

/** `fits`: whether nothing was found in the policy that the compiler would refuse. */
export function policyCode({ policy, files }: PolicyAsJson, fits: boolean): string {
  const { schemas, config, ...facts } = policy;
  const listed: unknown[] = Array.isArray(schemas) ? schemas : [];
  const names = constantNames(listed.map(nameOfSchema), takenNames);
  const iris = new Map(listed.map((schema, index) => [iriOf(schema), `${names[index] ?? ''}.iri`]));
  const constants = listed.map(
    (schema, index) => `const ${names[index] ?? ''} = defineSchema(${literal(schema)});\n\n`,
  );
  const members = [
    ...Object.entries(facts).map(
      ([name, value]) => `  ${literal(name).slice(1, -1)}: ${literal(value, undefined, '  ')},\n`,
    ),
    ...(listed.length === 0 ? [] : [`  schemas: [${names.join(', ')}],\n`]),
    `  config: ${literal(config, (text) => iris.get(text), '  ')},\n`,
  ];
  return `/** The policy "${comment(String(facts['name']))}". */
${fits ? '' : UNCHECKED}import { ${listed.length === 0 ? 'definePolicy' : 'definePolicy, defineSchema'} } from '@blockwork/blocks';

${constants.join('')}export default definePolicy({
${members.join('')}});
${filesCode(files)}`;
}

const iriOf = (schema: unknown): unknown => (isObject(schema) ? schema['iri'] : undefined);

const nameOfSchema = (schema: unknown): string =>
  isObject(schema) && typeof schema['name'] === 'string' ? schema['name'] : 'schema';

function filesCode(files: PolicyAsJson['files']): string {
  if (files.size === 0) return '';
  const entries = [...files].map(([name, content]) => [name, fileValue(content)]);
  return `
/** Other files of its archive: texts, and the rest in base64. */
export const files = ${literal(Object.fromEntries(entries))};
`;
}

/** Only what decodes to the same bytes is a text. */
function fileValue(content: Uint8Array): unknown {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return isUtf8(bytes) ? bytes.toString('utf8') : { base64: bytes.toString('base64') };
}
