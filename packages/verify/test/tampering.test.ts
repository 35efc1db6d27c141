/** Tampering with a bundle is noticed. */
import { verifyBundle } from '@blockwork/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedAt, leavesOf, drawn, resealed, type Json } from './support/mutations.js';
import { provenMint, type Proven } from '../../../test/support/proven-mint.js';
import { times } from '../../../test/support/repetitions.js';

const MUTATIONS = times(200, 1_000);

let proven: Proven;
let bundle: Json;
beforeAll(async () => {
  proven = await provenMint();
  bundle = JSON.parse(JSON.stringify(proven.mint)) as Json;
});
afterAll(() => proven.engine.close());

const isSound = async (value: unknown): Promise<boolean> => (await verifyBundle(value)).ok;

/** The value of the text; `undefined` if it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

describe('of a sealed bundle', () => {
  it(`none of ${String(MUTATIONS)} changed bytes is missed`, async () => {
    const random = drawn(1);
    const file = Buffer.from(JSON.stringify(bundle));
    expect(await isSound(parsed(file.toString()))).toBe(true);
    const missed: string[] = [];
    for (let at = 0; at < MUTATIONS; at += 1) {
      const [place, copy] = [random(file.length), Buffer.from(file)];
      copy[place] = (copy[place] ?? 0) ^ (1 + random(255));
      const text = copy.toString();
      if (await isSound(parsed(text))) missed.push(text.slice(Math.max(0, place - 20), place + 20));
    }
    expect(missed).toEqual([]);
  });

  it(`none of ${String(MUTATIONS)} changed values is missed`, async () => {
    const random = drawn(2);
    const places = leavesOf(bundle);
    const missed: string[] = [];
    for (let at = 0; at < MUTATIONS; at += 1) {
      const place = places[random(places.length)] ?? [];
      if (await isSound(changedAt(bundle, place, random))) missed.push(place.join('/'));
    }
    expect(missed).toEqual([]);
  });
});

/**
 * What is not signed by itself, so that only the owner's seal protects it: somebody who removes the seal and makes a new
 * digest can change it. docs/verifying.md lists these kinds.
 */
const kinds: Readonly<Record<string, RegExp>> = {
  'the seal itself, and digests that are made anew': /^(seal\/.*|policy\/hash)$/,
  'when the bundle was made': /^created$/,
  'names and other facts of the policy': /^policy\/(uuid|name|version|status|policyTag|topicId|messageId)$/,
  'blocks of the policy that do not decide about the documents': /^policy\/definition\//,
  'names, titles and limits of schemas that the documents fit anyway': /^schemas\/\d+\/(name|document\/.*)$/,
  'contexts of DID documents': /^identities\/\d+\/document\/@context\/\d+$/,
  'ids and types by which the policy files documents': /^documents\/\d+\/(id|type)$/,
  'topics, memos and senders of messages, and their ids on the ledger': /^messages\/\d+\/(topicId|memo|owner)$/,
  'accounts that received': /^mints\/\d+\/accountId$/,
  'names of tokens, and ids of other mints': /^tokens\/\d+\/(tokenName|tokenSymbol|book\/\d+\/id)$/,
};

describe('of a bundle that lost its seal', () => {
  it('every changed value is noticed, except those of the listed kinds', async () => {
    const random = drawn(3);
    const missed: string[] = [];
    for (const place of leavesOf(bundle)) {
      if (await isSound(resealed(changedAt(bundle, place, random)))) missed.push(place.join('/'));
    }
    const unlisted = missed.filter((place) => !Object.values(kinds).some((kind) => kind.test(place)));
    expect(unlisted).toEqual([]);
    const idle = Object.entries(kinds).filter(([, kind]) => !missed.some((place) => kind.test(place)));
    expect(idle.map(([name]) => name)).toEqual([]);
  });

  it('the rule of the mint, and who may report, are among what is noticed', async () => {
    const random = drawn(4);
    const text = JSON.stringify(bundle);
    for (const [from, to] of [
      ['"rule":"kilowattHours"', '"rule":"kilowattHours*2"'],
      ['"rule":"kilowattHours"', '"rule":"kilowatts"'],
      ['"tag":"report","permissions":["Producer"]', '"tag":"report","permissions":["Auditor"]'],
    ] as const) {
      const changed = text.replace(from, to);
      expect(changed).not.toBe(text);
      expect(await isSound(resealed(JSON.parse(changed) as Json)), from).toBe(false);
    }
    const signed = leavesOf(bundle).filter(([part, , name]) => part === 'documents' && name === 'document');
    for (let at = 0; at < MUTATIONS / 4; at += 1) {
      const place = signed[random(signed.length)] ?? [];
      expect(await isSound(resealed(changedAt(bundle, place, random))), place.join('/')).toBe(false);
    }
  });

  it('is said to have none', async () => {
    const { ok, unchecked } = await verifyBundle(resealed(bundle));
    expect(ok).toBe(true);
    expect(unchecked.map(({ message }) => message).join()).toContain('it has no seal');
  });
});
