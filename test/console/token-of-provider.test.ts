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

describe.skipIf(chromiumPath === undefined)('A pasted token of a provider', () => {
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

  it('that the server does not take is refused, in the words of the server', async () => {
    await paste(`${token.slice(0, -6)}AAAAAA`);
    await journey.page.getByText('This server does not take the token').waitFor();
    expect(await journey.page.getByLabel('Acting as').count()).toBe(0);
  });

  it('names the person whom the server means', async () => {
    await paste(token);
    await journey.page.getByRole('link', { name: 'Policies' }).first().waitFor();
    await journey.page.getByRole('button', { name: 'People' }).click();
    await journey.page.getByRole('dialog').getByText(did, { exact: true }).waitFor();
  });

  it('names them also where the provider calls people by names that look like DIDs', async () => {
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
