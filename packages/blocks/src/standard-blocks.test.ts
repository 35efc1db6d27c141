import { describe, expect, it } from 'vitest';
import { standardBlocks } from './standard-blocks.js';

describe('the options of the standard blocks', () => {
  it.each<[object, string]>([
    [{ httpRequests: {} }, 'did you mean "httpRequest"?'],
    [{ httpRequest: null }, 'standard blocks: httpRequest cannot be used: it must be an object'],
    [{ httpRequest: { maxBytes: 0 } }, 'httpRequest.maxBytes'],
    [{ scripts: { memry: 1 } }, 'scripts.memry cannot be used: there is no such option (did you mean "memory"?)'],
    [{ formulas: { inlineStep: 1 } }, 'did you mean "inlineSteps"?'],
    [{ threads: 2 }, 'standard blocks: threads cannot be used: it must be a ThreadPool'],
    [{ scripts: { milliseconds: '5' } }, 'scripts.milliseconds'],
  ])('are refused by name: %j', (options, message) => {
    expect(() => standardBlocks(options as never)).toThrow(message);
  });
});
