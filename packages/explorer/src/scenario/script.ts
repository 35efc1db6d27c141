/** The format of scenario scripts: steps of users with expectations, as JSON. See docs/scenarios.md. */
import { effectType, type LedgerEffect } from '@blockwork/core/records';
import { z } from 'zod';

/** What a `FAULT` may name, such as `createToken`, and the operation of the ledger that it is. */
const operations: Readonly<Record<string, LedgerEffect['type']>> = Object.fromEntries(
  effectType.options.map((type) => [type.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()), type]),
);

/** Of a script that was read. */
export function operationNamed(name: string): LedgerEffect['type'] {
  const operation = operations[name];
  if (operation === undefined) throw new Error(`No operation of the ledger is called "${name}".`);
  return operation;
}

const patterns = z.record(z.string(), z.json());
const tally = z.record(z.string(), z.number().int().min(0));

const minted = z.strictObject({
  tokenId: z.string(),
  mints: z.number().int().min(0).optional(),
  units: z.number().int().min(0).optional(),
  amounts: z.array(z.string()).optional(),
  accounts: z.record(z.string(), z.number().int().min(0)).optional(),
});

const expectation = z.strictObject({
  available: z.boolean().optional(),
  error: z.string().min(1).optional(),
  blockErrors: z.array(z.string()).optional(),
  count: z.number().int().min(0).optional(),
  rows: z.array(patterns).optional(),
  order: z.record(z.string(), z.array(z.json())).optional(),
  has: patterns.optional(),
  exists: z.array(z.string()).optional(),
  absent: z.array(z.string()).optional(),
  lengths: tally.optional(),
  world: z.strictObject({ vc: tally.optional(), vp: tally.optional(), minted: z.array(minted).optional() }).optional(),
  step: z.record(z.templateLiteral([z.string(), '@', z.string()]), z.string()).optional(),
});

const saved = z.union([z.strictObject({ where: patterns }), z.strictObject({ path: z.string().min(1) })]);

const step = z
  .strictObject({
    n: z.number().int(),
    as: z.string().min(1),
    role: z.string().nullish(),
    method: z.enum(['GET', 'POST', 'TICK', 'WAIT', 'EXTERNAL', 'FAULT']),
    tag: z.string(),
    body: z.json().optional(),
    save: z.record(z.string(), saved).optional(),
    proof: z.enum(['valid', 'invalid']).optional(),
    note: z.string().optional(),
    sweep: z.boolean().optional(),
    expect: expectation.default({}),
  })
  .refine(({ method, proof }) => (method === 'EXTERNAL') === (proof !== undefined), {
    error: '`proof` belongs to EXTERNAL, and to nothing else',
  })
  .refine(({ as, method }) => as !== 'system' || (method !== 'GET' && method !== 'POST'), {
    error: '`system` is no user: it neither reads nor sends',
  })
  .refine(({ method, body }) => method !== 'WAIT' || typeof body === 'string', {
    error: '`WAIT` has a duration as its body, such as "90s"',
  })
  .refine(({ method, tag }) => method !== 'FAULT' || Object.hasOwn(operations, tag), {
    error: `\`FAULT\` names an operation of the ledger: ${Object.keys(operations).join(', ')}`,
  });

const script = z.array(step).min(1);

export type Expectation = z.infer<typeof expectation>;
export type MintedExpectation = z.infer<typeof minted>;
export type ScenarioStep = z.infer<typeof step>;
export type ScenarioScript = readonly ScenarioStep[];

/** Parses a script. Throws with all problems, including unknown members. */
export function readScript(source: unknown): ScenarioScript {
  const parsed = script.safeParse(source);
  if (parsed.success) return parsed.data;
  throw new SyntaxError(`The scenario script is malformed:\n${z.prettifyError(parsed.error)}`);
}
