/** A meter that registers its key for its owner, signs each reading when it is taken, and resubmits it until it is acknowledged. */
import { BlockworkApiError, type Client } from '@blockwork/client';
import { join } from 'node:path';
import { DeviceKey } from './device-key.js';
import { Spool } from './spool.js';

export interface DeviceOptions {
  /** Folder for the key and the readings. */
  readonly folder: string;
  /** Authenticated with the token of the member who owns the device. */
  readonly client: Client;
  /** The DID of that member. */
  readonly member: string;
  readonly policyId: string;
  /** The tag of the `externalDataBlock`. */
  readonly tag: string;
}

export class Device {
  private constructor(
    readonly did: string,
    private readonly options: DeviceOptions,
    private readonly key: DeviceKey,
    private readonly spool: Spool,
  ) {}

  static async open(options: DeviceOptions): Promise<Device> {
    const spool = await Spool.open(join(options.folder, 'readings'));
    const key = await DeviceKey.open(join(options.folder, 'key.pem'));
    return new Device(key.did, options, key, spool);
  }

  /** Proves possession of its key to the server on behalf of its owner. Idempotent. */
  async register(name: string): Promise<void> {
    const { client, member } = this.options;
    for await (const { did, revokeDate } of client.keys()) {
      if (did === this.did && revokeDate === undefined) return;
    }
    const registration = this.key.issue({ id: member, type: 'KeyRegistration' });
    await client.routes.registerKey({ body: { registration, name } });
  }

  /** Signs and spools a reading. Works offline. */
  async take(reading: object, at = new Date()): Promise<void> {
    const name = `${at.toISOString().replaceAll(':', '-')}.json`;
    await this.spool.put(name, this.key.issue({ id: this.did, at: at.toISOString(), ...reading }));
  }

  /**
   * Submits spooled readings, oldest first, and removes the acknowledged ones. Stops at the first failure, where the next call resumes. The server
   * accepts a credential once, however often it is sent. Resolves with the number of acknowledged readings.
   */
  async handIn(): Promise<number> {
    const { client, policyId, tag } = this.options;
    let handedIn = 0;
    for await (const { name, credential } of this.spool.all()) {
      const body = { owner: this.did, document: credential, ref: null };
      try {
        await client.routes.sendExternalDataToBlock({ policyId, tag, body });
      } catch (error) {
        if (!(error instanceof BlockworkApiError) || !isPassing(error)) throw error;
        console.log(`not now (${error.error}): the reading is kept`);
        break;
      }
      await this.spool.remove(name);
      handedIn += 1;
    }
    return handedIn;
  }
}

/** No answer, rate limited, or a server error: worth a retry. Anything else needs a human. */
const isPassing = ({ status }: BlockworkApiError): boolean => status === 0 || status === 429 || status >= 500;
