/** Components of every generated OpenAPI document. */

export const sharedHeaders = {
  PolicyId: {
    description:
      'The policy that the path names, as it stands there, so that proxies can send it to one node. Absent on other paths.',
    schema: { type: 'string' },
  },
  RequestId: {
    description: 'The `X-Request-Id` of the request if it is safe, otherwise a new one.',
    schema: { type: 'string', pattern: '^[0-9A-Za-z-]{1,64}$' },
  },
} as const;

export const security = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token names the caller in `sub`, and grants permissions by `role` or `permissions`.',
  },
} as const;
