/** A real OpenID provider on a loopback address, at which people sign in by their name alone. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';
import { keptByProvider } from './kept-by-provider.js';

export const audience = 'https://policies.example.org';
export const clientId = 'console';

export interface SignInProvider {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** From now on, the console at this address is its client. */
  serve(consoleUrl: string): void;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

export async function startSignInProvider(): Promise<SignInProvider> {
  let provider: Provider | undefined;
  const open = (): Server =>
    createServer((request, response) => {
      if (provider === undefined) response.writeHead(503).end();
      else if (request.url?.startsWith('/interaction/')) void interact(provider, request, response);
      else void provider.callback()(request, response);
    });
  let server = open();
  const port = await listening(server, 0);
  const issuer = `http://127.0.0.1:${String(port)}`;
  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    serve: (consoleUrl) => (provider = providerFor(issuer, consoleUrl)),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    restart: async () => {
      server = open();
      await listening(server, port);
    },
  };
}

function providerFor(issuer: string, consoleUrl: string): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new Provider(issuer, {
    adapter: keptByProvider(),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['only for tests'] },
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        redirect_uris: [consoleUrl],
        post_logout_redirect_uris: [consoleUrl],
      },
    ],
    clientBasedCORS: (_, origin) => origin === new URL(consoleUrl).origin,
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    extraTokenClaims: (_, token) => {
      const name = 'accountId' in token ? token.accountId : '';
      return { username: name, realm_access: { roles: [name === 'registry' ? 'registry-admins' : 'members'] } };
    },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    renderError: (ctx, { error, error_description: described }) => {
      ctx.body = page(`${error}: ${described ?? ''}`);
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    // Nobody is asked twice whether the console may have what it asks for.
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        ...(client && { clientId: client.clientId }),
        ...(session?.accountId !== undefined && { accountId: session.accountId }),
      });
      grant.addOIDCScope('openid profile');
      grant.addResourceScope(audience, 'policies');
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = page(`${form}<button form="op.logoutForm" name="logout" value="yes">Yes, sign out</button>`);
        },
      },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          scope: 'policies',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'RS256', kid: 'one' } },
        }),
      },
    },
  });
}

const page = (body: string): string => `<!doctype html><html lang="en"><title>Provider</title><body>${body}`;

/** Its page for signing in, and what is sent from there. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      page(
        '<form method="post"><label>Name <input name="name"></label><button>Continue</button><button name="refuse" value="yes">Refuse</button></form>',
      ),
    );
    return;
  }
  const form = new URLSearchParams(await text(request));
  const result =
    form.get('refuse') === 'yes'
      ? { error: 'access_denied', error_description: 'somebody refused' }
      : { login: { accountId: form.get('name') ?? '' } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

const listening = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
