/** Getting around without a mouse. */
import type { Page } from 'playwright-core';

/** More than any screen has between two things. */
const MOST = 80;

/** Presses Tab until what has the focus is called so; fails where no number of Tabs leads there. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const met: string[] = [];
  for (let pressed = 0; pressed < MOST; pressed += 1) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate<string>(nameOfFocused);
    if (typeof name === 'string' ? label === name : name.test(label)) return;
    met.push(label);
  }
  throw new Error(`Tab leads to none called ${String(name)}, but to: ${met.join(', ')}`);
}

/** Runs in the page: the name of what has the focus, as far as these screens give names. */
const nameOfFocused = `(() => {
  const element = document.activeElement;
  const label = element?.labels?.[0];
  // Around a field, the label has a part that names it; beside a field, all of it does.
  const named = (label?.contains(element) ? label.querySelector('span') : null) ?? label ?? element;
  return (element?.getAttribute('aria-label') ?? named?.textContent ?? '').trim();
})()`;
