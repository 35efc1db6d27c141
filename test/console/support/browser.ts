/** A real browser for journeys: the system's Chromium. Without one, journeys are skipped and say so. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { addFailureNote } from '../../support/failure-notes.js';

/** The browser's program: from `CHROMIUM_PATH`, else where Debian has it. */
const candidates = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
export const chromiumPath = candidates.find((path) => path !== undefined && existsSync(path));

/**
 * Pages of the browser's own that nobody looks at, in each of its windows, and processes kept for pages that never come: more than half of
 * the processor time of a window.
 */
const unused = ['WebUIOmniboxAimPopup', 'WebUIOmniboxPopup', 'SpareRendererForSitePerProcess'];

/** What Playwright itself disables: of two lists, the browser reads the last one. */
const disabledByPlaywright = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...[
    'AvoidCorsURLLoaderRestartOnRedirect',
    'TcpPortRandomizationWin',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
  ],
  ...['AimEnabled', 'PreconnectToSearch'],
];

/** Without the first four, Chromium asks hosts of its own at every start. */
const quiet = [
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'],
  `--disable-features=${[...disabledByPlaywright, ...unused].join(',')}`,
];

/** The windows of one test file. */
export interface Windows {
  /** A window that shares nothing with others, as if it were in a browser of its own. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Closes all of them. */
  close(): Promise<void>;
}

/** Of all files that a worker runs, one after the other: a start takes a second of a processor. It ends with the worker. */
let running: Promise<Browser> | undefined;

export async function openBrowser(): Promise<Windows> {
  let browser = await (running ??= startBrowser());
  // A file whose tests brought it down fails; the next one does not.
  if (!browser.isConnected()) browser = await (running = startBrowser());
  const contexts: BrowserContext[] = [];
  return {
    newContext: async (options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      return context;
    },
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
    },
  };
}

async function startBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: chromiumPath ?? '',
    args: isRoot ? ['--no-sandbox', ...quiet] : quiet,
    // For a browser that never comes; a busy machine is only slow.
    timeout: 120_000,
  });
}

/** What went wrong in a page, and where it sent requests. */
export interface Watch {
  readonly problems: string[];
  readonly hosts: Set<string>;
}

/**
 * The most milliseconds by which each answer of the interface is late, at random; none by default. It shows what a journey takes
 * for granted: that answers come at once, or in the order of their questions.
 */
const latest = Number(process.env['BLOCKWORK_LATE_ANSWERS'] ?? 0);
/** How many times slower the browser draws and runs scripts. */
const slowness = Number(process.env['BLOCKWORK_SLOW_BROWSER'] ?? 1);

async function slowDown(page: Page): Promise<void> {
  if (slowness > 1) {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowness });
  }
  if (latest === 0) return;
  await page.route('**/api/v1/**', async (route) => {
    await sleep(Math.random() * latest);
    // The page may have gone elsewhere.
    await route.continue().catch(() => undefined);
  });
}

/** For the error of a journey: where the page is, and what people read there. */
async function whatIsShown(page: Page): Promise<string> {
  const body = await page.locator('body').ariaSnapshot({ timeout: 5000 });
  return `The page ${page.url()} shows:\n${body}`;
}

export async function watch(page: Page): Promise<Watch> {
  const problems: string[] = [];
  const hosts = new Set<string>();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // A refusal of the server is logged by the browser as well; the journeys look at those themselves.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      problems.push(message.text());
  });
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  page.setDefaultTimeout(120_000);
  const forget = addFailureNote(async () => whatIsShown(page));
  page.on('close', forget);
  await slowDown(page);
  return { problems, hosts };
}
