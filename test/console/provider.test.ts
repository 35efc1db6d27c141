/** Signing in at an OpenID provider: the way there and back, what is checked on it, and what people are told when it fails. */
import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import { openConsolePage, type ConsolePage } from './support/console-page.js';
import { openJourney, type Journey } from './support/journey.js';
import { audience, clientId, startSignInProvider, type SignInProvider } from './support/sign-in-provider.js';

const HOUR_MS = 3_600_000;

describe.skipIf(chromiumPath === undefined)('Signing in at an OpenID provider', () => {
  let provider: SignInProvider;
  let journey: Journey;
  let window: ConsolePage;
  let page: Page;
  let deepLink: string;

  beforeAll(async () => {
    provider = await startSignInProvider();
    const { issuer, jwksUrl } = provider;
    journey = await openJourney({
      auth: {
        keySet: { url: jwksUrl },
        issuer,
        audience,
        subject: 'did:web:example.org:users:{sub}',
        roles: {
          claim: '/realm_access/roles',
          values: [{ value: 'registry-admins', role: 'STANDARD_REGISTRY' }],
          otherwise: 'USER',
        },
      },
      provider: { issuer, clientId, resource: audience },
    });
    provider.serve(`${journey.world.url}/console/`);
    deepLink = `/policies/${journey.world.policyId}/page`;
  });

  // Everybody begins as a stranger, to the console and to the provider.
  beforeEach(async () => {
    window = await openConsolePage(journey.browser, journey.world);
    ({ page } = window);
    await window.open(deepLink);
  });

  // Windows that stay open go on listening to the server, and make the next ones slow.
  afterEach(async () => page.context().close());

  afterAll(async () => {
    await journey.close();
    await provider.stop();
  });

  const signInAt = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: /^Sign in at 127\.0\.0\.1/ }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  /** Changes an answer of the provider on its way. */
  const change = async (path: string, changed: (answer: Record<string, unknown>) => object): Promise<unknown> =>
    page.route(`${provider.issuer}${path}`, async (route: Route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: changed((await response.json()) as Record<string, unknown>) });
    });
  const isTold = async (words: string | RegExp): Promise<void> =>
    page.getByRole('alert').filter({ hasText: words }).waitFor();
  const nobodyIsSignedIn = async (): Promise<void> => {
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByLabel('Acting as').count()).toBe(0);
    expect(page.url()).not.toContain('?');
  };

  it('returns the user to the screen they came from', async () => {
    await page.getByText('Your password stays at the provider').waitFor();
    await expectNothingFromAxe(page);
    const paths: string[] = [];
    page.on('request', (request) => paths.push(request.url()));
    await signInAt('alice');
    await page.getByRole('button', { name: 'Producer' }).waitFor();
    expect(page.url()).toBe(`${journey.world.url}/console/#${deepLink}`);
    expect(await page.getByRole('option').allTextContents()).toEqual(['alice (USER)']);
    // No token in any address, and the page asks its own server and the provider.
    expect(paths.join('\n')).not.toContain('eyJ');
    expect(window.watched.problems).toEqual([]);
    expect([...window.watched.hosts].sort()).toEqual([journey.world.url, provider.issuer].sort());
    await page.getByRole('button', { name: 'Producer' }).click();
    await page.getByLabel('Site').waitFor();
    const roles = await journey.world.engine.getPolicy(
      { did: 'did:web:example.org:users:alice', role: 'USER' },
      journey.world.policyId,
    );
    expect(roles.userRole).toBe('Producer');
  });

  it('prompts for another user although the provider has a session', async () => {
    await signInAt('alice');
    await page.getByRole('button', { name: 'People' }).click();
    await page.getByRole('button', { name: /^Sign in at/ }).click();
    await page.getByLabel('Name').waitFor();
    // As if the first one had signed out of the provider meanwhile: it holds one session a browser.
    await page.context().clearCookies();
    await window.open(deepLink);
    await page.getByRole('button', { name: 'People' }).click();
    await signInAt('registry');
    await page.getByRole('option', { name: 'registry (STANDARD_REGISTRY)' }).waitFor({ state: 'attached' });
    expect(await page.getByLabel('Acting as').inputValue()).toBe('did:web:example.org:users:registry');
  });

  it('signs out of console and provider: the next sign-in prompts again', async () => {
    await signInAt('alice');
    await page.getByRole('button', { name: 'People' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign out' }).click();
    await nobodyIsSignedIn();
    expect(await page.evaluate<string>('JSON.stringify(sessionStorage) + JSON.stringify(localStorage)')).not.toContain(
      'eyJ',
    );
    await signInAt('bob');
    await page.getByRole('option', { name: 'bob (USER)' }).waitFor({ state: 'attached' });
  });

  it('reports an expired token, and renews it on the same screen without a prompt', async () => {
    await signInAt('alice');
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    journey.world.passTime(HOUR_MS);
    await isTold('You are no longer signed in as alice. The token has expired.');
    await page.getByText('Signed out').waitFor();
    journey.world.passTime(-HOUR_MS);
    await page.getByRole('button', { name: /^Sign in again/ }).click();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    expect(page.url()).toBe(`${journey.world.url}/console/#${deepLink}`);
    expect(await page.getByRole('alert').filter({ hasText: 'no longer' }).count()).toBe(0);
  });

  it('reports a refused sign-in on the screen the user came from', async () => {
    await page.getByRole('button', { name: /^Sign in at/ }).click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await isTold('declined');
    await expectNothingFromAxe(page);
    await nobodyIsSignedIn();
    expect(page.url()).toBe(`${journey.world.url}/console/#${deepLink}`);
  });

  it('rejects an unsolicited response', async () => {
    await page.goto(`${journey.world.url}/console/?code=stolen&state=made-up`);
    await isTold('does not match a sign-in started in this tab');
    await nobodyIsSignedIn();
  });

  it('rejects a response with another state, also when it is replayed', async () => {
    let [state, answer] = ['', ''];
    await page.route(/\/auth\?/, async (route) => {
      const url = new URL(route.request().url());
      state = url.searchParams.get('state') ?? '';
      url.searchParams.set('state', 'another');
      await route.continue({ url: url.href });
    });
    page.on('request', (request) => {
      if (request.url().includes('/console/?code=')) answer = request.url();
    });
    await signInAt('alice');
    await isTold('does not match');
    await nobodyIsSignedIn();
    expect(state).toMatch(/^[\w-]{43}$/);
    await page.goto(answer.replace('state=another', `state=${state}`));
    await isTold('does not match');
    await nobodyIsSignedIn();
  });

  it('rejects a token with another nonce, audience or issuer', async () => {
    const wrong = [{ nonce: 'another' }, { aud: 'another' }, { iss: 'https://idp.example.org' }, { exp: 1 }];
    for (const claims of wrong) {
      await change('/token', (answer) => ({ ...answer, id_token: withClaims(String(answer['id_token']), claims) }));
      await page.getByRole('button', { name: /^Sign in at/ }).click();
      if (claims === wrong[0]) {
        await page.getByLabel('Name').fill('alice');
        await page.getByRole('button', { name: 'Continue' }).click();
      }
      await isTold('does not match');
      await nobodyIsSignedIn();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.unroute(`${provider.issuer}/token`);
    }
  });

  it('sends the code to no other host, and redirects only to pages of the console', async () => {
    const wrong = [
      { token_endpoint: 'https://elsewhere.example.org/token' },
      { authorization_endpoint: 'javascript:document.title="taken over"' },
      { issuer: 'https://elsewhere.example.org' },
      { code_challenge_methods_supported: ['plain'] },
    ];
    for (const member of wrong) {
      await change('/.well-known/openid-configuration', (answer) => ({ ...answer, ...member }));
      await page.getByRole('button', { name: /^Sign in at/ }).click();
      await isTold('lacks a feature this page needs');
      await page.unroute(`${provider.issuer}/.well-known/openid-configuration`);
    }
    expect(await page.title()).toBe('Blockwork console');
  });

  it('reports an unreachable provider, and a code that the provider no longer accepts', async () => {
    await provider.stop();
    await page.getByRole('button', { name: /^Sign in at/ }).click();
    await isTold('does not respond. You were not signed in; try again later.');
    await provider.restart();
    await page.route(`${provider.issuer}/token`, async (route) =>
      route.fulfill({ status: 400, headers: { 'access-control-allow-origin': '*' }, json: { error: 'invalid_grant' } }),
    );
    await signInAt('alice');
    await isTold('did not issue a token (invalid_grant)');
    await nobodyIsSignedIn();
  });
});

/** The token with other claims: whoever checks them does so without its signature. */
function withClaims(token: string, claims: object): string {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const tokenClaims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  return [head, Buffer.from(JSON.stringify({ ...tokenClaims, ...claims })).toString('base64url'), signature].join('.');
}
