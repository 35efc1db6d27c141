/** The hooks and the page of `@blockwork/react` in a browser, on a server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, silentLogger } from '@blockwork/core';
import { createPolicyHandler, nodeListener, signDevelopmentToken } from '@blockwork/http-fetch';
import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/run.mjs';
import { playgroundExamples } from '../../scripts/site/playground/examples.mjs';
import { chromiumPath, openBrowser, watch, type Windows } from '../console/support/browser.js';
import { expectNothingFromAxe } from '../console/support/axe.js';

const secret = Buffer.alloc(32, 7);
const registry = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };

interface Block {
  readonly tag?: string;
  readonly children?: Block[];
  uiMetaData?: object;
}

/** The tutorial's policy, with a grid of reports that is sorted, and filtered by their site. */
async function withSortedReports(): Promise<object> {
  const policy = JSON.parse((await playgroundExamples()).get('sunlight') ?? '') as { config: Block };
  const blocks = (block: Block): Block[] => [block, ...(block.children ?? []).flatMap(blocks)];
  const grid = blocks(policy.config).find(({ tag }) => tag === 'my_reports');
  const [source] = grid?.children ?? [];
  if (grid === undefined || source === undefined) throw new Error('The policy has no grid of reports.');
  const site = 'document.credentialSubject.0.site';
  grid.uiMetaData = { enableSorting: true, fields: [{ title: 'Site', name: site, type: 'text' }] };
  const filter = {
    blockType: 'filtersAddon',
    tag: 'by_site',
    permissions: ['Producer'],
    type: 'dropdown',
    canBeEmpty: true,
  };
  const options = {
    defaultActive: true,
    field: site,
    optionName: site,
    optionValue: site,
    uiMetaData: { content: 'Where' },
  };
  grid.children?.push({ ...filter, ...options, children: [{ ...source, tag: 'sites' }] });
  return { ...policy, id: 'sorted' };
}

