/** The policy files of a folder, each served by an engine of its own in memory, so that files know nothing of each other. */
import { standardBlocks } from '@blockwork/blocks';
import { createClient, type Client } from '@blockwork/client';
import { createEngine, silentLogger, type Caller, type PolicyEngine, type PolicyTemplate } from '@blockwork/core';
import { writtenAsJson } from '@blockwork/core/files';
import { isObject } from '@blockwork/core/records';
import { createPolicyHandler } from '@blockwork/http-fetch';
import { exitCodes } from '../../line/exit-codes.js';
import { CommandError } from '../../line/failure.js';
import { policyValue } from '../../policies/read-source.js';
import { policyTemplates } from '../../policies/templates.js';
import { InOrder } from '../in-order.js';
import type { ListedPolicy, NewPolicy, PolicyAt, Workspace } from '../workspace.js';
import { editedText } from './edited-text.js';
import { FolderFiles, isEditable, type ReadFile } from './folder-files.js';
import { writtenBack, type Definition } from './written-back.js';

/** The one who uses the folder. */
const owner: Caller = { did: 'did:blockwork:author', role: 'STANDARD_REGISTRY' };

/** Engines that are open at once; the one that was not used for longest makes room. */
const MOST_OPEN = 8;

type Json = Readonly<Record<string, unknown>>;

interface Served {
  readonly engine: PolicyEngine;
  readonly client: Client;
  readonly as: (did: string) => Client;
}

interface OpenFile extends Served {
  readonly id: string;
  /** As it was when it was opened: an edit is written as the difference from it, so that an undo leads back to it. */
  readonly first: FileState & { readonly definition: Definition; readonly ids: ReadonlySet<unknown> };
  state: FileState;
}

interface FileState {
  readonly hash: string;
  /** `null` of an archive. */
  readonly text: string | null;
  readonly value: Json;
}

export class FolderWorkspace implements Workspace {
  readonly client: Client;
  readonly #open = new Map<string, OpenFile>();
  readonly #inOrder = new InOrder();

  private constructor(
    private readonly files: FolderFiles,
    private readonly templates: readonly PolicyTemplate[],
    private readonly empty: Served,
  ) {
    this.client = empty.client;
  }

  /** Throws if the folder cannot be read. */
  static async open(folder: string): Promise<FolderWorkspace> {
    const files = await FolderFiles.open(folder);
    const templates = await policyTemplates();
    return new FolderWorkspace(files, templates, serve(templates));
  }

  async list(): Promise<readonly ListedPolicy[]> {
    const { names } = await this.files.names();
    return names.map((name) => ({
      policy: name,
      name: name.replace(/^.*\/|\.policy(\.json)?$/g, ''),
      ...(!isEditable(name) && { readOnly: archiveReason }),
    }));
  }

  use<T>(policy: string, work: (at: PolicyAt) => Promise<T>): Promise<T> {
    return this.#inOrder.run(policy, async () => work(await this.#current(policy)));
  }

