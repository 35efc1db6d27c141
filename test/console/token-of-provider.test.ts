/** A token of a provider is pasted into the console of a server that makes DIDs of the names in it. */
import { createSecretKey } from 'node:crypto';
import jsonwebtoken from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { openJourney, type Journey } from './support/journey.js';

const secret = createSecretKey(Buffer.alloc(32, 6));
const issuer = 'https://idp.example.org';
const name = '9f1c';
const did = `did:web:example.org:users:${name}`;

describe.skipIf(chromiumPath === undefined)('A pasted token of an identity provider', () => {
  let journey: Journey;
  let token: string;
  const tokenOf = (sub: string): string =>
    jsonwebtoken.sign({ iss: issuer, sub, username: 'ann' }, secret, { algorithm: 'HS256', expiresIn: 600 });

  beforeAll(async () => {
    const auth = { secret, issuer, subject: 'did:web:example.org:users:{sub}' };
    token = tokenOf(name);
    journey = await openJourney({ at: () => '/policies', auth });
  });
  afterAll(async () => journey.close());

  const paste = async (text: string): Promise<void> => {
    await journey.page.getByLabel('Bearer token').fill(text);
    await journey.page.getByRole('button', { name: 'Add', exact: true }).click();
  };

  it('is refused with the message of the server if the server rejects it', async () => {
    await paste(`${token.slice(0, -6)}AAAAAA`);
    await journey.page.getByText('The server rejected the token').waitFor();
    expect(await journey.page.getByLabel('Acting as').count()).toBe(0);
  });

  it('signs in the user that the server derives from it', async () => {
    await paste(token);
    await journey.page.getByRole('link', { name: 'Policies' }).first().waitFor();
    await journey.page.getByRole('button', { name: 'People' }).click();
    await journey.page.getByRole('dialog').getByText(did, { exact: true }).waitFor();
  });

  it('does so even if the provider uses subjects that look like DIDs', async () => {
    await paste(tokenOf('did:example:ann'));
    const mapped = 'did:web:example.org:users:did%3Aexample%3Aann';
    await journey.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await journey.page.getByRole('button', { name: 'People' }).click();
    await journey.page.getByRole('dialog').getByText(mapped, { exact: true }).waitFor();
    // The policies come for that person.
    await journey.page.getByRole('button', { name: 'Close' }).first().click();
    await journey.page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
  });
});
