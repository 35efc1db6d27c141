/** A recording as a file: the script of the trial, and a table of its actions for people. */
import { packArchive, unpackArchive, type JsonObject } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { parse } from 'secure-json-parse';
import { z } from 'zod';
import { SandboxError } from '../errors.js';
import { json, jsonObject } from '../requests/json-members.js';

const SCRIPT = 'scenario.json';
const STEPS = 10_000;

const step = z.looseObject({
  n: z.number(),
  as: z.string().min(1).max(200),
  method: z.string().max(20),
  tag: z.string().max(500),
  body: json.optional(),
  save: z.record(z.string(), z.union([z.object({ where: jsonObject }), z.object({ path: z.string() })])).optional(),
  expect: jsonObject.default({}),
});
export type ScriptStep = z.infer<typeof step>;

export function recordFile(script: readonly JsonObject[]): Uint8Array {
  const rows = script.filter(({ method }) => method !== 'GET').map(({ n, method, as, tag }) => [n, method, as, tag]);
  const table = [['n', 'method', 'user', 'target'], ...rows]
    .map((row) => row.map((cell) => JSON.stringify(cell)).join(','))
    .join('\r\n');
  return packArchive(
    new Map([
      [SCRIPT, Buffer.from(JSON.stringify(script))],
      ['actions.csv', Buffer.from(table)],
    ]),
  );
}

/** Throws `FILE_REFUSED`, `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`. */
export function scriptIn(file: Uint8Array): ScriptStep[] {
  const content = unpackArchive(file).get(SCRIPT);
  if (content === undefined)
    throw new SandboxError('FILE_REFUSED', { reason: `it holds no ${SCRIPT}, so it is no recording of a sandbox` });
  const { data } = z.array(step).max(STEPS).safeParse(valueIn(content));
  if (data === undefined) throw new SandboxError('FILE_REFUSED', { reason: `${SCRIPT} is no script` });
  return data;
}

function valueIn(content: Uint8Array): unknown {
  try {
    return parse(Buffer.from(content).toString('utf8'), { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw new SandboxError('FILE_REFUSED', { reason: `${SCRIPT} is no JSON` });
  }
}

/** `value` with `${name}` replaced by what was saved, and `{ $row, set }` by a changed copy of a row. */
export function filledIn(value: unknown, saved: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    const whole = /^\$\{([^}]+)\}$/.exec(value)?.[1];
    if (whole !== undefined) return valueAt(saved, whole);
    return value.replaceAll(/\$\{([^}]+)\}/g, (_, path: string) => {
      const part = valueAt(saved, path);
      return typeof part === 'string' ? part : JSON.stringify(part ?? null);
    });
  }
  if (Array.isArray(value)) return value.map((each: unknown) => filledIn(each, saved));
  if (!isObject(value)) return value;
  const { $row: row, set = {} } = value;
  if (typeof row !== 'string')
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each, saved)]));
  const copy: unknown = structuredClone(saved[row]);
  for (const [path, each] of Object.entries(isObject(set) ? set : {}))
    put(copy, path.split('.'), filledIn(each, saved));
  return copy;
}

export const valueAt = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (inner, key) => (isObject(inner) || Array.isArray(inner) ? Reflect.get(inner, key) : undefined),
      value,
    );

function put(target: unknown, [key = '', ...rest]: string[], value: unknown): void {
  if (!isObject(target) || key === '__proto__') return;
  if (rest.length === 0) target[key] = value;
  else put((target[key] ??= {}), rest, value);
}