async function pageScript(): Promise<string> {
  const bundle = await rolldown({
    input: `${root}/examples/react/src/page.tsx`,
    logLevel: 'silent',
    platform: 'browser',
    tsconfig: `${root}/tsconfig.lint.json`,
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

describe.skipIf(chromiumPath === undefined)('In React', () => {
  const engine = createEngine({ blocks: standardBlocks(), logger: silentLogger, drafts: 'shared' });
  const api = nodeListener(createPolicyHandler(engine, { auth: { secret }, logger: silentLogger }));
  let script = '';
  const server = createServer((request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/api/')) {
      void api(request, response);
      return;
    }
    response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html');
    response.setHeader(
      'content-security-policy',
      "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:",
    );
    const html =
      '<!doctype html><html lang="en"><title>Sunlight</title><link rel="icon" href="data:,"><body><main><h1>Sunlight</h1><div id="page"></div></main><script type="module" src="/page.js"></script>';
    response.end(url === '/page.js' ? script : html);
  });
  let windows: Windows;
  let policyId: string;
  beforeAll(async () => {
    [windows, script] = await Promise.all([openBrowser(), pageScript()]);
    const examples = await playgroundExamples();
    const { policy } = await engine.importPolicy(registry, JSON.parse(examples.get('sunlight') ?? ''));
    policyId = policy.id;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await windows.close();
    server.closeAllConnections();
    server.close();
    await engine.close();
  });
  const caller = (name: string) => ({ did: `did:example:${name}`, username: name, role: 'USER' });
  const openAs = async (name: string, view = '', policy = policyId) => {
    const tab = await (await windows.newContext()).newPage();
    const { problems } = await watch(tab);
    const token = signDevelopmentToken(secret, name === 'registry' ? registry : caller(name));
    const { port } = server.address() as AddressInfo;
    await tab.goto(`http://127.0.0.1:${String(port)}/?${String(new URLSearchParams({ policy, token }))}${view}`);
    return { tab, problems };
  };
  const report = async (tab: Page, month: string): Promise<void> => {
    await tab.getByLabel('Site').fill('Roof');
    await tab.getByLabel('Kilowatt hours').fill('12.5');
    await tab.getByLabel('Month').fill(month);
    await tab.getByRole('button', { name: /Send|Report/ }).click();
  };

  it('one component takes the policy of the tutorial from its form to the mint, for everybody at the same time', async () => {
    const [alice, ines, owner] = await Promise.all(['alice', 'ines', 'registry'].map((name) => openAs(name)));
    if (alice === undefined || ines === undefined || owner === undefined) throw new Error('A page is missing.');
    await alice.tab.getByRole('button', { name: 'Producer' }).click();
    await ines.tab.getByRole('button', { name: 'Inspector' }).click();
    await report(alice.tab, 'October');
    await alice.tab
      .getByText(/must match/)
      .first()
      .waitFor();
    expect(await alice.tab.getByLabel('Month').getAttribute('aria-invalid')).toBe('true');
    await expectNothingFromAxe(alice.tab);
    await report(alice.tab, '2026-10');
    // The others see each step as it is committed, without a reload.
    await ines.tab.getByRole('button', { name: 'Confirm' }).click();
    await owner.tab.getByRole('button', { name: 'Approve' }).click();
    await alice.tab.getByRole('cell', { name: 'Approved' }).waitFor();
    const minted = await Promise.all(['0.0.5001', '0.0.5002'].map((id) => engine.tokens.get(registry, policyId, id)));
    expect(minted).toMatchObject([{ mintedAmount: '12.50' }, { mintedAmount: '1' }]);
    expect([...alice.problems, ...ines.problems, ...owner.problems]).toEqual([]);
  });

  it('a grid is sorted by its headers and filtered, by the server', async () => {
    const { policy } = await engine.importPolicy(registry, await withSortedReports());
    const { tab, problems } = await openAs('dora', '', policy.id);
    await tab.getByRole('button', { name: 'Producer' }).click();
    await tab.getByLabel('Kilowatt hours').waitFor();
    for (const site of ['Barn', 'Roof', 'Arch']) {
      const document = { site, kilowattHours: 12, month: '2026-10' };
      await engine.sendToBlock(caller('dora'), policy.id, { tag: 'report' }, { document, ref: null });
    }
    const sites = (): Promise<string[]> => tab.locator('tbody tr td:first-child').allTextContents();
    const shows = (...expected: string[]) => expect.poll(sites).toEqual(expected);
    const header = tab.getByRole('columnheader', { name: 'Site' });
    await header.getByRole('button').click();
    await shows('Arch', 'Barn', 'Roof');
    await header.getByRole('button').click();
    await shows('Roof', 'Barn', 'Arch');
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    await expectNothingFromAxe(tab);
    await tab.getByLabel('Where').selectOption('Barn');
    await shows('Barn');
    await tab.getByLabel('Where').selectOption('All');
    await shows('Roof', 'Barn', 'Arch');
    expect(problems).toEqual([]);
  });

  it('hooks without looks give fields with their problems, and pages of rows', async () => {
    const { tab, problems } = await openAs('ben', '&reports');
    await engine.sendToBlock(caller('ben'), policyId, { tag: 'choose_role' }, { role: 'Producer' });
    await tab.getByLabel('Site').waitFor();
    await report(tab, 'never');
    await tab
      .getByText(/pattern/)
      .first()
      .waitFor();
    for (const shown of ['1 reported', '2 reported']) {
      await report(tab, '2026-10');
      await tab.getByText(shown).waitFor();
      expect(await tab.getByLabel('Site').inputValue()).toBe('');
    }
    expect(problems).toEqual([]);
  });

  it('what is sent again because nobody answered takes effect once', async () => {
    const { tab } = await openAs('cleo', '&reports');
    await engine.sendToBlock(caller('cleo'), policyId, { tag: 'choose_role' }, { role: 'Producer' });
    await tab.getByLabel('Site').waitFor();
    await tab.route('**/api/**', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      return route.abort();
    });
    await report(tab, '2026-10');
    // The commit is there, and the form still has what was typed.
    await tab.getByText('1 reported').waitFor();
    await tab.getByRole('button', { name: /Report/, disabled: false }).waitFor();
    expect(await tab.getByLabel('Site').inputValue()).toBe('Roof');
    await tab.unroute('**/api/**');
    await tab.getByRole('button', { name: /Report/ }).click();
    await expect.poll(() => tab.getByLabel('Site').inputValue()).toBe('');
    expect(await tab.getByText(/reported/).textContent()).toBe('1 reported');
  });
});
