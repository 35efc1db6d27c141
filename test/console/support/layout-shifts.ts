/** What moves in a page without anybody having done something: answers come one at a time, each after the page has drawn the one before. */
import type { Page, Route } from 'playwright-core';

/** Runs before the page does: keeps what the browser reports of elements that moved. */
const noteShifts = `(() => {
  const nameOf = (node) => {
    if (node === null) return 'what is gone';
    const element = node.nodeType === 3 ? node.parentElement : node;
    return element.tagName.toLowerCase() + '.' + (element.getAttribute('class') ?? '') + ' "' + element.textContent.slice(0, 30) + '"';
  };
  const shifts = [];
  const note = (entries) => {
    for (const { value, hadRecentInput, sources } of entries)
      if (!hadRecentInput)
        shifts.push({
          value,
          moved: sources.map(({ node, previousRect: from, currentRect: to }) =>
            nameOf(node) + ' ' + from.x + ',' + from.y + ' to ' + to.x + ',' + to.y),
        });
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  window.takeShifts = () => {
    note(observer.takeRecords());
    return shifts.splice(0);
  };
})()`;

const drawn = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';
const isLoading = `document.querySelector('.loading') !== null || document.querySelector('h1') === null`;

export interface Shifts {
  /** The sum of what the browser reports, as it is in the metric "cumulative layout shift". */
  readonly sum: number;
  readonly moved: readonly string[];
}

export interface ShiftWatch {
  /** Resolves when nothing of the screen is being read any more, and all of it is drawn. */
  settled(): Promise<void>;
  /** What moved since the last time, or since the page began. */
  take(): Promise<Shifts>;
}

/** From the next screen on. Of the answers that are waited for, the one that was asked for `first` or `last` comes next. */
export async function watchShifts(page: Page, next: 'first' | 'last'): Promise<ShiftWatch> {
  const routes: Route[] = [];
  await page.addInitScript(noteShifts);
  await page.route('**/api/v1/**', async (route) => {
    // A stream never ends, and the page does not wait for it.
    if (new URL(route.request().url()).pathname.endsWith('/events')) await route.continue();
    else routes.push(route);
  });
  const answerOne = async (): Promise<void> => {
    const route = next === 'first' ? routes.shift() : routes.pop();
    if (route === undefined) return;
    // The page may have gone elsewhere, or ask no more.
    await route
      .fetch()
      .then(async (response) => route.fulfill({ response }))
      .catch(() => undefined);
  };
  return {
    settled: async () => {
      while (routes.length > 0 || (await page.evaluate<boolean>(isLoading))) {
        await page.evaluate(drawn);
        await answerOne();
      }
      await page.evaluate(drawn);
    },
    take: async () => {
      const all = await page.evaluate<{ value: number; moved: string[] }[]>('window.takeShifts()');
      return { sum: all.reduce((sum, { value }) => sum + value, 0), moved: all.flatMap(({ moved }) => moved) };
    },
  };
}
