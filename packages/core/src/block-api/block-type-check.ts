/**
 * Run-time checks of block types, for authors without a compiler: a misspelled name is an error rather than silently
 * ignored.
 */
import type { BlockworkError } from '../errors.js';
import { didYouMean, invalidOption } from '../options/index.js';
import { blockKinds, standardInputs, TICK } from '../policy/index.js';
import { isObject } from '../records/index.js';
import type { BlockType } from './block-type.js';

type Check = (value: unknown) => string | null;

const text: Check = (value) => (typeof value === 'string' ? null : 'must be a string');
const name: Check = (value) => (typeof value === 'string' && value !== '' ? null : 'must be a non-empty string');
const method: Check = (value) => (typeof value === 'function' ? null : 'must be a function');
const names: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '')
    ? null
    : 'must be a list of names';
const schema: Check = (value) =>
  isObject(value) && typeof value.safeParse === 'function' ? null : 'must be a zod schema';
const onlyTrue: Check = (value) => (value === true ? null : 'must be true, or left out');
const kind: Check = (value) =>
  blockKinds.some((blockKind) => blockKind === value) ? null : `must be one of ${blockKinds.join(', ')}`;
const children: Check = (value) =>
  value === 'any' || value === 'none' || (Array.isArray(value) && value.every((each) => kind(each) === null))
    ? null
    : `must be "any", "none" or a list of kinds: ${blockKinds.join(', ')}`;

/** Every member a block type can have. */
const members = {
  type: name,
  title: text,
  description: text,
  kind,
  children,
  parents: names,
  inputs: names,
  outputs: (value) => (typeof value === 'function' ? null : names(value)),
  passesOn: (value) => (value === true ? null : 'must be true, or left out'),
  ports: method,
  options: schema,
  optionTexts: (value) =>
    isObject(value) && Object.values(value).every((each) => typeof each === 'string')
      ? null
      : 'must be an object of texts',
  input: schema,
  pure: onlyTrue,
  viewState: onlyTrue,
  references: method,
  check: method,
  shapes: method,
  read: method,
  receive: method,
  on: (value) => (isObject(value) ? null : 'must be an object of event handlers'),
  onPort: method,
  timetable: method,
  external: method,
  acceptsNonMembers: method,
  isOpen: method,
  onChildRun: method,
  select: method,
  supplies: method,
  awaits: method,
  gathers: (value) => (isObject(value) ? null : 'must be a condition'),
  narrow: method,
  page: method,
  enrich: method,
  enriches: method,
  derive: method,
  answer: method,
  assist: method,
} as const satisfies Record<keyof BlockType, Check>;

const required = ['type', 'title', 'description', 'kind'] as const;

/** Throws `OPTION_INVALID`, naming the block type and the member at fault. */
export function assertBlockType(value: unknown): asserts value is BlockType {
  if (!isObject(value)) {
    const what = typeof value === 'function' ? 'a class or function' : String(value);
    throw invalidOption('blocks', `a block type must come from defineBlock, not be ${what}`);
  }
  const fault = (member: string, reason: string): BlockworkError =>
    invalidOption(
      `${member} of the block type "${typeof value.type === 'string' ? value.type : '?'}" in blocks`,
      reason,
    );
  for (const member of required) if (value[member] === undefined) throw fault(member, 'it is missing');
  for (const [member, actual] of Object.entries(value)) {
    if (!isMember(member)) throw fault(member, `there is no such member${didYouMean(member, Object.keys(members))}`);
    const reason = actual === undefined ? null : members[member](actual);
    if (reason !== null) throw fault(member, `it ${reason}`);
  }
  assertHandlers(value, fault);
}

const isMember = (name: string): name is keyof typeof members => Object.hasOwn(members, name);

function assertHandlers(
  { on = {}, inputs = [], timetable }: Record<string, unknown>,
  fault: (member: string, reason: string) => BlockworkError,
): void {
  const inputNames = [...standardInputs, ...(timetable === undefined ? [] : [TICK]), ...(inputs as readonly string[])];
  for (const [input, handler] of Object.entries(on as Record<string, unknown>)) {
    if (input === TICK && timetable === undefined) {
      throw fault(`on.${input}`, 'nothing wakes the block: it has no timetable');
    }
    if (!inputNames.includes(input)) {
      const hint = didYouMean(input, inputNames) || '; declare it in `inputs`';
      throw fault(`on.${input}`, `the block has no such input, only ${inputNames.join(', ')}${hint}`);
    }
    const reason = method(handler);
    if (reason !== null) throw fault(`on.${input}`, `it ${reason}`);
  }
}
