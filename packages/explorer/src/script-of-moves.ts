/** Converts moves to a scenario script whose expectations are the observed outcomes. */
import type { Json } from '@blockwork/core';
import { isObject } from '@blockwork/core/block';
import type { ScenarioStep } from './scenario/script.js';
import type { Move } from './move.js';
import type { Replay } from './replay.js';
import type { Outcome } from './world/policy-world.js';

/** Passes against the same policy as long as the finding persists. */
export function scriptOf({ done }: Replay): ScenarioStep[] {
  const steps = done.flatMap(({ move, outcome }, at) => stepsOf(move, outcome, `row${String(at + 1)}`));
  return steps.map((step, at) => ({ n: at + 1, ...step }));
}

type Unnumbered = Omit<ScenarioStep, 'n'>;

function stepsOf({ user, method, block, body, row, keep }: Move, outcome: Outcome, name: string): Unnumbered[] {
  const step: Unnumbered = {
    as: user,
    method,
    tag: block,
    ...(body !== null && { body: naming(body, name) }),
    ...(method === 'EXTERNAL' && { proof: 'valid' as const }),
    ...(keep !== undefined && { save: { [keep.name]: { path: keep.path } } }),
    expect: expectationOf(outcome),
  };
  if (row === undefined) return [step];
  const where = 'where' in row ? { where: withUsers({ ...row.where }) as Record<string, Json> } : { path: row.path };
  return [{ as: user, method: 'GET', tag: row.grid, save: { [name]: where }, expect: {} }, step];
}

function expectationOf({ refusal, units }: Outcome): ScenarioStep['expect'] {
  if (refusal !== null) return { error: refusal.code };
  const failed = new Set(units.flatMap(({ warnings }) => warnings.map(({ tag }) => tag)));
  return failed.size === 0 ? {} : { blockErrors: [...failed].sort() };
}

/** Each step saves its row under a unique name. */
function naming(body: Json, name: string): Json {
  const text = JSON.stringify(withUsers(body));
  return JSON.parse(text.replaceAll('"$row":"row"', `"$row":"${name}"`).replaceAll('${row.', `\${${name}.`)) as Json;
}

/** Users by their names, since only the bench knows their DIDs. */
function withUsers(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(/^did:bench:(owner|user\d+)$/, (_, user: string) => `\${users.${user}.did}`);
  }
  if (Array.isArray(value)) return value.map(withUsers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withUsers(member)]));
}
