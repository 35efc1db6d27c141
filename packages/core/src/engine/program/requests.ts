/** Requests between instances, for the program: messages it vouches for, peers, and the hosts of policies. */
import { INSTANCE } from '../../records/index.js';
import type { RemoteRequest } from '../../records/index.js';
import type { TrustedPeers } from '../../requests/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { RequestServices } from '../engine-deps.js';
import type { Gate } from '../gate.js';

export class ProgramRequests {
  constructor(
    private readonly gate: Gate,
    private readonly records: RecordReader,
    private readonly services: RequestServices,
  ) {}

  /**
   * The trusted instances. Changes apply from the next message, in every process that shares the store, and stay when the engine is closed.
   * Throws `ENGINE_CLOSED`.
   */
  get peers(): TrustedPeers {
    this.gate.assertOpen();
    return this.services.peers;
  }

  /**
   * Takes in a message that did not come over the link. The caller vouches that it is from the sender that it names.
   * Receiving a message twice changes nothing. Throws `REQUEST_REFUSED`, `SENDER_UNTRUSTED`, `ENGINE_CLOSED`.
   */
  async receive(message: unknown): Promise<RemoteRequest> {
    this.gate.assertOpen();
    return this.services.vouched.receive(message);
  }

  /** The instance that hosts the policy; `undefined` if this one does. Throws `ENGINE_CLOSED`. */
  async getHost(policyId: string): Promise<string | undefined> {
    this.gate.assertOpen();
    return (await this.records.get('policy-host', INSTANCE, policyId))?.instance;
  }

  /** Resolves when no message is being sent and no request approved by the rule. Throws `ENGINE_CLOSED`. */
  async idle(): Promise<void> {
    this.gate.assertOpen();
    await this.services.idle();
  }
}
