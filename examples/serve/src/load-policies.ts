/** Loads the policies of a folder, each file once: a later start finds what it did before. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isBlockworkError, type Finding, type PolicyEngine, type PolicyRecord } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { documentsIn, jsonIn } from './json-file.js';
import { LoadedFiles, type LoadedFile } from './loaded-files.js';
import type { Settings } from './settings.js';
import { StartupError } from './startup-error.js';

export interface LoadedPolicy {
  readonly file: string;
  /** What became of the file, in words. */
  readonly outcome: string;
  /** `undefined` for a file that could not be loaded. */
  readonly facts?: LoadedFile;
}

/**
 * `*.policy` archives and `*.policy.json`; beside either, `<name>.documents.json` holds its documents. A file that cannot
 * be used is told with the reason, and keeps no other from being loaded.
 */
export async function loadPolicies(engine: PolicyEngine, settings: Settings): Promise<LoadedPolicy[]> {
  const files = await policyFiles(settings.policies);
  const memory = await LoadedFiles.open(settings.data);
  const loading = new Loading(engine, settings, memory);
  const loaded: LoadedPolicy[] = [];
  for (const file of files) {
    try {
      loaded.push(await loading.load(file));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      loaded.push({ file, outcome: `not loaded: ${error.message}` });
    }
  }
  return loaded;
}

async function policyFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /\.policy(\.json)?$/.test(name)).sort();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new StartupError(
      `The folder ${folder} cannot be read (${code}). Set BLOCKWORK_POLICIES to one with policies.`,
    );
  }
}

class Loading {
  constructor(
    private readonly engine: PolicyEngine,
    private readonly settings: Settings,
    private readonly memory: LoadedFiles,
  ) {}

  async load(file: string): Promise<LoadedPolicy> {
    const known = this.memory.get(file);
    const isThere = known !== undefined && (await this.#find(known.policyId)) !== undefined;
    const facts = isThere ? known : await this.#import(file);
    if (!isThere) await this.memory.set(file, facts);
    const documents = facts.documents ?? (await this.#addDocuments(file, facts.policyId));
    if (documents === facts.documents || documents === undefined) {
      return { file, facts, outcome: isThere ? 'loaded before' : 'loaded, without documents' };
    }
    await this.memory.set(file, { ...facts, documents });
    return { file, facts: { ...facts, documents }, outcome: `loaded, with ${documents} documents` };
  }

  async #import(file: string): Promise<LoadedFile> {
    const path = join(this.settings.policies, file);
    if (!file.endsWith('.json')) return this.#take(await readFile(path));
    // A policy without an id is called as its file, so that its address can be read, and stays after a fresh start.
    const content = await jsonIn(path);
    const policy = isObject(content) ? { id: file.replace(/\.policy\.json$/, ''), ...content } : undefined;
    return this.#take(policy ?? content, typeof policy?.id === 'string' ? policy.id : undefined);
  }

  async #take(source: unknown, id?: string): Promise<LoadedFile> {
    try {
      const { policy, findings } = await this.engine.importPolicy(this.#owner, source);
      return { policyId: policy.id, findings: count(findings) };
    } catch (error) {
      // The process ended between an import and the note of it.
      if (id === undefined || !isBlockworkError(error, 'POLICY_EXISTS')) throw error;
      return { policyId: id, findings: count(await this.engine.getFindings(this.#owner, id)) };
    }
  }

  /** How many there are; `undefined` where the policy has no file of documents. */
  async #addDocuments(file: string, policyId: string): Promise<number | undefined> {
    const documents = await documentsIn(
      join(this.settings.policies, file.replace(/\.policy(\.json)?$/, '.documents.json')),
    );
    if (documents === undefined) return undefined;
    try {
      await this.engine.program.documents.add(policyId, documents);
    } catch (error) {
      // As above; they are added all together or not at all.
      if (!isBlockworkError(error, 'DOCUMENT_EXISTS')) throw error;
    }
    return documents.length;
  }

  async #find(policyId: string): Promise<PolicyRecord | undefined> {
    try {
      return await this.engine.getPolicy(this.#owner, policyId);
    } catch (error) {
      if (isBlockworkError(error, 'POLICY_UNKNOWN')) return undefined;
      throw error;
    }
  }

  get #owner(): { did: string; role: string } {
    return { did: this.settings.owner, role: 'STANDARD_REGISTRY' };
  }
}

const count = (findings: readonly Finding[]): LoadedFile['findings'] => ({
  errors: findings.filter(({ severity }) => severity === 'error').length,
  warnings: findings.filter(({ severity }) => severity === 'warning').length,
});
