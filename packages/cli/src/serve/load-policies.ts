/** Loads the policies of a folder, each file once: a later start finds what it did before. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isBlockworkError,
  type DocumentInput,
  type Finding,
  type PolicyEngine,
  type PolicyRecord,
} from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { documentsIn, jsonIn } from './json-file.js';
import { LoadedFiles, type LoadedFile } from './loaded-files.js';
import type { Settings } from './settings.js';
import { startupError } from './startup-error.js';

export interface LoadedPolicy {
  readonly file: string;
  /** The outcome for the file, in words. */
  readonly outcome: string;
  /** `undefined` for a file that could not be loaded. */
  readonly facts?: LoadedFile;
  readonly findings?: readonly Finding[];
}

interface Imported {
  readonly facts: LoadedFile;
  readonly findings: readonly Finding[];
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
    throw startupError(`The folder ${folder} cannot be read (${code}). Set BLOCKWORK_POLICIES to one with policies.`);
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
    if (known === undefined || (await this.#find(known.policyId)) === undefined) return this.#loadFirst(file);
    const findings = await this.engine.getFindings(this.#owner, known.policyId);
    if (known.documents !== undefined) return { file, facts: known, findings, outcome: 'loaded before' };
    // Of an earlier version, which loaded policies before their documents.
    const documents = await this.#documentsOf(file);
    if (documents === undefined) return { file, facts: known, findings, outcome: 'loaded before' };
    await this.#addDocuments(known.policyId, documents);
    const facts = { ...known, documents: documents.length };
    await this.memory.set(file, facts);
    return { file, facts, findings, outcome: `loaded, with ${facts.documents} documents` };
  }

  /** A policy and its documents are one thing: both are loaded, or neither is. */
  async #loadFirst(file: string): Promise<LoadedPolicy> {
    const documents = await this.#documentsOf(file);
    const { facts, findings } = await this.#import(file, documents);
    await this.memory.set(file, facts);
    const outcome =
      documents === undefined ? 'loaded, without documents' : `loaded, with ${documents.length} documents`;
    return { file, facts, findings, outcome };
  }

  async #import(file: string, documents: readonly DocumentInput[] = []): Promise<Imported> {
    const path = join(this.settings.policies, file);
    if (!file.endsWith('.json')) return this.#take(await readFile(path), documents);
    // A policy without an id is called as its file, so that its address can be read, and stays after a fresh start.
    const content = await jsonIn(path);
    const policy = isObject(content) ? { id: file.replace(/\.policy\.json$/, ''), ...content } : undefined;
    return this.#take(policy ?? content, documents, typeof policy?.id === 'string' ? policy.id : undefined);
  }

  async #take(source: unknown, documents: readonly DocumentInput[], id?: string): Promise<Imported> {
    try {
      const { policy, findings } = await this.engine.importPolicy(this.#owner, source, { documents });
      return { facts: factsOf(policy.id, findings, documents), findings };
    } catch (error) {
      // The process ended between an import and the note of it.
      if (id === undefined || !isBlockworkError(error, 'POLICY_EXISTS')) throw error;
      const findings = await this.engine.getFindings(this.#owner, id);
      return { facts: factsOf(id, findings, documents), findings };
    }
  }

  /** `undefined` where the policy has no file of documents. */
  #documentsOf(file: string): Promise<DocumentInput[] | undefined> {
    return documentsIn(join(this.settings.policies, file.replace(/\.policy(\.json)?$/, '.documents.json')));
  }

  async #addDocuments(policyId: string, documents: readonly DocumentInput[]): Promise<void> {
    try {
      await this.engine.program.documents.add(policyId, documents);
    } catch (error) {
      // The process ended before the note of it; they are added all together or not at all.
      if (!isBlockworkError(error, 'DOCUMENT_EXISTS')) throw error;
    }
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

const factsOf = (policyId: string, findings: readonly Finding[], documents: readonly DocumentInput[]): LoadedFile => ({
  policyId,
  findings: countOf(findings),
  documents: documents.length,
});

export const countOf = (findings: readonly Finding[]): LoadedFile['findings'] => ({
  errors: findings.filter(({ severity }) => severity === 'error').length,
  warnings: findings.filter(({ severity }) => severity === 'warning').length,
});