  change<T>(policy: string, work: (at: PolicyAt) => Promise<T>): Promise<T> {
    return this.#inOrder.run(policy, async () => {
      const open = await this.#current(policy);
      const { state } = open;
      if (state.text === null)
        throw new CommandError(exitCodes.usage, `"${policy}": ${archiveReason}`, 'FILE_READ_ONLY');
      const result = await work(open);
      try {
        await this.#store(policy, open);
      } catch (error) {
        // The next call begins with what is in the file.
        await this.#forget(policy);
        throw error;
      }
      return result;
    });
  }

  async create({ name, template = 'empty', definition }: NewPolicy): Promise<string> {
    const file = `${fileName(name)}.policy.json`;
    return this.#inOrder.run(file, async () => {
      const policy = { ...(definition ?? this.#template(template)), name };
      // Throws where nothing could be done with it afterwards.
      await this.empty.engine.editing.checkDefinition(owner, policy);
      await this.files.create(file, `${JSON.stringify(policy, null, 2)}\n`);
      return file;
    });
  }

  async source(policy: string): Promise<Uint8Array | object> {
    const { bytes } = await this.files.read(policy);
    return isEditable(policy) ? valueOf(policy, textOf(bytes)) : bytes;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((name) => this.#forget(name)));
    await this.empty.engine.close();
  }

  #template(name: string): Json {
    if (name === 'empty') return emptyPolicy;
    const template = this.templates.find((each) => each.name === name);
    if (template !== undefined) return template.policy;
    const names = ['empty', ...this.templates.map((each) => each.name)].join(', ');
    throw new CommandError(exitCodes.usage, `There is no template "${name}": use one of ${names}.`, 'TEMPLATE_UNKNOWN');
  }

  /** The file as it is now, unless it is in a trial: that goes on with what it began with. */
  async #current(policy: string): Promise<OpenFile & PolicyAt> {
    const read = await this.files.read(policy);
    let open = this.#open.get(policy);
    if (open !== undefined && open.state.hash !== read.hash && (await isDraft(open))) {
      await this.#forget(policy);
      open = undefined;
    }
    open ??= await openFile(policy, read, this.templates);
    this.#open.delete(policy);
    this.#open.set(policy, open);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) await this.#forget(oldest);
    return open;
  }

  async #store(policy: string, open: OpenFile): Promise<void> {
    const { state, first, engine, id } = open;
    if (state.text === null || first.text === null) return;
    const value = writtenBack(first.value, first.definition, await definitionOf(engine, id), first.ids);
    const isFirst = JSON.stringify(value) === JSON.stringify(first.value);
    const text = isFirst ? first.text : editedText(state.text, state.value, value);
    const hash = text === state.text ? state.hash : await this.files.replace(policy, text, state);
    open.state = { hash, text, value };
  }

  async #forget(policy: string): Promise<void> {
    const open = this.#open.get(policy);
    this.#open.delete(policy);
    await open?.engine.close();
  }
}

const archiveReason =
  'It is an archive, which can be read and tried here, but not edited: create a draft from its definition, or unpack it.';

const emptyPolicy: Json = {
  policyRoles: [],
  config: { blockType: 'interfaceContainerBlock', tag: 'page', permissions: ['ANY_ROLE'], children: [] },
};

function serve(templates: readonly PolicyTemplate[]): Served {
  const engine = createEngine({ blocks: standardBlocks(), logger: silentLogger, templates });
  const handler = createPolicyHandler(engine, { authenticate: () => owner, logger: silentLogger, accessLog: false });
  const address = { url: 'http://localhost', fetch: handler };
  return { engine, client: createClient(address), as: (actAs) => createClient({ ...address, actAs }) };
}

async function openFile(
  policy: string,
  { bytes, hash }: ReadFile,
  templates: readonly PolicyTemplate[],
): Promise<OpenFile> {
  const text = isEditable(policy) ? textOf(bytes) : null;
  const value = text === null ? writtenAsJson(bytes).policy : valueOf(policy, text);
  const served = serve(templates);
  try {
    // Bytes are imported as an archive is: with all its files. A value keeps its ids; errors name the policy by its file.
    const source = text === null ? bytes : { ...value, id: policy.slice(-200) };
    const { policy: record } = await served.engine.importPolicy(owner, source);
    const definition = await definitionOf(served.engine, record.id);
    const state = { hash, text, value };
    return { ...served, id: record.id, first: { ...state, definition, ids: idsIn(value['config']) }, state };
  } catch (error) {
    await served.engine.close();
    throw error;
  }
}

const definitionOf = async (engine: PolicyEngine, id: string): Promise<Definition> =>
  (await engine.editing.read(owner, id)).definition as unknown as Definition;

function idsIn(block: unknown): Set<unknown> {
  if (!isObject(block)) return new Set();
  const children: unknown[] = Array.isArray(block['children']) ? block['children'] : [];
  return new Set([block['id'], ...children.flatMap((child) => [...idsIn(child)])]);
}

const isDraft = async ({ engine, id }: OpenFile): Promise<boolean> =>
  (await engine.getPolicy(owner, id)).status === 'DRAFT';

function valueOf(name: string, text: string): Json {
  const value = policyValue(text, name);
  if (!isObject(value)) throw new CommandError(exitCodes.unreadable, `${name} holds no object.`, 'POLICY_FILE_INVALID');
  return value;
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A part of a path on every system. */
const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80) || 'policy';
