/** The library and the contexts that are always known; loaded with the first hash. */
import { contexts as ofCredentials } from '@digitalbazaar/credentials-context';
import ofSuite from 'ed25519-signature-2018-context';
// Its build for browsers, which needs no module of Node.js and brings no client of a network.
import jsonld from 'jsonld/dist/jsonld.esm.min.js';

export interface JsonLd {
  canonize(document: object, options: Readonly<Record<string, unknown>>): Promise<string>;
}

export const jsonLd: JsonLd = jsonld;

const CREDENTIALS = 'https://www.w3.org/2018/credentials/v1';

export const known: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [CREDENTIALS, ofCredentials.get(CREDENTIALS)],
  ...ofSuite.contexts,
]);
