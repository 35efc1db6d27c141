import { describe, expect, it } from 'vitest';
import { openNatsLink } from '../src/index.js';
import type { NatsLinkOptions } from '../src/index.js';
import { resolveOptions } from '../src/options.js';

describe('an option of the link that cannot be used', () => {
  it.each<[keyof NatsLinkOptions, unknown[]]>([
    ['servers', [null, 5, '', [], [''], ['a', 5]]],
    ['connection', [null, 'tls', []]],
    ['stream', [null, '', 'a.b', 'a b', 'x'.repeat(101)]],
    ['keepMs', [null, '5', -1, 0.5, 3_155_760_000_001]],
    ['keepBytes', [null, -1, 0.5]],
    ['replicas', [null, 0, 6, 1.5]],
    ['messageBytes', [null, 0, '1']],
    ['deadLetterBytes', [null, 0]],
    ['checkMs', [null, 0, 2 ** 31]],
    ['rememberKeysMs', [null, 99, Number.NaN]],
    ['publishMs', [null, 0, 2 ** 31]],
    ['inFlight', [null, 0, 100_001, Infinity]],
    ['retryMs', [null, 50, [50], [0, 50], [50, 40], [50, 2 ** 31], [1, 2, 3], ['1', '2']]],
    ['logger', [null, 'stderr', { warn: () => undefined }]],
  ])('is refused before connecting, naming %s', async (option, values) => {
    for (const value of values) {
      const refused = expect(openNatsLink({ [option]: value }), JSON.stringify(value)).rejects;
      await refused.toMatchObject({ code: 'OPTION_INVALID', facts: { option } });
    }
  });

  it('is refused if its name is unknown, with a suggestion', async () => {
    await expect(openNatsLink({ server: 'nats.example' } as never)).rejects.toThrow(
      'The option server cannot be used: there is no such option (did you mean "servers"?).',
    );
  });

  it.each([null, 'nats.example:4222', []])('is refused if the options are not an object: %j', async (options) => {
    await expect(openNatsLink(options as never)).rejects.toMatchObject({ facts: { option: 'options' } });
  });
});

it('options at their limits are accepted, and undefined means the default', () => {
  expect(
    resolveOptions({
      servers: ['a:1', 'b:2'],
      stream: 'x'.repeat(100),
      keepMs: 0,
      rememberKeysMs: 100,
      publishMs: 1,
      inFlight: 1,
      retryMs: [1, 1],
    }),
  ).toMatchObject({ servers: ['a:1', 'b:2'], keepMs: 0, rememberKeysMs: 100, retryMs: [1, 1] });
  expect(resolveOptions({ servers: undefined, retryMs: undefined } as never)).toMatchObject({
    servers: ['127.0.0.1:4222'],
    connection: {},
    stream: 'blockwork',
    keepMs: 2_592_000_000,
    keepBytes: 0,
    replicas: 1,
    messageBytes: 1_048_576,
    deadLetterBytes: 16_777_216,
    checkMs: 30_000,
    rememberKeysMs: 600_000,
    publishMs: 5000,
    inFlight: 64,
    retryMs: [50, 10_000],
  });
});
