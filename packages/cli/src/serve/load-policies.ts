/** Loads the policies of a folder, each file once: later starts, here or on another node, find them in the store. */
import { createHash } from 'node:crypto';
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
import { isPolicyFile } from '../policies/policy-folder.js';
import { documentsIn, jsonIn } from './json-file.js';
import type { Settings } from './settings.js';
import { startupError } from './startup-error.js';

export interface LoadedPolicy {
  readonly file: string;
  /** The outcome for the file, as text. */
  readonly outcome: string;
  /** `undefined` for a file that could not be loaded. */
  readonly facts?: LoadedFile;
  readonly findings?: readonly Finding[];
}

interface LoadedFile {
  readonly policyId: string;
  /** Number of documents loaded with it. */
  readonly documents: number;
}

export type LoadedFolder = Pick<Settings, 'owner' | 'sandbox'> & { readonly policies: string };

export interface PolicySource {
  readonly content: unknown;
  /** The id from the file, or derived from its name; an archive has none. */
  readonly id?: string;
}

/**
 * Loads `*.policy` archives and `*.policy.json`, each with the documents in `<name>.documents.json` next to it. An unusable file
 * is reported with the reason, and does not prevent others from being loaded.
 */
export async function loadPolicies(
  engine: PolicyEngine,
  { policies, owner, sandbox }: Pick<Settings, 'policies' | 'owner' | 'sandbox'>,
): Promise<LoadedPolicy[]> {
  if (policies === undefined) return [];
  const loading = new Loading(engine, { policies, owner, sandbox });
  const loaded: LoadedPolicy[] = [];
  for (const file of await policyFiles(policies)) loaded.push(await attempt(loading, file));
  return loaded;
}

/** Loads one file of the folder, as `loadPolicies` loads each. */
export const loadPolicy = (engine: PolicyEngine, folder: LoadedFolder, file: string): Promise<LoadedPolicy> =>
  attempt(new Loading(engine, folder), file);

async function attempt(loading: Loading, file: string): Promise<LoadedPolicy> {
  try {
    return await loading.load(file);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { file, outcome: `not loaded: ${error.message}` };
  }
}

async function policyFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isPolicyFile).sort();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    if (code === 'ENOTDIR') throw startupError(`${folder} is a file. Name its folder instead.`);
    throw startupError(`The folder ${folder} cannot be read (${code}). Set BLOCKWORK_POLICIES to one with policies.`);
  }
}

/**
 * The input of `engine.importPolicy` for a file of the folder. `idOf` derives an id for a policy without one, so that its
 * address is stable across fresh starts.
 */
export async function readSource(folder: string, file: string, idOf = nameOf): Promise<PolicySource> {
  const path = join(folder, file);
  if (!file.endsWith('.json')) return { content: await readFile(path) };
  const content = await jsonIn(path);
  if (!isObject(content)) return { content };
  const policy = { id: idOf(file), ...content };
  return { content: policy, ...(typeof policy.id === 'string' && { id: policy.id }) };
}

/** The file's name, for a readable address. */
const nameOf = (file: string): string => file.replace(/\.policy\.json$/, '');

/** The name if it has only word characters, as the reference's web client requires; otherwise digits derived from it. */
function wordFor(file: string): string {
  const name = nameOf(file);
  return /^\w+$/.test(name) ? name : createHash('sha256').update(name).digest('hex').slice(0, 24);
}

class Loading {
  readonly #owner: { readonly did: string; readonly role: string };
  readonly #folder: string;
  readonly #idOf: (file: string) => string;

  constructor(
    private readonly engine: PolicyEngine,
    { policies, owner, sandbox }: LoadedFolder,
  ) {
    this.#owner = { did: owner, role: 'STANDARD_REGISTRY' };
    this.#folder = policies;
    this.#idOf = sandbox === 'off' ? nameOf : wordFor;
  }

  async load(file: string): Promise<LoadedPolicy> {
    return (await this.#loadedBefore(file)) ?? this.#loadFirst(file);
  }

  async #loadedBefore(file: string): Promise<LoadedPolicy | undefined> {
    const facts = await this.engine.program.origins.get(file);
    if (facts === undefined || (await this.#find(facts.policyId)) === undefined) return undefined;
    const findings = await this.engine.getFindings(this.#owner, facts.policyId);
    return { file, facts, findings, outcome: 'loaded before' };
  }

  async #loadFirst(file: string): Promise<LoadedPolicy> {
    const documents = await this.#documentsOf(file);
    const source = await readSource(this.#folder, file, this.#idOf);
    try {
      return await this.#import(file, source, documents);
    } catch (error) {
      if (!isBlockworkError(error, 'POLICY_EXISTS')) throw error;
      // Another node was faster, or the policy was imported another way and the file describes an existing one.
      return (await this.#loadedBefore(file)) ?? this.#adopt(file, source, error);
    }
  }

  /** A policy and its documents are loaded together or not at all. */
  async #import(file: string, { content }: PolicySource, documents?: readonly DocumentInput[]): Promise<LoadedPolicy> {
    const options = { origin: file, ...(documents !== undefined && { documents }) };
    const { policy, findings } = await this.engine.importPolicy(this.#owner, content, options);
    const facts = { policyId: policy.id, documents: documents?.length ?? 0 };
    const outcome = documents === undefined ? 'loaded' : `loaded, with ${documents.length} documents`;
    return { file, facts, findings, outcome };
  }

  async #adopt(file: string, { id }: PolicySource, error: Error): Promise<LoadedPolicy> {
    if (id === undefined) throw error;
    const other = await this.#fileOf(id, file);
    if (other !== undefined) throw startupError(`its id "${id}" is that of ${other}. Give it another one.`);
    await this.engine.program.origins.note({ id: file, policyId: id, documents: 0 });
    const findings = await this.engine.getFindings(this.#owner, id);
    return { file, facts: { policyId: id, documents: 0 }, findings, outcome: 'here already' };
  }

  /** Another file of the folder that the policy comes from: both would replace each other's policy. */
  async #fileOf(policyId: string, file: string): Promise<string | undefined> {
    for (const other of await policyFiles(this.#folder)) {
      const origin = other === file ? undefined : await this.engine.program.origins.get(other);
      if (origin?.policyId === policyId) return other;
    }
    return undefined;
  }

  /** `undefined` if the policy has no file of documents. */
  #documentsOf(file: string): Promise<DocumentInput[] | undefined> {
    return documentsIn(join(this.#folder, file.replace(/\.policy(\.json)?$/, '.documents.json')));
  }

  async #find(policyId: string): Promise<PolicyRecord | undefined> {
    try {
      return await this.engine.getPolicy(this.#owner, policyId);
    } catch (error) {
      if (isBlockworkError(error, 'POLICY_UNKNOWN')) return undefined;
      throw error;
    }
  }
}
