/** Why a message from another instance is not trusted or not accepted. */

/**
 * - `oversized`, `malformed`: it is looked at no further.
 * - `unknown-sender`: not one of the peers. `forged`: the signature is not of that peer's key, or not over these bytes.
 * - `misaddressed`: for another instance. `foreign-identity`: the sender may not speak for that identity.
 * - `invalid`: signed by a peer, but not what such a message must be.
 * - `expired`: too late to be acted upon. `replayed`: it was taken in before; changes nothing.
 * - `excessive`: its peer has as many requests here, or bytes of them, as the limits allow.
 * - `unprocessable`: taking it in failed again and again; a defect, which the log tells of.
 * - `unexpected`: an answer to no open request, a different message under a known conversation, or an event of a stream that is not shared with the peer.
 */
export const refusalReasons = [
  'oversized',
  'malformed',
  'unknown-sender',
  'forged',
  'misaddressed',
  'foreign-identity',
  'invalid',
  'expired',
  'replayed',
  'unexpected',
  'excessive',
  'unprocessable',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Thrown when a message is refused; redelivery would be pointless. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';

  /** `instance`: the claimed sender, if any; proven only if the reason is found after the signature was verified. */
  constructor(
    readonly reason: RefusalReason,
    readonly detail: string,
    readonly instance: string | null = null,
  ) {
    super(`${reason}: ${detail}`);
  }
}
