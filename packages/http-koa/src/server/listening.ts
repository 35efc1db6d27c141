/** The listening address of a server. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OptionShape } from '@blockwork/core/adapter';
import { z } from 'zod';

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 3000; 0 picks a free one. */
  readonly port?: number;
}

const portRange = 'must be a whole number from 0 to 65535';
export const listenShape: OptionShape<ListenOptions> = {
  host: z.string().min(1, 'must not be empty'),
  port: z.int(portRange).min(0, portRange).max(65_535, portRange),
};

export function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** No client can connect to a wildcard address, so `localhost` stands for it. */
export function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}
