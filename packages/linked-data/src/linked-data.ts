/** Hashes of documents as linked data: JSON-LD, made canonical by URDNA2015, and SHA-256. */
import { canonizeLimit } from './canonize-limit.js';
import { contextProblem, contextsOf, type LinkedContext } from './contexts.js';
import type { JsonObject } from './json.js';
import type { canonicalStatements, ContextLoader } from './json-ld.js';
import { LinkedDataError } from './linked-data-error.js';

export interface LinkedDataHasher {
  /**
   * The SHA-256 of the canonical statements of each of these parts of a document: the document without its proof, or the options of the
   * proof; 32 bytes each. Rejects with a `LinkedDataError` if a context is not known, if something has no meaning in the contexts and would
   * not be signed, and above the limits.
   */
  hashes(
    parts: readonly JsonObject[],
    document: JsonObject,
    published: readonly LinkedContext[],
  ): Promise<Uint8Array<ArrayBuffer>[]>;
}

/** Characters of JSON. */
const SIZE_AT_MOST = 4 * 1024 * 1024;

/**
 * Contexts come from a closed set and from the caller; nothing is ever fetched. The library is loaded with the first hash.
 *
 * @example const engine = createEngine({ linkedData: linkedData(), proofs: 'Ed25519Signature2018' });
 */
export function linkedData(): LinkedDataHasher {
  return {
    async hashes(parts, document, published) {
      if (JSON.stringify(document).length > SIZE_AT_MOST)
        throw new LinkedDataError(`it has more than ${String(SIZE_AT_MOST)} characters`);
      for (const each of new Set([document, ...parts])) {
        const problem = contextProblem(each);
        if (problem !== null) throw new LinkedDataError(problem);
      }
      const contexts = await contextsOf(document, published);
      const { canonicalStatements, known } = await import('./json-ld.js');
      const hashes: Uint8Array<ArrayBuffer>[] = [];
      for (const part of parts)
        hashes.push(await hashOf(await statementsOf(canonicalStatements, part, loader(known, contexts))));
      return hashes;
    },
  };
}

async function hashOf(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

const loader =
  (known: ReadonlyMap<string, unknown>, contexts: ReadonlyMap<string, JsonObject>): ContextLoader =>
  (address) => {
    const document = known.get(address) ?? contexts.get(address);
    if (document === undefined)
      return Promise.reject(new LinkedDataError(`the context ${address.slice(0, 200)} is not known`));
    return Promise.resolve({ documentUrl: address, contextUrl: null, document });
  };

async function statementsOf(
  write: typeof canonicalStatements,
  document: JsonObject,
  loader: ContextLoader,
): Promise<string> {
  try {
    return await write(document, loader, canonizeLimit());
  } catch (error) {
    throw new LinkedDataError(reasonOf(error), { cause: error });
  }
}

/** The library's reason, without what it quotes. */
function reasonOf(error: unknown): string {
  const { message = '', details } = error as {
    readonly message?: string;
    readonly details?: {
      readonly cause?: { readonly message?: string };
      readonly event?: { readonly message?: string };
    };
  };
  const inner = details?.event?.message ?? details?.cause?.message ?? message;
  return `it cannot be read as linked data: ${inner.slice(0, 300).replace(/\.$/, '')}`;
}
