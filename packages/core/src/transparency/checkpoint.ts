/** Checkpoints (C2SP `tlog-checkpoint`): the size and the root of a log as a signed note (C2SP `signed-note`). */
import { createHash } from 'node:crypto';
import type { Hash } from './merkle.js';

export interface Checkpoint {
  /** Which log: it appears in no other one. */
  readonly origin: string;
  /** Number of leaves. */
  readonly size: number;
  readonly root: Hash;
}

/** An Ed25519 key and the name under which it signs notes: no spaces, and no `+`. */
export interface NoteKey {
  readonly name: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** The kind of an Ed25519 signature in the id of its key. */
const ED25519 = 1;

/** The text that is signed, with its last line break. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${String(size)}\n${Buffer.from(root).toString('base64')}\n`;

/** The note: its text, an empty line, and a line with the signature, 64 bytes. */
export const signedNote = (text: string, key: NoteKey, signature: Uint8Array): string =>
  `${text}\n— ${key.name} ${Buffer.concat([keyId(key), signature]).toString('base64')}\n`;

/** A checkpoint with one signature, as `signedNote` writes it; `undefined` for anything else. */
export function readNote(
  note: string,
): { readonly checkpoint: Checkpoint; readonly text: string; readonly signature: Uint8Array } | undefined {
  const { origin, size = '', root = '', name, signed = '' } = NOTE.exec(note)?.groups ?? {};
  if (origin === undefined || name !== origin) return undefined;
  const checkpoint = { origin, size: Number(size), root: Buffer.from(root, 'base64') };
  return { checkpoint, text: checkpointText(checkpoint), signature: Buffer.from(signed, 'base64').subarray(4) };
}

const NOTE =
  /^(?<origin>[^\s+]+)\n(?<size>0|[1-9]\d{0,14})\n(?<root>[A-Za-z0-9+/]{43}=)\n\n— (?<name>[^\s+]+) (?<signed>[A-Za-z0-9+/]{91}=)\n$/;

/** A key as verifiers are given it: name, id and key, separated by `+`. */
export const verifierKey = (key: NoteKey): string =>
  `${key.name}+${keyId(key).toString('hex')}+${Buffer.from([ED25519, ...key.publicKey]).toString('base64')}`;

/** Four bytes that tell the keys of one name apart. */
const keyId = ({ name, publicKey }: NoteKey): Buffer =>
  createHash('sha256')
    .update(`${name}\n`)
    .update(Uint8Array.from([ED25519, ...publicKey]))
    .digest()
    .subarray(0, 4);
