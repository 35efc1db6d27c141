/** Checks of DID documents and their keys, before a profile is set with them. Nothing is stored. */
import { z } from 'zod';
import { documentVerdict, isKeyOf } from '../../accounts/did-documents.js';
import { checked, ok, type SandboxRoute } from '../../requests/endpoint.js';

const written = z.looseObject({ document: z.unknown() });
const keyed = z.looseObject({
  document: z.unknown(),
  keys: z.array(z.looseObject({ id: z.string().max(500), key: z.string().max(1_024) })).max(100),
});

export const didRoutes = (): SandboxRoute[] => [
  {
    method: 'POST',
    path: '/profiles/did-document/validate',
    body: 'data',
    handle: ({ body }) => ok(documentVerdict(checked(body, written).document)),
  },
  {
    method: 'POST',
    path: '/profiles/did-keys/validate',
    body: 'data',
    handle: ({ body }) => {
      const { document, keys } = checked(body, keyed);
      return ok(keys.map(({ id, key }) => ({ id, valid: isKeyOf(document, id, key) })));
    },
  },
];
