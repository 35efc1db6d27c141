/** Nothing jumps: what is shown stays where it is while the rest of a screen is read, and when events come. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { alice, owner } from './support/console-world.js';
import { addFilledPolicy } from './support/filled-policy.js';
import { approvedReport, openJourney, sendReport, type Journey } from './support/journey.js';
import { watchShifts, type ShiftWatch } from './support/layout-shifts.js';
import { isSoak, isThorough } from '../support/repetitions.js';

/** Of the metric, under which a page is called good with 0.1: a line of text that moves by one line in a large window. */
const NEARLY_NOTHING = 0.002;

const screensOf = (id: string, block: string, document: string, draft: string): readonly string[] => [
  '/policies',
  ...[
    'page',
    'page/beside',
    `page/beside/${block}`,
    'live',
    `live/${block}`,
    'picture',
    `picture/${block}`,
    'way/1',
  ].map((screen) => `/policies/${id}/${screen}`),
  ...['edit', 'schemas', 'changes', 'overview'].map((screen) => `/policies/${draft}/${screen}`),
  ...[
    'edit',
    'documents',
    `documents/${document}`,
    'tokens',
    'timers',
    'trial',
    'journal',
    'findings',
    'versions',
    'api',
  ].map((screen) => `/policies/${id}/${screen}`),
  '/requests',
  '/requests/refused',
  '/operator',
  '/operator?request=none',
];

const fewWindows = [
  { width: 360, next: 'first' },
  { width: 1280, next: 'last' },
] as const;

/** In a short run, each screen is tried in one of the windows. */
const screensIn = <Screen>(window: number, screens: readonly Screen[]): readonly Screen[] =>
  isThorough ? screens : screens.filter((_, at) => at % fewWindows.length === window);

/** A soak tries each width in each order. */
const windows = isSoak
  ? [360, 1280, 2560].flatMap((width) => (['first', 'last'] as const).map((next) => ({ width, next })))
  : fewWindows;

describe.skipIf(chromiumPath === undefined).each(windows.map((window, at) => ({ ...window, at })))(
  'In a window of $width pixels, with the $next request answered first',
  ({ width, next, at }) => {
    let journey: Journey;
    let watch: ShiftWatch;
    let screens: readonly string[];
    let block: string;

    beforeAll(async () => {
      let gridScreen = '';
      let draft = '';
      journey = await openJourney({
        at: () => '/policies',
        people: [owner],
        before: async (world) => {
          const { engine, policyId } = world;
          await approvedReport(world);
          await sendReport(world, 'Barn');
          await sendReport(world, 'Shed');
          const filled = await addFilledPolicy(world, 30);
          const uuid = async (tag: string): Promise<string> => (await engine.findBlock(owner, filled, tag)).uuid;
          gridScreen = `/policies/${filled}/page?${await uuid('root')}.tab=${await uuid('readings')}`;
          ({
            policy: { id: draft },
          } = await engine.editing.create(owner, { name: 'Draft' }));
          block = (await engine.findBlock(owner, policyId, 'all_reports')).uuid;
        },
      });
      const { engine, policyId } = journey.world;
      const grid = await engine.readBlock<{ data: { id: string }[] }>(owner, policyId, { tag: 'all_reports' });
      screens = [...screensOf(policyId, block, grid.data[0]?.id ?? '', draft), gridScreen];
      await journey.page.setViewportSize({ width, height: 800 });
      watch = await watchShifts(journey.page, next);
    });
    afterAll(async () => journey.close());

    it('every screen renders without layout shifts', async () => {
      const { page, window } = journey;
      const jumping: unknown[] = [];
      for (const screen of screensIn(at, screens)) {
        // The same page would keep what it has read.
        await page.goto('about:blank');
        await window.open(screen);
        await watch.settled();
        const { sum, moved } = await watch.take();
        if (sum > NEARLY_NOTHING) jumping.push({ screen, sum, moved });
      }
      expect(jumping).toEqual([]);
    });

    it('a selected tab keeps its width', async () => {
      const { page, window, world } = journey;
      const places: unknown[] = [];
      for (const tab of ['Tokens', 'Findings']) {
        await page.goto('about:blank');
        await window.open(`/policies/${world.policyId}/${tab.toLowerCase()}`);
        await watch.settled();
        const tabs = page.getByRole('navigation', { name: 'Sunlight' }).getByRole('link');
        await tabs
          .and(page.locator('[aria-current=page]'))
          .and(page.getByText(tab, { exact: true }))
          .waitFor();
        const boxes = await Promise.all((await tabs.all()).map((link) => link.boundingBox()));
        places.push(boxes.map((box) => box?.width));
      }
      expect(places[0]).toEqual(places[1]);
    });

    it.each(screensIn(at, ['live', 'picture', 'page', 'page/beside', 'documents']))(
      'an event causes no layout shift on %s',
      async (screen) => {
        const { page, window, world } = journey;
        const { engine, policyId } = world;
        await page.goto('about:blank');
        await window.open(`/policies/${policyId}/${screen}`);
        await watch.settled();
        await page.getByRole('status').getByText('Live', { exact: true }).waitFor({ state: 'attached' });
        await watch.take();
        const heard = page.waitForRequest((request) => request.url().includes('/api/v1/'));
        await engine.sendToBlock(
          alice,
          policyId,
          { tag: 'report' },
          { document: { site: 'Roof', kilowattHours: 1 }, ref: null },
        );
        await heard;
        await watch.settled();
        const { sum, moved } = await watch.take();
        expect(sum > NEARLY_NOTHING ? { sum, moved } : 'nothing').toBe('nothing');
      },
    );
  },
);
