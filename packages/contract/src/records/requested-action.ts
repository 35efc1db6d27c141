/** What one instance asks of another, and who asks. */
import { z } from 'zod';
import { component } from '../component.js';
import { json } from './json.js';
import { policyRecord } from './policy-record.js';

/** The name of an instance, unique among those that know each other. */
export const instanceName = z.string().min(1).max(200);

export const did = z.string().min(1).max(500);

/** An instance and the identity it speaks for. */
export const sender = component('Sender', z.object({ instance: instanceName, did }));

/** A policy's record without the fields that depend on the caller. */
const offeredRecord = policyRecord.omit({ userRole: true, userRoles: true, userGroup: true, userGroups: true });

export const requestedAction = component(
  'RequestedAction',
  z.discriminatedUnion('type', [
    z
      .object({
        type: z.literal('import-policy'),
        policy: offeredRecord.extend({ config: z.record(z.string(), z.unknown()) }),
        view: z.literal(true).optional(),
      })
      .describe('Import a policy; with `view`, the sender remains its host.'),
    z
      .object({
        type: z.literal('send-data'),
        tag: z.string().min(1).max(500),
        user: z.object({ did, username: z.string().max(200).optional() }),
        data: json,
      })
      .describe('Send data to a block, for a user of the sender.'),
    z
      .object({
        type: z.literal('sign'),
        signer: did,
        credential: z.record(z.string(), json),
        policy: offeredRecord.omit({ config: true }),
      })
      .describe('Sign a credential with the key of a user of the receiver.'),
  ]),
);
