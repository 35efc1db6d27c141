/** The log of a policy's journal: its checkpoint, and the proof that an entry is in it. */
import { z } from 'zod';
import { component } from '../component.js';

export const logCheckpoint = component(
  'LogCheckpoint',
  z.object({
    origin: z.string().describe('Names the log. A log that was begun anew has another one.'),
    first: z.string().describe('The id of the first entry in the log; earlier ones are in no log.'),
    size: z.int().describe('Number of entries.'),
    root: z.string().describe('The root of the Merkle tree, in Base64.'),
    note: z.string().describe('Origin, size and root, signed (C2SP `tlog-checkpoint`).'),
    key: z.string().describe("The instance's key for logs, as verifiers take it (C2SP `signed-note`)."),
  }),
);

export const logProof = component(
  'LogProof',
  z.object({
    leaf: z
      .object({
        id: z.string().describe('The id of the entry.'),
        at: z.string(),
        outcome: z.string().describe('SHA-256 of the canonical JSON of its `documents` and `effects`.'),
        course: z.string().describe('SHA-256 of the canonical JSON of its other members.'),
      })
      .nullable()
      .describe('As JSON, in this order, it is the data of the leaf; `null` if the entry itself is kept no longer.'),
    hash: z.string().describe('The hash of the leaf, in Base64.'),
    index: z.int().describe('Position of the leaf, from 0.'),
    hashes: z.array(z.string()).describe('From the leaf to the root (RFC 6962, section 2.1.1), in Base64.'),
    checkpoint: logCheckpoint,
  }),
);

export const logConsistency = component(
  'LogConsistency',
  z.object({
    earlier: z.int().describe('Number of entries then.'),
    root: z.string().describe('The root of the tree then, in Base64: it must be that of the checkpoint that was kept.'),
    hashes: z.array(z.string()).describe('From both roots (RFC 6962, section 2.1.2), in Base64.'),
    checkpoint: logCheckpoint,
  }),
);
