/** The files of a folder, by their paths below it. Only those that were there at the start are ever read. */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const ENTRY = 'index.html';

/** Whether the folder has a page to begin with. */
export const hasEntry = (folder: string): boolean => existsSync(join(folder, ENTRY));

/** From the path below the folder, with `/` between its parts, to the file. */
export const filesBelow = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path).split(sep).join('/'), path]),
  );

/** A policy that allows no inline code and nothing from elsewhere, but what is named. */
export const strictPolicy = ({
  scripts = [],
  connections = [],
}: {
  readonly scripts?: readonly string[];
  readonly connections?: readonly string[];
}): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...connections].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The headers of a file of a page. */
export const fileHeaders = (type: string, policy: string, caching: string): Readonly<Record<string, string>> => ({
  'Content-Type': type,
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': caching,
});
