/** A real browser for journeys: the system's Chromium. Without one, journeys are skipped and say so. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

/** The browser's program: from `CHROMIUM_PATH`, else where Debian has it. */
const candidates = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
export const chromiumPath = candidates.find((path) => path !== undefined && existsSync(path));

/** Without these, Chromium asks hosts of its own at every start. */
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];

export async function openBrowser(): Promise<Browser> {
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

export function watch(page: Page): Watch {
  const problems: string[] = [];
  const hosts = new Set<string>();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // A refusal of the server is logged by the browser as well; the journeys look at those themselves.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      problems.push(message.text());
  });
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  page.setDefaultTimeout(60_000);
  return { problems, hosts };
}
