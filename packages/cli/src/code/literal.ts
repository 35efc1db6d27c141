/** JSON values as TypeScript literals, laid out in lines of limited width. */
import { memberName } from '../client-code/names.js';

const WIDTH = 120;

/** Code that stands for a text, in place of the text; `undefined` where there is none. */
export type Replacement = (text: string) => string | undefined;

/** The replacement is asked about values, not about names of members. */
export function literal(value: unknown, replacement: Replacement = () => undefined, indent = ''): string {
  if (typeof value === 'string') return replacement(value) ?? textLiteral(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, replacement, deeper))
    : Object.entries(value).map(([name, member]) => `${nameOf(name)}: ${literal(member, replacement, deeper)}`);
  const [open, close] = isList ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  const space = isList ? '' : ' ';
  const line = `${open}${space}${items.join(', ')}${space}${close}`;
  if (indent.length + line.length <= WIDTH && !line.includes('\n') && !isBlock(value)) return line;
  return `${open}\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}${close}`;
}

/** Each member of a block, and each of its children, has a line. */
const isBlock = (value: object): boolean => 'blockType' in value;

/** Written as a computed name, `__proto__` is a member like others. */
const nameOf = (name: string): string => (name === '__proto__' ? "['__proto__']" : memberName(name));

/** Scripts and long texts keep their lines. */
function textLiteral(text: string): string {
  if (text.includes('\n') && !text.includes('\r'))
    return `\`${text.replaceAll(/[\\`]|\$\{/g, (sign) => `\\${sign}`)}\``;
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return `'${inner.replaceAll("'", "\\'")}'`;
}
