/** A key registered by a member. */
import { z } from 'zod';
import { component } from '../component.js';
import { timestamp } from './identifiers.js';

export const identityKey = component(
  'IdentityKey',
  z.looseObject({
    id: z.string().describe('The public key as a multikey.'),
    did: z.string().describe('The identity that signs with it: the member, or the `did:key` of a device.'),
    member: z.string().describe('The member who registered it and is responsible for what it signs.'),
    name: z.string().optional(),
    createDate: timestamp,
    revokeDate: timestamp.optional().describe('Signatures made from this time on are rejected.'),
    replacedBy: z.string().optional().describe('The key that replaced it.'),
  }),
);

/** A key to register. The engine verifies the credential. */
export const keyRegistration = component(
  'KeyRegistration',
  z.object({
    registration: z
      .looseObject({})
      .describe(
        'A credential signed with the key (`eddsa-jcs-2022`). Its subject is `{id: <the caller>, type: "KeyRegistration"}`; its issuer is the caller, or the `did:key` of a device.',
      ),
    name: z.string().max(200).optional(),
  }),
);
