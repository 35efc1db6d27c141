/** The page about limits gives the defaults of the Koa server. */
import { expect, it } from 'vitest';
import { documentedLimit } from '../../../test/support/limits-page.js';
import { defaultConnections } from '../src/server/server.js';
import { defaultTimeouts } from '../src/server/timeouts.js';

const { drainTime: _none, ...timeouts } = defaultTimeouts;

it.each(Object.entries({ ...timeouts, connections: defaultConnections }))(
  'docs/limits.md gives the default of %s',
  (name, value) => {
    expect(documentedLimit(name)).toBe(value);
  },
);
