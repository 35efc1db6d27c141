/** One window on the console, and what people do in it. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Caller } from '@blockwork/core';
import { watch, type Watch, type Windows } from './browser.js';
import type { ConsoleWorld } from './console-world.js';

export interface ConsolePage {
  readonly page: Page;
  readonly watched: Watch;
  /** Goes to a screen. */
  readonly open: (path: string) => Promise<void>;
  /** `lifetime` of the token: in seconds. */
  readonly signIn: (caller: Caller, options?: { readonly lifetime?: number }) => Promise<void>;
  /** Switches to somebody who has signed in before. */
  readonly actAs: (name: string) => Promise<void>;
}

/** A window of its own: nothing is shared with other windows. */
export async function openConsolePage(browser: Windows, world: ConsoleWorld): Promise<ConsolePage> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  return {
    page,
    watched: await watch(page),
    open: async (path) => {
      await page.goto(`${world.url}/console/#${path}`);
    },
    signIn: async (caller, options) => {
      const people = page.getByRole('button', { name: 'People' });
      const token = page.getByLabel('Bearer token');
      await people
        .or(token.filter({ visible: true }))
        .first()
        .waitFor();
      if (await people.isVisible()) await people.click();
      await token.fill(world.token(caller, options));
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      // The server is asked whom the token names; the form goes when it has answered.
      await token.filter({ visible: true }).waitFor({ state: 'detached' });
      await people.waitFor();
    },
    actAs: async (name) => {
      const option = page.getByRole('option', { name: new RegExp(`^${name} `) });
      await page.getByLabel('Acting as').selectOption((await option.getAttribute('value')) ?? '');
    },
  };
}

/** Waits until no part of the screen says any more that it is loading; several may do so at once. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect.poll(() => page.getByText('Loading …').count()).toBe(0);
}
