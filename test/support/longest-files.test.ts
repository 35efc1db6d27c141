import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { longest } from './longest-files.js';

it('names files that there are, each once', () => {
  const missing = longest.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)));
  expect(missing).toEqual([]);
  expect(new Set(longest).size).toBe(longest.length);
});
