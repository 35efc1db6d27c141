/** A real OpenID provider on a loopback address, whose access tokens are JWTs. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import Provider from 'oidc-provider';
import type { Adapter, JWK } from 'oidc-provider';

export const audience = 'https://policies.example.org';

/** A private key for RS256, as the provider takes it. */
export function signingKey(kid: string): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
}

export interface IdentityProvider {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** How often the key set was asked for. */
  readonly asked: () => number;
  /** An access token for a client; `roles` is a claim of it. */
  token(client?: { readonly id?: string; readonly resource?: string; readonly seconds?: number }): Promise<string>;
  /** From now on, it signs with this key, and publishes only this one. */
  rotate(key: JWK): void;
  /** What the key set is answered with instead, until it is called with `null`. */
  answerKeysWith(answer: { readonly status: number; readonly body: string; readonly location?: string } | null): void;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

const roles: Readonly<Record<string, readonly string[]>> = {
  registry: ['offline_access', 'registry-admins'],
  'auth0|5f7c8ec7c33c6c004bbafe82': ['members'],
  stranger: ['offline_access'],
};

export async function startProvider(key: JWK): Promise<IdentityProvider> {
  let handle: ReturnType<Provider['callback']>;
  let override: { status: number; body: string; location?: string } | null = null;
  let [asked, lifetime] = [0, 600];
  const open = (): Server =>
    createServer((req, res) => {
      if (req.url === '/jwks') {
        asked += 1;
        if (override !== null) {
          res.writeHead(override.status, override.location === undefined ? {} : { location: override.location });
          res.end(override.body);
          return;
        }
      }
      void handle(req, res);
    });
  let server = open();
  const port = await listening(server, 0);
  const issuer = `http://127.0.0.1:${String(port)}`;
  const rotate = (next: JWK): void => {
    handle = providerOf(issuer, next, () => lifetime).callback();
  };
  rotate(key);
  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    asked: () => asked,
    rotate,
    answerKeysWith: (answer) => (override = answer),
    token: async ({ id = 'registry', resource = audience, seconds = 600 } = {}) => {
      lifetime = seconds;
      const credentials = Buffer.from(`${encodeURIComponent(id)}:secret`).toString('base64');
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${credentials}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
      });
      const { access_token: token } = (await response.json()) as { access_token?: string };
      if (token === undefined) throw new Error(`The provider gave no token: ${String(response.status)}`);
      return token;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await turn();
    },
    restart: async () => {
      server = open();
      await listening(server, port);
    },
  };
}

function providerOf(issuer: string, key: JWK, lifetime: () => number): Provider {
  const provider = new Provider(issuer, {
    adapter: NothingKept,
    jwks: { keys: [key] },
    cookies: { keys: ['only for tests'] },
    ttl: { ClientCredentials: lifetime },
    clients: Object.keys(roles).map((id) => ({
      client_id: id,
      client_secret: 'secret',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
    extraTokenClaims: (_, token) => ({
      realm_access: { roles: roles[token.clientId ?? ''] },
      permissions: ['read:everything'],
    }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({
          scope: 'policies',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: lifetime(),
          jwt: { sign: { alg: 'RS256', kid: key.kid ?? '' } },
        }),
      },
    },
  });
  return provider;
}

/** JWTs need no memory; the provider's own adapter writes a warning. */
const nothing = (): Promise<undefined> => Promise.resolve(undefined);
class NothingKept implements Adapter {
  upsert = nothing;
  find = nothing;
  findByUserCode = nothing;
  findByUid = nothing;
  consume = nothing;
  destroy = nothing;
  revokeByGrantId = nothing;
}

const listening = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
