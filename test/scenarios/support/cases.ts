/** The scenarios that are run: those of this folder, and those that the environment names. */
import type { PolicySource } from '@blockwork/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { policyIn } from './policy-file.js';

export interface EndState {
  readonly vc: Readonly<Record<string, number>>;
  readonly vp: Readonly<Record<string, number>>;
  readonly minted: Readonly<
    Record<string, { mints: number; units: number; amounts: string[]; accounts: Record<string, number> }>
  >;
}

export interface ScenarioCase {
  readonly name: string;
  readonly script: unknown;
  readonly scriptFile: string;
  readonly policy: PolicySource;
  readonly policyFile: string;
  /** Everything that is there in the end, where the list of the scenario says so. */
  readonly endState: EndState | null;
}

interface Listed {
  readonly scenario: string;
  readonly policy: string;
  readonly endState?: EndState | null;
}

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

const casesIn = (folder: string): ScenarioCase[] =>
  (json(join(folder, 'index.json')) as Listed[]).map(({ scenario, policy, endState = null }) => {
    const [scriptFile, policyFile] = [join(folder, scenario), join(folder, policy)];
    return { name: scenario, script: json(scriptFile), scriptFile, policy: policyIn(policyFile), policyFile, endState };
  });

export const realPolicies = process.env['BLOCKWORK_REAL_POLICIES'];
const realScenarios = process.env['BLOCKWORK_SCENARIOS'];

const own = fileURLToPath(new URL('../own', import.meta.url));
export const ownCases: readonly ScenarioCase[] = casesIn(own);

/** Of the environment; empty, and said so, where it names none. */
export const realCases: readonly ScenarioCase[] = realScenarios === undefined ? [] : casesIn(realScenarios);

if (realScenarios === undefined || realPolicies === undefined) {
  process.stderr.write(
    'Skipped: scenarios over real policies. BLOCKWORK_REAL_POLICIES and BLOCKWORK_SCENARIOS name no folders of them.\n',
  );
}

export const allCases: readonly ScenarioCase[] = [...ownCases, ...realCases];
