import { linkConformance } from '@blockwork/testing/conformance';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'vitest';
import { natsServer, removeStream } from '../../../test/support/nats-server.js';
import { openNatsLink } from '../src/index.js';

const server = await natsServer();

if ('missing' in server) {
  describe('NatsLink as a link', () => {
    it.skip(`(skipped: ${server.missing})`, () => undefined);
  });
} else {
  const { address } = server;
  linkConformance('NatsLink', {
    open: () => {
      const stream = `conformance-${randomUUID()}`;
      return Promise.resolve({
        connect: () => openNatsLink({ servers: address, stream, retryMs: [1, 20], checkMs: 100 }),
        wipe: () => removeStream(address, stream),
        remove: () => removeStream(address, stream),
      });
    },
  });
}
