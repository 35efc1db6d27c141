/** A scenario in progress: runs steps, keeps saved variables, and collects failed expectations. */
import type { Json, JsonObject } from '@blockwork/core';
import { demandOptions } from '@blockwork/core/adapter';
import { isObject, valueAt } from '@blockwork/core/block';
import {
  policyBench,
  type PolicyBench,
  type PolicyBenchOptions,
  type PolicySource,
  RefusingLedger,
  reopenedPolicyBench,
} from '@blockwork/testing';
import { checkAnswer, type Complain, fits, rowsOf, sameValue } from './answer-expectations.js';
import type { ScenarioFailure, ScenarioReport } from './report.js';
import { inProcess, refusing, type ScenarioAccess, ScenarioRefusal } from './scenario-access.js';
import { operationNamed, type Expectation, type ScenarioScript, type ScenarioStep } from './script.js';
import { UnknownVariable, Variables } from './variables.js';
import { activeStep, checkWorld, revisionOf, worldView } from './world-view.js';

type Outcome = { readonly answer: Json } | { readonly refusal: ScenarioRefusal };

export class ScenarioRun {
  readonly #variables: Variables;
  #world: ScenarioWorld;

  /** `saved`: variables of an earlier run that this one continues. */
  constructor(world: ScenarioWorld, saved: JsonObject = {}) {
    this.#world = world;
    this.#variables = new Variables(saved);
  }

  /** The variables saved so far, to continue from. */
  get saved(): JsonObject {
    return this.#variables.all;
  }

  /** Continues in another world with the same policy, as after a restart. */
  moveTo(world: ScenarioWorld): void {
    this.#world = world;
  }

  async run(script: ScenarioScript): Promise<ScenarioReport> {
    const failures: ScenarioFailure[] = [];
    for (const step of script) failures.push(...(await this.step(step)));
    return { steps: script.length, failures };
  }

  /** Runs one step and resolves with its failed expectations. Throws only for faults, not for refusals. */
  step(step: ScenarioStep): Promise<ScenarioFailure[]> {
    return this.#checked(step, (filled, complain) => this.#carryOut(filled, complain));
  }

  /** For a step whose answer was lost: checks only what can still be observed. */
  lookAfter(step: ScenarioStep): Promise<ScenarioFailure[]> {
    return this.#checked(step, ({ expect }, complain) => this.#look(expect, complain));
  }

  async #checked(
    step: ScenarioStep,
    check: (filled: ScenarioStep, complain: Complain) => Promise<void>,
  ): Promise<ScenarioFailure[]> {
    const failures: ScenarioFailure[] = [];
    const complain: Complain = (path, expected, got) =>
      failures.push({ step: step.n, tag: step.tag, path, expected, got });
    await this.#meet(step);
    try {
      await check(this.#filledIn(step), complain);
    } catch (error) {
      if (!(error instanceof UnknownVariable)) throw error;
      complain(`\${${error.path}}`, 'something saved by a step before', undefined);
    }
    return failures;
  }

  async #carryOut(filled: ScenarioStep, complain: Complain): Promise<void> {
    const { bench } = this.#world;
    // Documents are ordered by time.
    bench.clock.advance('1s');
    const [revision, entries] = [await revisionOf(bench), (await bench.journal()).length];
    const outcome = await this.#carriedOut(filled);
    checkOutcome(outcome, filled.expect, complain);
    if ('refusal' in outcome && (await revisionOf(bench)) !== revision) {
      complain('refusal', 'nothing changed', 'something changed');
    }
    const failed = (await bench.journal()).slice(entries).flatMap(({ warnings }) => warnings);
    const tags = [...new Set(failed.map(({ tag }) => tag))].sort();
    const wanted = [...new Set(filled.expect.blockErrors ?? [])].sort();
    if (!sameValue(wanted, tags)) complain('blockErrors', wanted, failed);
    if ('answer' in outcome) {
      checkAnswer(outcome.answer, filled.expect, complain);
      this.#save(filled, outcome.answer, complain);
    }
    await this.#look(filled.expect, complain);
  }

  /** Registers every user that a step names. */
  async #meet(step: ScenarioStep): Promise<void> {
    const { bench } = this.#world;
    for (const name of [step.as, ...Variables.usersIn(step)]) {
      if (name === 'system') continue;
      const session = bench.as(name);
      this.#variables.setUser(name, { did: session.did, account: await session.account() });
    }
    this.#variables.set('policyId', (await bench.open()).policyId);
  }

  #filledIn(step: ScenarioStep): ScenarioStep {
    const { body, expect, save } = step;
    const filled = (value: unknown): unknown => this.#variables.filledIn(value as Json);
    return {
      ...step,
      ...(body !== undefined && { body: filled(body) as Json }),
      ...(save !== undefined && { save: filled(save) as NonNullable<ScenarioStep['save']> }),
      expect: filled(expect) as Expectation,
    };
  }

  async #carriedOut(step: ScenarioStep): Promise<Outcome> {
    try {
      return { answer: await this.#act(step) };
    } catch (error) {
      if (error instanceof ScenarioRefusal) return { refusal: error };
      throw error;
    }
  }

  async #act({ as, method, tag, body = null, proof }: ScenarioStep): Promise<Json> {
    const { bench, access, ledger } = this.#world;
    switch (method) {
      case 'GET':
        return this.#named(await access.read(bench.as(as), tag));
      case 'POST':
        return access.send(bench.as(as), tag, body);
      case 'TICK':
        await refusing(() => bench.tick(tag));
        return null;
      case 'WAIT':
        await refusing(() => bench.advance(body as string));
        return null;
      case 'FAULT':
        ledger.refuseNext(operationNamed(tag));
        return null;
      case 'EXTERNAL': {
        const {
          owner,
          document,
          ref = null,
        } = body as { owner: string; document: JsonObject & { issuer: string }; ref?: Json };
        const signed = await bench.sign(document as Parameters<typeof bench.sign>[0]);
        await access.external(tag, { owner, document: proof === 'valid' ? signed : tamperedWith(signed), ref });
        return null;
      }
    }
  }

  /** Rows name blocks by id, scripts by tag. */
  async #named(answer: Json): Promise<Json> {
    const rows = rowsOf(answer);
    if (!rows?.some((row) => isObject(valueAt(row, 'blocks')))) return answer;
    const sources = await this.#world.bench.blocks();
    const tags = new Map(sources.map(({ id, tag }) => [id, tag]));
    for (const row of rows) {
      const blocks = valueAt(row, 'blocks');
      if (!isObject(blocks)) continue;
      for (const [id, state] of Object.entries(blocks)) blocks[tags.get(id) ?? id] = state;
    }
    return answer;
  }

  #save({ save = {} }: ScenarioStep, answer: Json, complain: Complain): void {
    for (const [name, what] of Object.entries(save)) {
      const value = 'path' in what ? valueAt(answer, what.path) : rowsOf(answer)?.find((row) => fits(row, what.where));
      if (value === undefined) complain(`save/${name}`, what, answer);
      else this.#variables.set(name, value as Json);
    }
  }

  async #look({ world, step = {} }: Expectation, complain: Complain): Promise<void> {
    const { bench } = this.#world;
    if (world !== undefined) checkWorld(await worldView(bench), world, complain);
    for (const [place, wanted] of Object.entries(step)) {
      const at = place.indexOf('@');
      const got = await activeStep(bench, place.slice(0, at), place.slice(at + 1));
      if (got !== wanted) complain(`step/${place}`, wanted, got);
    }
  }
}

