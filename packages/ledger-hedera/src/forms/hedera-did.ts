/** `did:hedera`: identities named by the hash of their key and a topic of the ledger, with documents as the reference's tools write them. */
import { createHash } from 'node:crypto';
import type { DidMethod } from '@blockwork/core';
import { checkOptions, optionTypes, type OptionShape, rootDocumentOf } from '@blockwork/core/adapter';
import { base58 } from '@scure/base';

export interface HederaDidsOptions {
  /** `mainnet`, `testnet`, `previewnet`, or a name of your own. */
  readonly network: string;
  /** A topic of the operator that exists already, which every DID names. */
  readonly topic: string;
}

const matching = (form: RegExp, message: string) =>
  optionTypes.satisfying<string>((value) => typeof value === 'string' && form.test(value), message);

const shape: OptionShape<HederaDidsOptions> = {
  network: matching(/^[a-z\d-]{1,40}$/, 'must be 1 to 40 small letters, digits and hyphens'),
  topic: matching(/^\d{1,9}\.\d{1,9}\.\d{1,18}$/, 'must be a topic such as 0.0.1234'),
};

/**
 * The option `didMethod` of an engine: identities that it makes for subjects are `did:hedera`. Throws `OPTION_INVALID`.
 *
 * @example const engine = createEngine({ didMethod: hederaDids({ network: 'testnet', topic: '0.0.1234' }) });
 */
export function hederaDids(options: HederaDidsOptions): DidMethod {
  checkOptions(options, shape, '', 'hederaDids');
  const { network, topic } = options;
  return {
    identityOf(publicKey) {
      const hash = base58.encode(createHash('sha256').update(publicKey).digest());
      const did = `did:hedera:${network}:${hash}_${topic}`;
      const document = rootDocumentOf(did, publicKey);
      if (document === undefined) throw new Error(`"${did}" is not made of its key.`);
      return { did, document };
    },
  };
}
