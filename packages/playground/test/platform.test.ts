/** What stands for modules of Node.js in a page gives the same as they do. */
import { Buffer as NodeBuffer, isUtf8 } from 'node:buffer';
import * as nodeCrypto from 'node:crypto';
import { subscribe, tracingChannel } from 'node:diagnostics_channel';
import { parse } from 'node:querystring';
import { isDeepStrictEqual } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import * as nodeZlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as buffer from '../src/platform/buffer.js';
import * as crypto from '../src/platform/crypto.js';
import * as channels from '../src/platform/diagnostics-channel.js';
import * as querystring from '../src/platform/querystring.js';
import { setImmediate } from '../src/platform/timers-promises.js';
import { Piscina } from '../src/platform/piscina.js';
import * as util from '../src/platform/util.js';
import * as v8 from '../src/platform/v8.js';
import * as zlib from '../src/platform/zlib.js';

const bytes = (minLength = 0, maxLength = 200) => fc.uint8Array({ minLength, maxLength });
const check = (property: fc.IRawProperty<unknown>): void => {
  void fc.assert(property, { numRuns: 100 });
};
const plain = (value: Uint8Array): number[] => [...value];
const PKCS8_HEADER = NodeBuffer.from('302e020100300506032b657004220420', 'hex');

/** Takes a task and never answers; Node.js has no workers of a page. */
class SilentWorker {
  static hasEnded = false;
  postMessage(): void {
    // The task runs for ever.
  }
  terminate(): void {
    SilentWorker.hasEnded = true;
  }
}