function checkOutcome(outcome: Outcome, { available = true, error }: Expectation, complain: Complain): void {
  const refusal = 'refusal' in outcome ? { status: outcome.refusal.status, said: outcome.refusal.message } : undefined;
  if (!available) {
    if (refusal?.status !== 403 && refusal?.status !== 409) complain('available', false, refusal ?? 'an answer');
  } else if (error !== undefined) {
    const isRefused = refusal !== undefined && refusal.status < 500 && new RegExp(error, 'i').test(refusal.said);
    if (!isRefused) complain('error', error, refusal ?? 'an answer');
  } else if (refusal !== undefined) {
    complain('answer', 'no refusal', refusal);
  }
}

function tamperedWith(document: JsonObject): JsonObject {
  const { credentialSubject } = document;
  const [first, ...others] = (
    Array.isArray(credentialSubject) ? credentialSubject : [credentialSubject]
  ) as JsonObject[];
  return { ...document, credentialSubject: [{ ...first, forged: true }, ...others] };
}

export interface ScenarioWorld {
  readonly bench: PolicyBench;
  readonly ledger: RefusingLedger;
  readonly access: ScenarioAccess;
  close(): Promise<void>;
}

export interface ScenarioWorldOptions extends Omit<PolicyBenchOptions, 'ledger'> {
  readonly ledger?: RefusingLedger;
  /** Replaces the direct access to the engine. `close` is called before the bench is closed. */
  readonly access?: (bench: PolicyBench) => Promise<ScenarioAccess & { close?(): Promise<void> }>;
}

/** `source`: a policy, or the id of one that `options.store` already holds. */
export async function openScenarioWorld(
  source: PolicySource | string,
  worldOptions: ScenarioWorldOptions = {},
): Promise<ScenarioWorld> {
  demandOptions(worldOptions, 'openScenarioWorld', 'worldOptions');
  const { access: open, ledger = new RefusingLedger(), ...options } = worldOptions;
  const { store } = options;
  if (typeof source === 'string' && store === undefined) throw new Error('A stored policy is opened with its store.');
  const bench =
    typeof source === 'string' && store !== undefined
      ? reopenedPolicyBench(source, { ...options, store, ledger })
      : policyBench(source as PolicySource, { ...options, ledger });
  const access = await accessTo(bench, open).catch(async (error: unknown) => {
    await bench.close();
    throw error;
  });
  return {
    bench,
    ledger,
    access,
    close: async () => {
      await access.close?.();
      await bench.close();
    },
  };
}

async function accessTo(
  bench: PolicyBench,
  open: ScenarioWorldOptions['access'],
): Promise<ScenarioAccess & { close?(): Promise<void> }> {
  await bench.open();
  return open === undefined ? inProcess(bench) : open(bench);
}
