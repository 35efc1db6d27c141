/** Serves the files of a folder as any server of static files does. */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

export interface SiteServer {
  readonly origin: string;
  /** What was asked for so far, such as `GET /index.html`. */
  readonly asked: string[];
  close(): void;
}

export async function serveSite(folder: string): Promise<SiteServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    asked.push(`${request.method ?? ''} ${pathname}`);
    const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
    createReadStream(file)
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
