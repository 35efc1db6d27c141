/** Reloads an edited policy file and reports the differences. */
import {
  isBlockworkError,
  isUniqueVariant,
  policyChanges,
  readPolicy,
  type Caller,
  type Finding,
  type PolicyEngine,
  type PolicyFile,
} from '@blockwork/core';
import { standardBlocks } from '@blockwork/blocks';
import { join } from 'node:path';
import { describeChanges } from '../diff/describe-changes.js';
import { findingLinesIn } from '../policies/finding-line.js';
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
 * Returns the report for the file; `undefined` if it matches the policy. The policy is left unchanged if the file cannot be
 * read or has errors, or if the policy is published.
 */
export async function reloadPolicy(watched: Watched, file: string): Promise<string | undefined> {
  const { engine, folder, owner, sandbox } = watched;
  const caller = { did: owner, role: 'STANDARD_REGISTRY' };
  const path = join(folder, file);
  const policyId = (await engine.program.origins.get(file))?.policyId;
  const before = policyId === undefined ? undefined : await policyHere(engine, caller, policyId);
  if (policyId === undefined || before === undefined) {
    const { outcome, findings = [] } = await loadPolicy(engine, { policies: folder, owner, sandbox }, file);
    return [`${file}: ${outcome}`, ...(await findingLinesIn(path, findings))].join('\n');
  }
  const { content } = await readSource(folder, file);
  const after = await readPolicy(content, { blocks: standardBlocks() });
  const changes = policyChanges(before, completed(after, before));
  if (changes.length === 0) return undefined;
  const text = describeChanges(changes).trimEnd();
  const { status, version } = await engine.getPolicy(caller, policyId);
  if (status !== 'DRAFT' && status !== 'DRY-RUN') return stays(file, `${status}, version ${version}`, policyId, text);
  if (after.findings.some(isError)) return hasErrors(after.findings);
  const replaced = status === 'DRAFT' ? await replaceDraft() : await replaceTrial();
  // The engine knows the policy's tools, and may find more than the check of the file.
  if ('findings' in replaced) return hasErrors(replaced.findings);
  const { kept } = replaced;
  const warnings = after.findings.filter(({ severity }) => severity === 'warning');
  return [`${file}: reloaded. ${kept}`, ...(await findingLinesIn(path, warnings)), text].join('\n');

  async function hasErrors(findings: readonly Finding[]): Promise<string> {
    return [
      `${file}: not reloaded because of errors; the policy is unchanged`,
      ...(await findingLinesIn(path, findings.filter(isError))),
      'It would change:',
      text,
    ].join('\n');
  }

  async function replaceDraft(): Promise<{ readonly kept: string }> {
    await engine.lifecycle.replace(caller, policyId ?? '', content);
    return { kept: 'The data of the draft is kept: documents, roles, and block states by tag.' };
  }

  /** The data of a trial belongs to the previous version of the policy. */
  async function replaceTrial(): Promise<{ readonly kept: string } | { readonly findings: readonly Finding[] }> {
    const outcome = await engine.lifecycle.restartWith(caller, policyId ?? '', content);
    if (!outcome.isValid) return outcome;
    const { documents = 0, memberships = 0 } = outcome.removed ?? {};
    const losses = `${count(documents, 'document')} and ${count(memberships, 'membership')}`;
    return { kept: `The dry run was restarted: ${losses} of the previous one were deleted.` };
  }
}

/** An import assigns a version to a file without one, and a variant of its name if another policy has that. */
function completed(after: PolicyFile, { about: before }: PolicyFile): PolicyFile {
  const { name, version = before.version } = after.about;
  return {
    ...after,
    about: {
      ...after.about,
      ...(version !== undefined && { version }),
      ...(isUniqueVariant(before.name, name) && { name: before.name }),
    },
  };
}

/** The engine's policy, read like a file: files may have been edited while the server was down. */
async function policyHere(engine: PolicyEngine, caller: Caller, policyId: string): Promise<PolicyFile | undefined> {
  try {
    return await readPolicy(await engine.exportPolicy(caller, policyId), { blocks: standardBlocks() });
  } catch (error) {
    if (isBlockworkError(error, 'POLICY_UNKNOWN')) return undefined;
    throw error;
  }
}

const isError = ({ severity }: Finding): boolean => severity === 'error';

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const stays = (file: string, status: string, policyId: string, text: string): string =>
  [
    `${file}: not reloaded. The policy is ${status} and in use; it is unchanged.`,
    `To try the file, create a draft of the next version with POST /policies/${policyId}/versions, or serve it with another data folder. It would change:`,
    text,
  ].join('\n');