describe('In a page', () => {
  it('a running task fails when its pool of threads is closed', async () => {
    vi.stubGlobal('Worker', SilentWorker);
    onTestFinished(() => void vi.unstubAllGlobals());
    const pool = new Piscina();
    const task = pool.run({}, { filename: 'task.js', signal: new AbortController().signal });

    await pool.destroy();

    await expect(task).rejects.toThrow('destroyed');
    expect(SilentWorker.hasEnded).toBe(true);
  });

  it('hashes, codes and derived keys are those of Node.js', () => {
    check(
      fc.property(fc.string({ unit: 'grapheme' }), bytes(), bytes(1, 64), (text, data, key) => {
        for (const encoding of ['hex', 'base64', 'base64url'] as const) {
          expect(crypto.createHash('sha256').update(text).update(data).digest(encoding)).toBe(
            nodeCrypto.createHash('sha256').update(text).update(data).digest(encoding),
          );
        }
        for (const value of [text, data]) {
          expect(crypto.hash('sha256', value, 'hex')).toBe(nodeCrypto.hash('sha256', value, 'hex'));
          expect(plain(crypto.hash('sha256', value, 'buffer'))).toEqual(
            plain(nodeCrypto.hash('sha256', value, 'buffer')),
          );
        }
        expect(crypto.createHmac('sha256', key).update(text).digest('base64')).toBe(
          nodeCrypto.createHmac('sha256', key).update(text).digest('base64'),
        );
        expect(plain(new Uint8Array(crypto.hkdfSync('sha256', key, text, data, 32)))).toEqual(
          plain(new Uint8Array(nodeCrypto.hkdfSync('sha256', key, text, data, 32))),
        );
      }),
    );
    const digest = crypto.createHash('sha256').update('account').digest();
    expect(digest.readBigUInt64BE(0)).toBe(
      nodeCrypto.createHash('sha256').update('account').digest().readBigUInt64BE(),
    );
  });

  it('signatures are those of Node.js, and each accepts those of the other and no changed ones', () => {
    check(
      fc.property(bytes(32, 32), bytes(), fc.nat(63), (secret, data, at) => {
        const der = { key: NodeBuffer.concat([PKCS8_HEADER, secret]), format: 'der', type: 'pkcs8' } as const;
        const [here, there] = [crypto.createPrivateKey(der), nodeCrypto.createPrivateKey(der)];
        expect(here.export({ format: 'jwk' })).toEqual(there.export({ format: 'jwk' }));
        const signature = crypto.sign(null, data, here);
        expect(plain(signature)).toEqual(plain(nodeCrypto.sign(null, data, there)));
        const { x } = there.export({ format: 'jwk' });
        const key = { kty: 'OKP', crv: 'Ed25519', ...(x !== undefined && { x }) };
        const reader = crypto.createPublicKey({ key, format: 'jwk' });
        expect(crypto.verify(null, data, reader, signature)).toBe(true);
        const changed = signature.map((byte, place) => (place === at ? byte ^ 1 : byte));
        expect(crypto.verify(null, data, reader, changed)).toBe(false);
        expect(crypto.verify(null, data, reader, signature.subarray(1))).toBe(false);
      }),
    );
  });

  it('what is no Ed25519 key is refused, and a new key signs', () => {
    for (const key of [{}, { kty: 'EC', crv: 'P-256', x: 'AA' }, { kty: 'OKP', crv: 'Ed25519', x: 'AA' }])
      expect(() => crypto.createPublicKey({ key, format: 'jwk' })).toThrow(TypeError);
    const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
    const data = Uint8Array.of(1, 2, 3);
    expect(crypto.verify(null, data, publicKey, crypto.sign(null, data, privateKey))).toBe(true);
    expect(() => crypto.sign(null, data, publicKey)).toThrow(TypeError);
    expect(crypto.verify(null, data, crypto.createPublicKey(privateKey), crypto.sign(null, data, privateKey))).toBe(
      true,
    );
  });

  it('bytes become texts and texts bytes as in Node.js', () => {
    check(
      fc.property(bytes(), fc.string({ unit: 'grapheme' }), (data, text) => {
        for (const encoding of ['hex', 'base64', 'base64url', 'utf8', 'latin1'] as const) {
          const written = NodeBuffer.from(data).toString(encoding);
          expect(buffer.Buffer.from(data).toString(encoding as 'hex')).toBe(written);
          expect(plain(buffer.Buffer.from(written, encoding as 'hex'))).toEqual(
            plain(NodeBuffer.from(written, encoding)),
          );
        }
        expect(buffer.Buffer.byteLength(text)).toBe(NodeBuffer.byteLength(text));
        expect(buffer.isUtf8(data)).toBe(isUtf8(data));
      }),
    );
    const { buffer: whole } = Uint8Array.of(1, 2, 3, 4);
    expect(plain(buffer.Buffer.from(whole, 1, 2))).toEqual([2, 3]);
  });

  it('archives are packed and unpacked as in Node.js', () => {
    check(
      fc.property(bytes(0, 2_000), (data) => {
        expect(zlib.crc32(data)).toBe(nodeZlib.crc32(data));
        expect(plain(nodeZlib.inflateRawSync(zlib.deflateRawSync(data)))).toEqual(plain(data));
        zlib.deflateRaw(data, (error, deflated) => {
          expect(error).toBeNull();
          expect(plain(nodeZlib.inflateRawSync(deflated))).toEqual(plain(data));
        });
        const packed = nodeZlib.deflateRawSync(data);
        expect(plain(zlib.inflateRawSync(packed, { maxOutputLength: data.length + 1 }))).toEqual(plain(data));
      }),
    );
  });

  it('an archive that unpacks to more than it announces, and what is no archive, are refused', () => {
    const bomb = nodeZlib.deflateRawSync(new Uint8Array(1_000_000));
    expect(() => zlib.inflateRawSync(bomb, { maxOutputLength: 1_000 })).toThrow(RangeError);
    expect(() => zlib.inflateRawSync(Uint8Array.of(7, 7, 7), { maxOutputLength: 10 })).toThrow();
  });

  it('values are equal where they are in Node.js', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    check(
      fc.property(value, value, (one, other) => {
        const copy = structuredClone(one);
        expect(util.isDeepStrictEqual(one, copy)).toBe(isDeepStrictEqual(one, copy));
        expect(util.isDeepStrictEqual(one, other)).toBe(isDeepStrictEqual(one, other));
      }),
    );
    for (const [one, other] of [
      [-0, 0],
      [NaN, NaN],
      [[], {}],
      [{ a: undefined }, {}],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [new Date(1), new Date(2)],
      [null, {}],
    ])
      expect(util.isDeepStrictEqual(one, other)).toBe(isDeepStrictEqual(one, other));
  });

  it('input of formulas reaches the other thread with every number as it is', () => {
    const number = fc.oneof(fc.double(), fc.constantFrom(-0, NaN, Infinity, -Infinity));
    const value = fc.oneof(number, fc.string(), fc.boolean(), fc.constant(null));
    check(
      fc.property(fc.array(fc.dictionary(fc.string({ minLength: 1 }), value, { noNullPrototype: true })), (input) => {
        fc.pre(!input.some((each) => Object.hasOwn(each, '__proto__')));
        expect(v8.deserialize(v8.serialize(input))).toStrictEqual(deserialize(serialize(input)));
      }),
    );
  });

  it('queries are read as in Node.js', () => {
    check(
      fc.property(fc.array(fc.tuple(fc.stringMatching(/^[a-z_]{1,3}$/), fc.string({ unit: 'grapheme' }))), (pairs) => {
        const text = new URLSearchParams(pairs).toString();
        expect(querystring.parse(text)).toEqual(parse(text));
      }),
    );
  });

  it('listeners of channels hear the same as in Node.js', () => {
    type Traced = Pick<ReturnType<typeof channels.tracingChannel>, 'start' | 'end'>;
    const heardOf = (listen: typeof channels.subscribe, { start, end }: Traced): string[] => {
      const messages: string[] = [];
      expect(start.hasSubscribers).toBe(false);
      listen('tracing:playground:test:start', (message, name) => messages.push(`${String(message)} ${name}`));
      expect(start.hasSubscribers).toBe(true);
      start.runStores('began', () => messages.push('work'));
      end.publish('unheard');
      return messages;
    };
    expect(heardOf(channels.subscribe, channels.tracingChannel('playground:test'))).toEqual(
      heardOf(subscribe as typeof channels.subscribe, tracingChannel('playground:test') as unknown as Traced),
    );
    const listener = (): void => undefined;
    channels.subscribe('playground:other', listener);
    expect(channels.unsubscribe('playground:other', listener)).toBe(true);
    expect(channels.unsubscribe('playground:other', listener)).toBe(false);
  });

  it('other work comes between two turns of the event loop', async () => {
    const order: string[] = [];
    await Promise.all([
      setImmediate().then(() => order.push('first turn')),
      Promise.resolve().then(() => order.push('at once')),
      setImmediate().then(() => order.push('second turn')),
    ]);
    expect(order).toEqual(['at once', 'first turn', 'second turn']);
  });
});
