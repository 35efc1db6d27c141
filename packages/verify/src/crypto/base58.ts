/** Base 58 with the alphabet of Bitcoin, as keys, signatures and hashes are written. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** `undefined` for other characters, or for more than `length` bytes: decoding takes quadratic time. */
export function fromBase58(text: string, length: number): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > Math.ceil(length * 1.37)) return undefined;
  let number = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return undefined;
    number = number * 58n + BigInt(digit);
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  const digits = number === 0n ? '' : number.toString(16);
  const hex = digits.length % 2 === 0 ? digits : `0${digits}`;
  const bytes = new Uint8Array(zeros + hex.length / 2);
  for (let at = 0; at < hex.length; at += 2) bytes[zeros + at / 2] = Number.parseInt(hex.slice(at, at + 2), 16);
  return bytes;
}

export function toBase58(bytes: Uint8Array): string {
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; number > 0n; number /= 58n) text = (ALPHABET[Number(number % 58n)] ?? '') + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}
