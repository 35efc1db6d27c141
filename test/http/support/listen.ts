/** A server of Node on a free port. */
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A listener that rejects fails the test run, since nothing handles the rejection. */
export async function listen(
  listener: (...request: Parameters<RequestListener>) => unknown,
): Promise<{ url: string; close: () => Promise<void> }> {
  // Without a limit on idle connections: on a busy machine, one that is still sending a long body is taken for idle.
  const server = createServer({ keepAliveTimeout: 0 }, (req, res) => void listener(req, res)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
