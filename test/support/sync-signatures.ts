/** The same signatures as the engine's own, made at once: nothing waits for another thread, so a seed always replays. */
import type { Signatures } from '@blockwork/core';
import { sign, verify } from 'node:crypto';

const encode = (text: string): string => Buffer.from(text).toString('base64url');
const decode = (part: string): string => Buffer.from(part, 'base64url').toString();

export const syncSignatures: Signatures = {
  sign: (text, keyId, key) => {
    const header = { alg: 'EdDSA', kid: keyId, typ: 'blockwork-message+jws' };
    const input = `${encode(JSON.stringify(header))}.${encode(text)}`;
    return Promise.resolve(`${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`);
  },
  verify: (signed, key) => {
    const [header = '', payload = '', signature = ''] = signed.split('.');
    const isGood = verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
    return isGood ? Promise.resolve(decode(payload)) : Promise.reject(new Error('signature verification failed'));
  },
};
