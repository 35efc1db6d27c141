/** Pictures of the screens for the documentation, in both colour schemes: written into the folder `BLOCKWORK_PICTURES`, where it is set. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = process.env['BLOCKWORK_PICTURES'];

/** Of a hundred: text still looks sharp. */
const QUALITY = 70;

export async function takePicture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  const session = await page.context().newCDPSession(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))');
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    await writeFile(join(folder, `console-${name}-${colorScheme}.webp`), Buffer.from(data, 'base64'));
  }
  await session.detach();
}
