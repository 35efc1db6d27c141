import { describe, expect, it } from 'vitest';
import { standardBlocks } from './standard-blocks.js';

describe('the options of the standard blocks', () => {
  it.each<[object, string]>([
    [{ httpRequests: {} }, 'did you mean "httpRequest"?'],
    [{ httpRequest: null }, 'standard blocks: httpRequest cannot be used: it must be an object'],
    [{ httpRequest: { maxBytes: 0 } }, 'httpRequest.maxBytes'],
    [{ scripts: { threds: 1 } }, 'scripts.threds cannot be used: there is no such option (did you mean "threads"?)'],
    [{ scripts: { milliseconds: '5' } }, 'scripts.milliseconds'],
  ])('are refused by name: %j', (options, message) => {
    expect(() => standardBlocks(options as never)).toThrow(message);
  });
});
