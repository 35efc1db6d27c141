/** A meter: it registers its key for its member once, signs each reading when it is taken, and hands it in until it is acknowledged. */
import { BlockworkApiError, type Client } from '@blockwork/client';
import { join } from 'node:path';
import { DeviceKey } from './device-key.js';
import { Spool } from './spool.js';

export interface DeviceOptions {
  /** Where it keeps its key and its readings. */
  readonly folder: string;
  /** With the token of the member that the device belongs to. */
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

  /** Proves to the server that it holds its key, in the name of its member. Doing so again changes nothing. */
  async register(name: string): Promise<void> {
    const { client, member } = this.options;
    for await (const { did, revokeDate } of client.keys()) {
      if (did === this.did && revokeDate === undefined) return;
    }
    const registration = this.key.issue({ id: member, type: 'KeyRegistration' });
    await client.routes.registerKey({ body: { registration, name } });
  }

  /** Signs a reading, and keeps it. The network need not be there. */
  async take(reading: object, at = new Date()): Promise<void> {
    const name = `${at.toISOString().replaceAll(':', '-')}.json`;
    await this.spool.put(name, this.key.issue({ id: this.did, at: at.toISOString(), ...reading }));
  }

  /**
   * Hands in what it keeps, the oldest first, and forgets what is acknowledged. Ends at the first that does not get through; the next call
   * goes on there. A credential is taken in once, however often it is sent. Gives how many were acknowledged.
   */
  async handIn(): Promise<number> {
    const { client, policyId, tag } = this.options;
    let taken = 0;
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
      taken += 1;
    }
    return taken;
  }
}

/** No answer, too many requests, or a server in trouble: it may get through later. Anything else is for a person to look at. */
const isPassing = ({ status }: BlockworkApiError): boolean => status === 0 || status === 429 || status >= 500;
