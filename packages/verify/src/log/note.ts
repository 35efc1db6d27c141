/** Checkpoints of a log as signed notes (C2SP `tlog-checkpoint` and `signed-note`). */
import { sha256 } from '../crypto/digest.js';

export interface Checkpoint {
  /** Names the log. */
  readonly origin: string;
  readonly size: number;
  /** The root of its tree, in hexadecimal digits. */
  readonly root: string;
  /** What is signed. */
  readonly text: string;
  readonly signatures: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
}

/** A key as signed notes name it: `<name>+<id>+<key>`. */
interface VerifierKey {
  readonly name: string;
  readonly id: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
}

const ED25519 = 1;
const ID_BYTES = 4;
const LINES = /^(?<origin>\S[^\n]*)\n(?<size>0|[1-9]\d{0,15})\n(?<root>[A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/;

/** `undefined` for a text that is no checkpoint. */
export function readCheckpoint(note: string): Checkpoint | undefined {
  const end = note.indexOf('\n\n');
  const text = note.slice(0, end + 1);
  const { origin = '', size = '', root = '' } = LINES.exec(text)?.groups ?? {};
  const lines = note.slice(end + 2).split('\n');
  if (end < 0 || origin === '' || lines.pop() !== '' || !Number.isSafeInteger(Number(size))) return undefined;
  const signatures = lines.flatMap((line) => {
    const [, name = '', encoded = ''] = /^— (\S+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? [];
    const bytes = fromBase64(encoded);
    return name === '' || bytes === undefined ? [] : [{ name, bytes }];
  });
  const hash = fromBase64(root);
  if (signatures.length !== lines.length || signatures.length === 0 || hash === undefined) return undefined;
  return { origin, size: Number(size), root: hexOf(hash), text, signatures };
}

/** Why the key has not signed the checkpoint; `null` if it has. */
export async function noteProblem({ origin, text, signatures }: Checkpoint, key: string): Promise<string | null> {
  const verifier = await readKey(key);
  if (verifier === undefined) return 'the key is not a key of signed notes';
  if (verifier.name !== origin) return `the key is that of the log ${verifier.name}`;
  const own = signatures.filter(({ name, bytes }) => name === verifier.name && idIn(bytes) === verifier.id);
  if (own.length === 0) return 'the key has not signed it';
  const imported = await crypto.subtle.importKey('raw', verifier.publicKey, { name: 'Ed25519' }, false, ['verify']);
  const signed = new TextEncoder().encode(text);
  for (const { bytes } of own) {
    if (await crypto.subtle.verify({ name: 'Ed25519' }, imported, bytes.subarray(ID_BYTES), signed)) return null;
  }
  return 'its signature does not fit what it says';
}

async function readKey(text: string): Promise<VerifierKey | undefined> {
  const [, name = '', id = '', encoded = ''] = /^([^\s+]+)\+([\da-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim()) ?? [];
  const bytes = fromBase64(encoded);
  if (bytes?.length !== 33 || bytes[0] !== ED25519) return undefined;
  const digest = await sha256(new Uint8Array([...new TextEncoder().encode(`${name}\n`), ...bytes]));
  return idIn(digest) === id ? { name, id, publicKey: bytes.subarray(1) } : undefined;
}

const idIn = (bytes: Uint8Array): string => hexOf(bytes.subarray(0, ID_BYTES));

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** `undefined` for what is no Base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const decoded = atob(text);
    // One text for the same bytes: bits that no byte has must be zero.
    return text === '' || btoa(decoded) !== text ? undefined : Uint8Array.from(decoded, (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
}
