/** The policies of one person on a server. */
import { createClient, type Client } from '@blockwork/client';
import { InOrder } from './in-order.js';
import type { ListedPolicy, NewPolicy, PolicyAt, Workspace } from './workspace.js';

export class ServerWorkspace implements Workspace {
  readonly client: Client;
  readonly #address: { readonly url: string; readonly token: string };
  readonly #inOrder = new InOrder();

  /** `token` identifies the owner of the policies. Throws `INPUT_INVALID`. */
  constructor(url: string, token: string) {
    this.#address = { url: url.replace(/\/+$/, ''), token };
    this.client = createClient(this.#address);
  }

  async list(): Promise<readonly ListedPolicy[]> {
    const policies: ListedPolicy[] = [];
    for await (const { id, name, status } of this.client.policies()) {
      const readOnly = status === 'DRAFT' ? undefined : 'Only drafts can be edited.';
      policies.push({ policy: id, name, status, ...(readOnly !== undefined && { readOnly }) });
    }
    return policies;
  }

  use<T>(policy: string, work: (at: PolicyAt) => Promise<T>): Promise<T> {
    const as = (actAs: string): Client => createClient({ ...this.#address, actAs });
    return this.#inOrder.run(policy, () => work({ id: policy, client: this.client, as }));
  }

  change<T>(policy: string, work: (at: PolicyAt) => Promise<T>): Promise<T> {
    return this.use(policy, work);
  }

  async create({ name, template, definition }: NewPolicy): Promise<string> {
    if (definition === undefined) {
      const body = { name, ...(template !== undefined && { template }) };
      return (await this.client.routes.createPolicy({ body })).data.policy.id;
    }
    const file = Buffer.from(JSON.stringify({ ...definition, name }));
    return (await this.client.importPolicy(file)).policy.id;
  }

  source(policy: string): Promise<Uint8Array> {
    return this.client.policy(policy).export();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
