/** The console in a real browser: its first content, scrolling through a tree of 1,000 blocks, and paging through a grid of a million documents. */
import { createSecretKey } from 'node:crypto';
import { consoleAssets } from '@blockwork/console';
import { createEngine, silentLogger } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { inPage, openBrowser } from './support/browser.mjs';
import { median, note, number, report } from './support/measure.mjs';
import { addReadings, gridPolicy, registry } from './support/policy.mjs';

const documents = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 11);
const secret = createSecretKey(Buffer.from('a secret of the benchmark, longer than 256 bits, known to everybody'));

const engine = createEngine({ logger: silentLogger });
const grid = structuredClone(gridPolicy);
grid.config.children[0].children[0].uiMetaData.fields = ['createDate', 'document.credentialSubject.0.site'].map(
  (name) => ({ name, title: name, type: 'text' }),
);
const { policy } = await engine.importPolicy(registry, grid);
await engine.lifecycle.dryRun(registry, policy.id);
await addReadings(engine, policy.id, documents);
const leaf = (at) => ({ blockType: 'informationBlock', tag: `note_${at}`, permissions: ['ANY_ROLE'] });
const section = (at) => ({
  ...{ blockType: 'interfaceContainerBlock', tag: `section_${at}`, permissions: ['ANY_ROLE'] },
  children: Array.from({ length: 9 }, (_, child) => leaf(at * 10 + child)),
});
const forest = { ...leaf(0), blockType: 'interfaceContainerBlock', tag: 'root' };
const config = { ...forest, children: Array.from({ length: 100 }, (_, at) => section(at)) };
const { policy: large } = await engine.importPolicy(registry, { name: 'Large', config });

const server = createPolicyServer(engine, { auth: { secret }, console: { assets: consoleAssets } });
const { url } = await server.listen({ port: 0 });
const token = signDevelopmentToken(secret, registry);
const browser = await openBrowser();

/** A new window, without anything cached, at a screen; the registry is signed in. */
const open = async (path) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const person = { token, ...registry, name: 'registry', expires: null, isFromProvider: false };
  const people = JSON.stringify({ all: [person], active: registry.did });
  await context.addInitScript(`sessionStorage.setItem('blockwork-people', ${JSON.stringify(people)})`);
  await context.addInitScript(inPage.noteContent);
  const page = await context.newPage();
  await page.goto(`${url}/console/#${path}`);
  return page;
};
const spread = (values) => ({ median: median(values), low: Math.min(...values), high: Math.max(...values) });

const [firstPaint, firstContent] = [[], []];
for (let round = 0; round < rounds; round += 1) {
  const page = await open('/policies');
  firstContent.push(await page.evaluate(inPage.contentShownAt));
  firstPaint.push(await page.evaluate(inPage.firstPaint));
  await page.context().close();
}
report('first paint, nothing cached, in ms', spread(firstPaint), '< 300', (value) => value < 300);
report('the list of policies is there, nothing cached, in ms', spread(firstContent), '< 300', (value) => value < 300);

const tree = await open(`/policies/${large.id}/live`);
await tree.getByRole('treeitem').first().waitFor();
const frames = await tree.evaluate(inPage.framesOfScrolling);
frames.sort((a, b) => a - b);
note('frames of scrolling through 1,000 blocks', frames.length);
const at = (share) => frames[Math.min(frames.length - 1, Math.floor(frames.length * share))];
const inFrames = (share) => ({ median: at(share), low: frames[0], high: frames.at(-1) });
report('a frame of scrolling through 1,000 blocks, in ms', inFrames(0.5), '< 16', (value) => value < 16);
report('its 95th percentile', inFrames(0.95), '< 16', (value) => value < 16);
await tree.context().close();

const page = await open(`/policies/${policy.id}/page`);
await page.getByRole('table').waitFor();
note('documents in the grid', number(documents));
const pages = [];
for (let round = 0; round < rounds * 2; round += 1) pages.push(await page.evaluate(inPage.timeOfNextPage));
report('the next page of the grid, from the click to the rows, in ms', spread(pages), '< 100', (value) => value < 100);

await browser.close();
await server.close();
await engine.close();
