/** Puts an edited policy file in place of the policy that was loaded from it, and says what that changed. */
import {
  isBlockworkError,
  policyChanges,
  readPolicy,
  type Caller,
  type Finding,
  type PolicyEngine,
  type PolicyFile,
} from '@blockwork/core';
import { standardBlocks } from '@blockwork/blocks';
import { describeChanges } from '../diff/describe-changes.js';
import { findingLine } from '../policies/finding-line.js';
import { loadPolicy, readSource } from '../serve/load-policies.js';
import type { Settings } from '../serve/settings.js';

export interface Watched {
  readonly engine: PolicyEngine;
  readonly folder: string;
  /** The identity that owns the policies of the folder. */
  readonly owner: string;
  readonly sandbox: Settings['sandbox'];
}

/**
 * What is to be said about the file as it is now; `undefined` where it means what the policy is already. The policy stays as
 * it is where the file cannot be read or has errors, and where the policy is published.
 */
export async function reloadPolicy(watched: Watched, file: string): Promise<string | undefined> {
  const { engine, folder, owner, sandbox } = watched;
  const caller = { did: owner, role: 'STANDARD_REGISTRY' };
  const policyId = (await engine.program.origins.get(file))?.policyId;
  const before = policyId === undefined ? undefined : await policyHere(engine, caller, policyId);
  if (policyId === undefined || before === undefined) {
    const { outcome, findings = [] } = await loadPolicy(engine, { policies: folder, owner, sandbox }, file);
    return [`${file}: ${outcome}`, ...findings.map(findingLine)].join('\n');
  }
  const { content } = await readSource(folder, file);
  const after = await readPolicy(content, { blocks: standardBlocks() });
  const changes = policyChanges(before, completed(after, before));
  if (changes.length === 0) return undefined;
  const text = describeChanges(changes).trimEnd();
  const { status, version } = await engine.getPolicy(caller, policyId);
  if (status !== 'DRAFT' && status !== 'DRY-RUN') return stays(file, `${status}, version ${version}`, policyId, text);
  if (after.findings.some(isError)) return hasErrors(file, after.findings, text);
  const replaced = status === 'DRAFT' ? await replaceDraft() : await replaceTrial();
  // The engine has the tools of the policy, and may find more than a reader of the file.
  if ('findings' in replaced) return hasErrors(file, replaced.findings, text);
  const { kept } = replaced;
  const warnings = after.findings.filter(({ severity }) => severity === 'warning');
  return [`${file}: reloaded. ${kept}`, ...warnings.map(findingLine), text].join('\n');

  async function replaceDraft(): Promise<{ readonly kept: string }> {
    await engine.lifecycle.replace(caller, policyId ?? '', content);
    return { kept: 'What was done in the draft is kept: documents, roles, and the states of blocks by their tags.' };
  }

  /** The data of a trial belongs to the policy that was tried. */
  async function replaceTrial(): Promise<{ readonly kept: string } | { readonly findings: readonly Finding[] }> {
    const outcome = await engine.lifecycle.restartWith(caller, policyId ?? '', content);
    if (!outcome.isValid) return outcome;
    const { documents = 0, memberships = 0 } = outcome.removed ?? {};
    const gone = `${count(documents, 'document')} and ${count(memberships, 'membership')}`;
    return { kept: `The dry run began anew: ${gone} of the one before are deleted.` };
  }
}

/** An import gives a version to a file without one. */
function completed(after: PolicyFile, { about: { version } }: PolicyFile): PolicyFile {
  return after.about.version === undefined && version !== undefined
    ? { ...after, about: { ...after.about, version } }
    : after;
}

/** As the engine has it, read as a file is: files may be edited while nothing runs. */
async function policyHere(engine: PolicyEngine, caller: Caller, policyId: string): Promise<PolicyFile | undefined> {
  try {
    return await readPolicy(await engine.exportPolicy(caller, policyId), { blocks: standardBlocks() });
  } catch (error) {
    if (isBlockworkError(error, 'POLICY_UNKNOWN')) return undefined;
    throw error;
  }
}

const isError = ({ severity }: Finding): boolean => severity === 'error';

const hasErrors = (file: string, findings: readonly Finding[], text: string): string =>
  [
    `${file}: not reloaded, since it has errors; the policy goes on as it was`,
    ...findings.filter(isError).map(findingLine),
    'It would change:',
    text,
  ].join('\n');

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const stays = (file: string, status: string, policyId: string, text: string): string =>
  [
    `${file}: not reloaded. The policy is ${status}, and its users rely on it; it goes on as it was.`,
    `To try the file: POST /policies/${policyId}/versions makes a draft of the next version, which takes it; or serve it over another data folder. It would change:`,
    text,
  ].join('\n');
