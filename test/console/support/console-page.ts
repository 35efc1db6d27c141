/** One window on the console, and what people do in it. */
import type { Browser, Page } from 'playwright-core';
import type { Caller } from '@blockwork/core';
import { watch, type Watch } from './browser.js';
import type { ConsoleWorld } from './console-world.js';

export interface ConsolePage {
  readonly page: Page;
  readonly watched: Watch;
  /** Goes to a screen. */
  readonly open: (path: string) => Promise<void>;
  readonly signIn: (caller: Caller) => Promise<void>;
  /** Switches to somebody who has signed in before. */
  readonly actAs: (name: string) => Promise<void>;
}

/** A window of its own: nothing is shared with other windows. */
export async function openConsolePage(browser: Browser, world: ConsoleWorld): Promise<ConsolePage> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  return {
    page,
    watched: watch(page),
    open: async (path) => {
      await page.goto(`${world.url}/console/#${path}`);
    },
    signIn: async (caller) => {
      const people = page.getByRole('button', { name: 'People' });
      if (await people.isVisible()) await people.click();
      await page.getByLabel('Bearer token').fill(world.token(caller));
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await people.waitFor();
    },
    actAs: async (name) => {
      const option = page.getByRole('option', { name: new RegExp(`^${name} `) });
      await page.getByLabel('Acting as').selectOption((await option.getAttribute('value')) ?? '');
    },
  };
}
