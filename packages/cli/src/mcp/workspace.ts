/** Where the tools find policies: a folder of files, or a server. */
import type { Client } from '@blockwork/client';

export interface ListedPolicy {
  /** What tools call it by: the path of its file, or its id. */
  readonly policy: string;
  readonly name: string;
  readonly status?: string;
  /** Why it cannot be edited here; absent if it can. */
  readonly readOnly?: string;
}

/** A policy and the interface that serves it. */
export interface PolicyAt {
  /** Its id in that interface. */
  readonly id: string;
  readonly client: Client;
  /** On behalf of somebody in a trial. */
  as(did: string): Client;
}

export interface NewPolicy {
  readonly name: string;
  readonly template?: string | undefined;
  /** The whole policy, as a policy file holds it. */
  readonly definition?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Work on one policy is done in the order in which it was asked for. All methods reject with errors of the client, of the engine, or
 * `CommandError`.
 */
export interface Workspace {
  /** For block types, templates and checks. */
  readonly client: Client;
  list(): Promise<readonly ListedPolicy[]>;
  /** Reads, or does what leaves the definition as it is. */
  use<T>(policy: string, work: (at: PolicyAt) => Promise<T>): Promise<T>;
  /** Changes the definition. What is changed is stored before the result is given. */
  change<T>(policy: string, work: (at: PolicyAt) => Promise<T>): Promise<T>;
  /** Resolves to what tools call the new draft by. */
  create(policy: NewPolicy): Promise<string>;
  /** As `readPolicy` and `explorePolicy` accept it. */
  source(policy: string): Promise<Uint8Array | object>;
  /** Can be called twice. */
  close(): Promise<void>;
}
