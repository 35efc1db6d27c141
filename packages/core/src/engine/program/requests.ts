/** Requests between instances, for the embedding program: submitted messages, peers and policy hosts. */
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
   * The trusted peers. Changes are persistent and apply from the next message on, in every process that shares the
   * store. Throws `ENGINE_CLOSED`.
   */
  get peers(): TrustedPeers {
    this.gate.assertOpen();
    return this.services.peers;
  }

  /**
   * Accepts a message that did not arrive over the link. The program vouches that it was sent by its stated sender.
   * Idempotent. Throws `REQUEST_REFUSED`, `SENDER_UNTRUSTED`, `ENGINE_CLOSED`.
   *
   * @example const { status } = await engine.program.requests.receive(message); // 'NEW'
   */
  async receive(message: unknown): Promise<RemoteRequest> {
    this.gate.assertOpen();
    return this.services.vouched.receive(message);
  }

  /**
   * The instance that hosts the policy; `undefined` if this one does. Throws `ENGINE_CLOSED`.
   *
   * @example const host = await engine.program.requests.getHost(policyId); // undefined
   */
  async getHost(policyId: string): Promise<string | undefined> {
    this.gate.assertOpen();
    return (await this.records.get('policy-host', INSTANCE, policyId))?.instance;
  }

  /**
   * Resolves when no message is being sent and no request is being auto-approved. Throws `ENGINE_CLOSED`.
   *
   * @example await engine.program.requests.idle();
   */
  async idle(): Promise<void> {
    this.gate.assertOpen();
    await this.services.idle();
  }
}
