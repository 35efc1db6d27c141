/** Connections with an `Upgrade` header: handed to the layer, or refused. Nothing that they hold can end the process. */
import type { AttachedLayer } from '@blockwork/http';
import type { Logger } from '@blockwork/core';
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Without a layer, Node answers these requests as if they had no such header. */
export function passUpgrades(server: Server, layer: AttachedLayer | null, logger: Logger): void {
  if (layer === null) return;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The client may disconnect at any time.
    socket.on('error', () => socket.destroy());
    try {
      if (URL.canParse(request.url ?? '', 'http://localhost')) layer.upgrade(request, socket, head);
      else refuse(socket, 400);
    } catch (error) {
      logger.error('A request to upgrade a connection failed.', { error });
      refuse(socket, 500);
    }
  });
}

function refuse(socket: Duplex, status: number): void {
  // The client may keep its side open.
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}
