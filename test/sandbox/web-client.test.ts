/** The calls of the reference's web client, page by page, with its websocket. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Got, Sent } from './support/http.js';
import { openPage, type Page } from './support/page.js';
import { at, play, type Player } from './support/play.js';
import { plots } from './support/plots.js';
import { openSandboxWorld, type SandboxWorld } from './support/world.js';

let world: SandboxWorld;
const pages: Page[] = [];
beforeEach(async () => {
  world = await openSandboxWorld();
});
afterEach(async () => {
  for (const page of pages.splice(0)) page.close();
  await world.close();
});

/** A browser: its calls, and the websocket that it opens before the login. */
class Browser {
  token: string | undefined;
  #refresh = '';

  private constructor(readonly page: Page) {}

  /** The start page, in its order. */
  static async open(): Promise<Browser> {
    const browser = new Browser(await openPage(world.url));
    pages.push(browser.page);
    expect((await browser.get('map/key')).body).toBeNull();
    expect((await browser.get('branding')).body).toMatchObject({
      companyName: expect.any(String),
      companyLogoUrl: expect.any(String),
    });
    expect((await browser.get('accounts/session')).text).toBe('');
    return browser;
  }

  get(path: string): Promise<Got> {
    return this.ask('GET', path);
  }

  ask(method: string, path: string, sent: Sent = {}): Promise<Got> {
    return world.ask(method, path, { token: this.token, ...sent });
  }

  /** One failing call leaves the page empty. */
  async forkJoin(...paths: string[]): Promise<Got[]> {
    const answers = await Promise.all(paths.map((path) => this.get(path)));
    expect(answers.map(({ status }, n) => `${String(paths[n])}: ${status}`)).toEqual(
      paths.map((path) => `${path}: 200`),
    );
    return answers;
  }

  async logIn(username: string): Promise<void> {
    const { body } = await this.ask('POST', 'accounts/login', { json: { username, password: 'test' } });
    this.#refresh = body.refreshToken as string;
    await this.renew();
    this.page.send({ type: 'SET_ACCESS_TOKEN', data: this.token });
    const { body: session } = await this.get('accounts/session');
    expect(session.username).toBe(username);
    await this.get('accounts/balance');
    await this.forkJoin(
      `profiles/${username}`,
      'notifications/new',
      'notifications/progresses',
      'notifications?pageIndex=0&pageSize=10',
    );
  }

