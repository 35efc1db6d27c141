/** The listening address of a server. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { optionTypes } from '@blockwork/core/adapter';
import type { OptionShape } from '@blockwork/core/adapter';

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 3000; 0 picks a free one. */
  readonly port?: number;
}

export const listenShape: OptionShape<ListenOptions> = {
  host: optionTypes.text,
  port: optionTypes.wholeNumber(0, 65_535),
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
