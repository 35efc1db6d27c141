/** The studio in a real browser, on a draft of 2,000 blocks: until it can be edited, scrolling, and from a key to its finding. */
import { createSecretKey } from 'node:crypto';
import { standardBlocks } from '@blockwork/blocks';
import { consoleAssets } from '@blockwork/console';
import { createEngine, silentLogger } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { block } from './support/block.mjs';
import { inPage, openBrowser } from './support/browser.mjs';
import { median, note, report } from './support/measure.mjs';
import { registry } from './support/policy.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 11);
const secret = createSecretKey(Buffer.from('a secret of the benchmark, longer than 256 bits, known to everybody'));
const link = (source, target) => ({ source, output: 'RunEvent', target, input: 'RunEvent', actor: '' });

const engine = createEngine({ blocks: standardBlocks(), logger: silentLogger });
const notes = (section) =>
  Array.from({ length: 9 }, (_, at) =>
    block('informationBlock', `note_${section}_${at}`, {
      permissions: ['Reader'],
      events: at === 0 ? [link(`note_${section}_0`, `note_${section}_8`)] : [],
    }),
  );
const mint = block('mintDocumentBlock', 'mint', {
  permissions: ['Reader'],
  tokenId: '0.0.1',
  rule: 'amount',
  accountType: 'default',
});
const sections = Array.from({ length: 199 }, (_, at) =>
  block('interfaceContainerBlock', `section_${at}`, { permissions: ['Reader'], children: notes(at) }),
);
const { policy } = await engine.importPolicy(registry, {
  name: 'Large',
  policyRoles: ['Reader'],
  tokens: [{ tokenId: '0.0.1', tokenName: 'Credit', tokenSymbol: 'CR', tokenType: 'fungible', decimals: 2 }],
  config: block('interfaceContainerBlock', 'root', { permissions: ['ANY_ROLE'], children: [mint, ...sections] }),
});
const server = createPolicyServer(engine, { auth: { secret }, console: { assets: consoleAssets } });
const { url } = await server.listen({ port: 0 });
const token = signDevelopmentToken(secret, registry);
const browser = await openBrowser();

const inStudio = {
  /** Begins before the page does: notes when blocks are there, and what keeps the page from answering after that. */
  noteTree: `(() => {
    window.longTasks = [];
    new MutationObserver((_, observer) => {
      if (document.querySelector('.studio [role=treeitem]') === null) return;
      observer.disconnect();
      requestAnimationFrame(() => (window.contentShownAt = performance.now()));
    }).observe(document, { childList: true, subtree: true });
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' });
  })()`,
  /** Milliseconds from an act until the findings are others. */
  timeToFinding: (act) => `new Promise((resolve) => {
    const counts = document.querySelector('.status .bar button');
    const before = counts.textContent;
    const began = performance.now();
    new MutationObserver((_, observer) => {
      if (counts.textContent === before) return;
      observer.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - began));
    }).observe(counts, { childList: true, subtree: true, characterData: true });
    ${act}
  })`,
  /** A key in the rule of the mint: one that makes a mistake, or takes it back. */
  key: `
    const [rule] = [...document.querySelectorAll('label')].filter((label) => label.textContent === 'Rule');
    const field = document.getElementById(rule.htmlFor);
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    set.call(field, field.value === 'amount' ? 'amount *' : 'amount');
    field.dispatchEvent(new Event('input', { bubbles: true }));`,
  tick: `[...document.querySelectorAll('.permissions label')].find((label) => label.textContent.includes('Reader')).click();`,
};

const open = async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } });
  const person = { token, ...registry, name: 'registry', expires: null, isFromProvider: false };
  const people = JSON.stringify({ all: [person], active: registry.did });
  await context.addInitScript(`sessionStorage.setItem('blockwork-people', ${JSON.stringify(people)})`);
  await context.addInitScript(inStudio.noteTree);
  const page = await context.newPage();
  await page.goto(`${url}/console/#/policies/${policy.id}/edit`);
  return page;
};
const spread = (values) => ({ median: median(values), low: Math.min(...values), high: Math.max(...values) });

const opened = [];
for (let round = 0; round < rounds; round += 1) {
  const page = await open();
  opened.push(await page.evaluate(inPage.contentShownAt));
  await page.context().close();
}
report('the studio is there, nothing cached, in ms', spread(opened), '< 1500', (value) => value < 1500);

const page = await open();
await page.getByRole('treeitem', { name: /mint/ }).click();
await page.getByLabel('Rule').waitFor();
await page.evaluate('window.longTasks.length = 0');
const frames = (await page.evaluate(inPage.framesOfScrolling)).sort((a, b) => a - b);
const at = (share) => frames[Math.min(frames.length - 1, Math.floor(frames.length * share))];
const inFrames = (share) => ({ median: at(share), low: frames[0], high: frames.at(-1) });
note('frames of scrolling through 2,000 blocks', frames.length);
report('a frame of scrolling, in ms', inFrames(0.5), '< 16', (value) => value < 16);
report('its 95th percentile', inFrames(0.95), '< 16', (value) => value < 16);
note('tasks of more than 50 ms while scrolling', await page.evaluate('window.longTasks.length'));

await page.evaluate('window.longTasks.length = 0');
const timesOf = async (act) => {
  const times = [];
  for (let round = 0; round < rounds * 2; round += 1) times.push(await page.evaluate(inStudio.timeToFinding(act)));
  return times;
};
report('from a key to its finding, in ms', spread(await timesOf(inStudio.key)), '< 100', (value) => value < 100);
await page.getByRole('treeitem', { name: /note_0_3/ }).click();
await page.getByRole('heading', { name: 'note_0_3' }).waitFor();
const ticks = await timesOf(inStudio.tick);
note('from a tick that is saved to its finding, in ms', `${Math.round(median(ticks))}`);
const tasks = await page.evaluate('window.longTasks');
note('tasks of more than 50 ms meanwhile, and the longest', `${tasks.length}, ${Math.round(Math.max(0, ...tasks))}`);

await browser.close();
await server.close();
await engine.close();
