/** Checkpoints of a stored log, signed with the instance's key. */
import { verify } from 'node:crypto';
import { publicKeyObject } from '../credentials/index.js';
import type { Keys } from '../ports/index.js';
import { checkpointText, readNote, signedNote, verifierKey, type Checkpoint } from './checkpoint.js';
import type { StoredLog } from './stored-log.js';

/** The name of the key that signs checkpoints. */
const LOG_KEY = 'instance:log';

export interface LogCheckpoint {
  /** Names the log: no other log, and no log that was begun anew, has the same. */
  readonly origin: string;
  /** The id of the first entry in the log. Earlier entries of the journal, if there are any, are in no log. */
  readonly first: string;
  /** Number of entries. */
  readonly size: number;
  /** The root of the tree, in Base64. */
  readonly root: string;
  /** Origin, size and root, signed (C2SP `tlog-checkpoint`). */
  readonly note: string;
  /** The instance's key for logs, as verifiers are given it (C2SP `signed-note`). */
  readonly key: string;
}

export async function checkpointOf(log: StoredLog, keys: Keys): Promise<LogCheckpoint> {
  const { origin, first, size } = log;
  const root = await log.tree.root();
  const text = checkpointText({ origin, size, root });
  const key = { name: origin, publicKey: await keys.publicKey(LOG_KEY) };
  const note = signedNote(text, key, await keys.sign(LOG_KEY, Buffer.from(text)));
  return { origin, first, size, root: Buffer.from(root).toString('base64'), note, key: verifierKey(key) };
}

/** What the note says; `undefined` if it is no checkpoint that this instance has signed. */
export async function ownCheckpoint(note: string, keys: Keys): Promise<Checkpoint | undefined> {
  const read = readNote(note);
  if (read === undefined) return undefined;
  const key = publicKeyObject(await keys.publicKey(LOG_KEY));
  return verify(null, Buffer.from(read.text), key, read.signature) ? read.checkpoint : undefined;
}
