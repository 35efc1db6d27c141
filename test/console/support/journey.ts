/** The start of a journey: a server of its own, a browser, and a window in which people have signed in. */
import type { Caller } from '@blockwork/core';
import type { Page } from 'playwright-core';
import { openBrowser, type Windows } from './browser.js';
import { openConsolePage, type ConsolePage } from './console-page.js';
import { alice, openConsoleWorld, owner, type ConsoleWorld, type WorldOptions } from './console-world.js';

export interface Journey {
  readonly world: ConsoleWorld;
  readonly browser: Windows;
  readonly window: ConsolePage;
  readonly page: Page;
  close(): Promise<void>;
}

export interface JourneyStart extends WorldOptions {
  /** The screen of the first window, from the id of the world's policy; none is opened by default. */
  readonly at?: (policyId: string) => string;
  /** Who signs in there, one after the other; the window then acts as the last of them. */
  readonly people?: readonly Caller[];
  /** What has happened in the world before the window is opened. */
  readonly before?: (world: ConsoleWorld) => Promise<unknown>;
}

/** A start that fails leaves nothing running. */
export async function openJourney({ at, people = [], before, ...options }: JourneyStart = {}): Promise<Journey> {
  const world = await openConsoleWorld(options);
  let browser: Windows | undefined;
  const close = async (): Promise<void> => {
    await browser?.close();
    await world.close();
  };
  try {
    await before?.(world);
    browser = await openBrowser();
    const window = await openConsolePage(browser, world);
    if (at !== undefined) await window.open(at(world.policyId));
    for (const person of people) await window.signIn(person);
    return { world, browser, window, page: window.page, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Alice takes the role of a producer. */
export const becomeProducer = async ({ engine, policyId }: ConsoleWorld): Promise<unknown> =>
  engine.sendToBlock(alice, policyId, { tag: 'choose_role' }, { role: 'Producer' });

/** Alice, a producer by now, sends a report. */
export const sendReport = async ({ engine, policyId }: ConsoleWorld, site = 'Roof'): Promise<unknown> =>
  engine.sendToBlock(alice, policyId, { tag: 'report' }, { document: { site, kilowattHours: 12.5 }, ref: null });

/** A report of Alice that waits for the owner's decision. */
export async function reportOfAlice(world: ConsoleWorld): Promise<void> {
  await becomeProducer(world);
  await sendReport(world);
}

/** The owner approves the report, and tokens are minted. */
export async function approvedReport(world: ConsoleWorld): Promise<void> {
  await reportOfAlice(world);
  const { engine, policyId } = world;
  const grid = await engine.readBlock<{ data: object[] }>(owner, policyId, { tag: 'all_reports' });
  const approval = { document: { ...grid.data[0] }, tag: 'Approve' };
  await engine.sendToBlock(owner, policyId, { tag: 'decide' }, approval);
}