  /** Every 29 seconds. */
  async renew(): Promise<void> {
    const { body } = await this.ask('POST', 'accounts/access-token', { json: { refreshToken: this.#refresh } });
    this.token = body.accessToken as string;
  }

  /** Follows the task on the websocket, after one poll. */
  async task(pushed: Got): Promise<unknown> {
    const { taskId } = pushed.body;
    await this.get(`tasks/${String(taskId)}`);
    const task = await this.page.next('UPDATE_TASK_STATUS', (data) => at(data, 'taskId') === taskId);
    return at(task, 'result');
  }
}

async function signedUp(username: string, role: string): Promise<Browser> {
  const browser = await Browser.open();
  const account = { username, password: 'test', password_confirmation: 'test', role };
  await browser.ask('POST', 'accounts/register', { json: account });
  await browser.logIn(username);
  const entity = role === 'USER' ? 'USER' : 'STANDARD_REGISTRY';
  const [profile, , schema] = await browser.forkJoin(
    `profiles/${username}`,
    `profiles/${username}/balance`,
    `schemas/system/entity/${entity}`,
  );
  expect(profile?.body).toMatchObject({ confirmed: false });
  expect(schema?.body).toMatchObject({ iri: expect.any(String), document: expect.any(String) });
  const [registries] = await browser.forkJoin('accounts/standard-registries/aggregated', 'tokens');
  const parent = role === 'USER' ? { parent: registries?.body[0].did as string } : {};
  const { id, key } = (await browser.task(await browser.get('demo/push/random-key'))) as { id: string; key: string };
  const json = {
    hederaAccountId: id,
    hederaAccountKey: key,
    ...parent,
    vcDocument: {},
    didDocument: null,
    didKeys: [],
  };
  expect(await browser.task(await browser.ask('PUT', `profiles/push/${username}`, { json }))).toMatch(/^did:/);
  expect((await browser.get(`profiles/${username}`)).body.confirmed).toBe(true);
  return browser;
}

async function listOfPolicies(browser: Browser): Promise<{ id: string; status: string; userRole: string }[]> {
  await browser.forkJoin('profiles/me', 'tags/schemas/published');
  const listed = await browser.get('policies?pageIndex=0&pageSize=10');
  expect(listed.headers['x-total-count']).toBe(String(listed.body.length));
  const targets = (listed.body as { id: string }[]).map(({ id }) => id);
  const tags = await browser.ask('POST', 'tags/search', { json: { entity: 'Policy', targets } });
  expect(tags).toMatchObject({ status: 200, body: {} });
  return listed.body as { id: string; status: string; userRole: string }[];
}

/** The page of a policy: everything that it shows, by id, from the root. */
async function pageOf(browser: Browser, id: string): Promise<Got> {
  expect(id).toMatch(/^\w+$/);
  await browser.get('profiles/me');
  const [policy, root] = await browser.forkJoin(`policies/${id}`, `policies/${id}/blocks`, `policies/${id}/groups`);
  expect(policy?.body).toMatchObject({ userRoles: expect.any(Array), status: expect.any(String) });
  if (policy?.body.status === 'DRY-RUN') await browser.forkJoin(`policies/${id}/dry-run/users`, `record/${id}/status`);
  await browser.get(`policies/${id}/navigation`);
  if (root === undefined) throw new Error('There is no root.');
  await shown(browser, id, root.body);
  return root;
}

/** Reads a container's blocks, and a grid's addons and columns. A refusal would leave it blank. */
async function shown(browser: Browser, id: string, block: unknown): Promise<void> {
  const children = [...asList(at(block, 'blocks')), ...asList(at(block, 'commonAddons'))];
  for (const child of children) {
    if (child === null) continue;
    const [read] = await browser.forkJoin(`policies/${id}/blocks/${String(at(child, 'id'))}`);
    await shown(browser, id, read?.body);
  }
  for (const field of asList(at(block, 'fields'))) {
    const tag = at(field, 'bindBlock');
    if (typeof tag === 'string' && tag !== '')
      await browser.forkJoin(`policies/${id}/tag/${encodeURIComponent(tag)}/blocks`);
  }
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

describe.each(plots)('the web client plays $name', (plot) => {
  it('from the first registry to the minted token and its trust chain', async () => {
    const registry = await signedUp('registry', 'STANDARD_REGISTRY');
    const preview = await registry.ask('POST', 'policies/import/file/preview', { bytes: plot.archive });
    expect(preview).toMatchObject({
      status: 200,
      body: { policy: { name: expect.any(String) }, schemas: expect.any(Array), tokens: expect.any(Array) },
    });
    const imported = await registry.task(
      await registry.ask('POST', 'policies/push/import/file', { bytes: plot.archive }),
    );
    const id = String(at(imported, 'policyId'));
    expect((await listOfPolicies(registry))[0]).toMatchObject({ id, status: 'DRAFT' });
    const { topicId } = (await registry.get(`policies/${id}`)).body;
    await registry.forkJoin(
      ...['policies/blocks/about', 'themes/', 'modules/menu', 'tools/menu/all', 'policies/methodologies/categories'],
      ...[`schemas/${String(topicId)}`, 'tokens', `artifacts?policyId=${id}&type=undefined`],
    );
    await registry.forkJoin(
      ...[
        'profiles/me',
        'tags/schemas/published',
        'policies/',
        'modules',
        'tools',
        'schemas/list/all',
        'projects/properties',
      ],
    );
    await registry.forkJoin('contracts?type=WIPE', 'contracts/retire', 'settings/environment', 'settings/about');
    const published = await registry.task(
      await registry.ask('PUT', `policies/push/${id}/publish`, { json: { policyVersion: '1.0.0' } }),
    );
    expect(published).toMatchObject({ policyId: id, isValid: true });

    const browsers = new Map([['owner', registry]]);
    const browserOf = async (as: string): Promise<Browser> => {
      const browser = browsers.get(as) ?? (await signedUp(as, 'USER'));
      if (!browsers.has(as)) {
        browsers.set(as, browser);
        await listOfPolicies(browser);
        await pageOf(browser, id);
      }
      return browser;
    };
    const ids = new Map<string, string>();
    const idOf = async (browser: Browser, tag: string): Promise<string> => {
      const policyId =
        ids.get(tag) ?? String((await browser.get(`policies/${id}/tag/${encodeURIComponent(tag)}`)).body.id);
      ids.set(tag, policyId);
      return policyId;
    };
    const web: Player = {
      read: async (as, tag) => {
        const browser = await browserOf(as);
        return (await browser.get(`policies/${id}/blocks/${await idOf(browser, tag)}`)).body as unknown;
      },
      // After each POST it waits to be told which blocks to read again.
      send: async (as, tag, json) => {
        const browser = await browserOf(as);
        const block = await idOf(browser, tag);
        browser.page.forget();
        const sent = await browser.ask('POST', `policies/${id}/blocks/${block}`, { json });
        expect(sent.status, `${as} ${tag}: ${sent.text}`).toBe(200);
        await browser.page.next('update-event', (data) => asList(data).includes(block));
        if (tag === 'choose_role') {
          const event = await browser.page.next('update-user-info-event');
          expect(event).toMatchObject({ policyId: id, userRole: (json as { role: string }).role });
          await browser.forkJoin(`policies/${id}/blocks/${block}`);
        }
        return sent.body as unknown;
      },
    };
    await pageOf(registry, id);
    await play(plot, web);
    await pageOf(registry, id);

    const grid = (await web.read('owner', plot.grid)) as { data: { hash: string }[] };
    const report = await idOf(registry, plot.report);
    const { body: parents } = await registry.get(`policies/${id}/blocks/${report}/parents`);
    expect(parents[0]).toBe(report);
    await web.send('owner', plot.report, { filterValue: grid.data[0]?.hash });
    const chain = await web.read('owner', plot.report);
    expect(chain).toMatchObject({ data: { vpDocument: { hash: grid.data[0]?.hash } } });
    expect(JSON.stringify(chain)).toContain(`"amount":"${plot.minted}"`);

    // A refusal is seen on the websocket only.
    const [, user] = [...browsers.values()];
    const button = await idOf(registry, plot.report);
    const refused = await user?.ask('POST', `policies/${id}/blocks/${button}`, { json: { filterValue: 'x' } });
    expect(refused).toMatchObject({ status: 403, body: { statusCode: 403 } });
    expect(await user?.page.next('error-event')).toMatchObject({
      blockType: 'reportBlock',
      message: refused?.body.message,
    });
  });
});
