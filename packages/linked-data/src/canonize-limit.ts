/** A limit of the work for one canonical form, counted and not timed: the same on every machine. */

/** Digests, and batches of permutations. Documents take one or two digests for each of their objects. */
const STEPS_AT_MOST = 100_000;

/** Options of the library with which it gives up a graph that is made to take forever. */
export function canonizeLimit(): Readonly<Record<string, unknown>> {
  let left = STEPS_AT_MOST;
  return {
    maxWorkFactor: 1,
    createMessageDigest: () => {
      left -= 1;
      if (left < 0) throw new Error(REASON);
      return new Digest();
    },
    // Asked between permutations, of which a node with many neighbours has too many even without a digest.
    signal: {
      reason: REASON,
      get aborted() {
        left -= 1;
        return left < 0;
      },
    },
  };
}

const REASON = 'its graph takes too many steps';

/** As the library's own: SHA-256, in hexadecimal digits. */
class Digest {
  #text = '';

  update(text: string): void {
    this.#text += text;
  }

  async digest(): Promise<string> {
    const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(this.#text));
    return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}
