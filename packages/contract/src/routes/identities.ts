/** Routes for keys held by the callers, and for revoked tokens. */
import { z } from 'zod';
import { component } from '../component.js';
import { refused, totalCount } from '../answers.js';
import { did, identityKey as key } from '../parameter.js';
import { boundedPageQuery, pageQuery } from '../query-parameters.js';
import { identityKey, keyRegistration } from '../records/identity-key.js';
import { revokedToken, tokenRevocation } from '../records/revoked-token.js';
import { route } from '../route.js';
import type { Body } from '../route.js';

const registration = { kind: 'json', schema: keyRegistration } as const satisfies Body;

export const identityRoutes = {
  listKeys: route({
    method: 'GET',
    path: '/identities/keys',
    summary: 'Lists the keys that the caller has registered, the newest first, revoked ones included.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: {},
    query: { kind: 'listed', schema: pageQuery },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The keys.', schema: z.array(identityKey), headers: totalCount },
      ...refused(422),
    },
  }),
  registerKey: route({
    method: 'POST',
    path: '/identities/keys',
    summary: 'Registers a key of the caller, or of a device that signs on their behalf.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: {},
    query: { kind: 'none' },
    body: registration,
    answers: {
      201: { description: 'The registered key.', schema: identityKey },
      ...refused(400, 409, 413, 415, 422),
    },
  }),
  revokeKey: route({
    method: 'PUT',
    path: '/identities/keys/{key}/revoke',
    summary: 'Revokes a key of the caller: later signatures are rejected.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { key },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The revoked key.', schema: identityKey }, ...refused(400, 404) },
  }),
  rotateKey: route({
    method: 'PUT',
    path: '/identities/keys/{key}/rotate',
    summary: 'Rotates a key of the caller: registers the new key and revokes the old one.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { key },
    query: { kind: 'none' },
    body: registration,
    answers: {
      200: { description: 'The new key.', schema: identityKey },
      ...refused(400, 404, 409, 413, 415, 422),
    },
  }),
  listRevokedTokens: route({
    method: 'GET',
    path: '/identities/revoked-tokens',
    summary: 'Lists the revoked tokens, newest first.',
    permission: 'ACCOUNTS_TOKEN_REVOKE',
    params: {},
    query: { kind: 'listed', schema: boundedPageQuery },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The revoked tokens.', schema: z.array(revokedToken), headers: totalCount },
      ...refused(422),
    },
  }),
  revokeToken: route({
    method: 'POST',
    path: '/identities/revoked-tokens',
    summary: 'Revokes a token: further requests with it get 401.',
    permission: 'ACCOUNTS_TOKEN_REVOKE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'json', schema: tokenRevocation },
    answers: {
      201: { description: 'The revoked token.', schema: revokedToken },
      ...refused(400, 413, 415, 422),
    },
  }),
  getIdentityDocument: route({
    method: 'GET',
    path: '/identities/{did}/document',
    summary: 'Reads the DID document of any identity whose signatures are verified here, without revoked keys.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { did },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The DID document.', schema: component('DidDocument', z.looseObject({ id: z.string() })) },
      ...refused(400, 404),
    },
  }),
} as const;
