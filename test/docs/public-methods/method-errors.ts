/** The errors of the engine's methods: as their table and their comments announce them, and as they throw them. */
import { createEngine, isBlockworkError, methodErrors, permissions, silentLogger } from '@blockwork/core';
import type { MethodErrors, PolicyEngine } from '@blockwork/core';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { documentedErrors } from './documented-errors.js';
import type { Parameter } from './public-types.js';
import { types } from './types.js';

describe('the table of the errors of methods', () => {
  const methods = types.methods('core', 'PolicyEngine');
  const table: Readonly<Record<string, MethodErrors>> = methodErrors;
  const rows = methods.map((method) => ({ ...method, errors: table[method.name] }));

  it('has the methods that there are', () => {
    expect(Object.keys(table).sort()).toEqual(methods.map(({ name }) => name).sort());
  });

  const comments = documentedErrors(methods);

  it.each(rows)('says of $name what its comment says', ({ name, errors }) => {
    const { codes, blocks } = comments.get(name) ?? {};
    expect({ codes: [...(errors?.codes ?? [])].sort(), blocks: errors?.blocks === true }).toEqual({ codes, blocks });
  });

  const owner = { did: 'did:example:owner', permissions };
  const objects: Readonly<Record<string, object>> = {
    origin: { id: 'x', policyId: 'unknown', documents: 0 },
    request: { to: 'x', policyId: 'unknown', action: { type: 'import-policy' } },
  };
  const fitting = ({ name, type, isObject }: Parameter): unknown => {
    if (type === 'BlockReference') return { tag: 'root' };
    return name === 'policyId' ? 'unknown' : isObject ? (objects[name] ?? {}) : 'x';
  };

  /** The code that a call fails with; `undefined` if it does not fail. */
  async function codeOf(engine: PolicyEngine, name: string, args: readonly unknown[]): Promise<string | undefined> {
    try {
      const path = name.split('.');
      const holder = path.slice(0, -1).reduce((each: object, member) => Reflect.get(each, member) as object, engine);
      const method = Reflect.get(holder, path.at(-1) ?? '') as (...args: unknown[]) => unknown;
      const answer = await method.apply(holder, [...args]);
      if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
        await (answer as AsyncGenerator).next();
      return undefined;
    } catch (error) {
      return isBlockworkError(error) ? error.code : String(error);
    }
  }

  const calls = rows.filter(({ name }) => name !== 'close');
  const argumentsOf = (parameters: readonly Parameter[], caller: unknown): unknown[] =>
    parameters.map((parameter) => (parameter.type === 'Caller' ? caller : fitting(parameter)));
  const takesCaller = ({ parameters }: { parameters: readonly Parameter[] }): boolean =>
    parameters.some(({ type }) => type === 'Caller');

  it.each(calls)('says of $name whether it works on a closed engine', async ({ name, parameters, errors }) => {
    const engine = createEngine({ logger: silentLogger });
    await engine.close();
    const code = await codeOf(engine, name, argumentsOf(parameters, owner));
    expect(code === 'ENGINE_CLOSED').toBe(errors?.codes.includes('ENGINE_CLOSED'));
  });

  it.each(calls.filter(takesCaller))(
    'says of $name whether anyone may call it',
    async ({ name, parameters, errors }) => {
      const engine = createEngine({ logger: silentLogger });
      const nobody = { did: 'did:example:nobody', permissions: [] };
      const code = await codeOf(engine, name, argumentsOf(parameters, nobody));
      await engine.close();
      expect(code === 'PERMISSION_DENIED').toBe(errors?.codes.includes('PERMISSION_DENIED'));
    },
  );

  it.each(calls)('lists what $name throws when nothing is as it expects', async ({ name, parameters, errors }) => {
    const engine = createEngine({ logger: silentLogger });
    const code = await codeOf(engine, name, argumentsOf(parameters, owner));
    await engine.close();
    expect([undefined, 'INPUT_INVALID', ...(errors?.codes ?? [])]).toContain(code);
  });

  const wrong: readonly unknown[] = [undefined, null, 7, '', 'x', true, [], [null], {}, { id: 7 }, new Date(NaN)];

  it.each(calls.filter(takesCaller))(
    'refuses whoever may not call $name before it looks at the other arguments',
    async ({ name, parameters, errors }) => {
      const engine = createEngine({ logger: silentLogger });
      const nobody = { did: 'did:example:nobody', permissions: [] };
      const codes = new Set<string | undefined>();
      for (const [at, { type }] of parameters.entries()) {
        if (type === 'Caller') continue;
        for (const value of wrong)
          codes.add(await codeOf(engine, name, argumentsOf(parameters, nobody).with(at, value)));
      }
      await engine.close();
      const isRefused = errors?.codes.includes('PERMISSION_DENIED') && parameters.length > 1;
      if (isRefused) expect([...codes]).toEqual(['PERMISSION_DENIED']);
    },
  );

  it.each(calls)('lists what $name throws for an argument of a wrong kind', async ({ name, parameters, errors }) => {
    const engine = createEngine({ logger: silentLogger });
    const allowed = new Set([undefined, 'CALLER_INVALID', 'INPUT_INVALID', ...(errors?.codes ?? [])]);
    const unlisted: string[] = [];
    for (const [at, parameter] of parameters.entries()) {
      for (const value of wrong) {
        const args = argumentsOf(parameters, owner).with(at, value);
        const code = await codeOf(engine, name, args);
        if (!allowed.has(code)) unlisted.push(`${parameter.name} = ${inspect(value)}: ${code ?? ''}`);
      }
    }
    await engine.close();
    expect(unlisted).toEqual([]);
  });
});
