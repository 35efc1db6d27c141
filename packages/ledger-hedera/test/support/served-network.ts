/** The fake network on loopback: a gRPC server for each node, and a REST server for the mirror. */
import { createServer } from 'node:http';
import { createServer as createHttp2Server, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { Lost, type FakeNetwork } from './fake-network.js';

export interface ServedNetwork {
  readonly nodes: readonly { readonly address: string; readonly account: string }[];
  readonly mirror: string;
  close(): Promise<void>;
}

const listening = async (server: Server | Http2Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

export async function serve(network: FakeNetwork): Promise<ServedNetwork> {
  const sessions = new Set<ServerHttp2Session>();
  const servers: (Server | Http2Server)[] = [];
  const nodes = [];
  for (const account of network.ledger.nodeAccounts) {
    const server = nodeServer(network, account, sessions);
    servers.push(server);
    nodes.push({ account, address: `127.0.0.1:${String(await listening(server))}` });
  }
  const mirror = createServer((request, reply) => {
    try {
      const { status, body } = network.mirror((request.url ?? '').replace('/api/v1/', ''));
      reply.writeHead(status, { 'content-type': 'application/json' }).end(body);
    } catch (error) {
      if (!(error instanceof Lost && error.isSilent)) request.socket.destroy();
    }
  });
  servers.push(mirror);
  return {
    nodes,
    mirror: `http://127.0.0.1:${String(await listening(mirror))}`,
    close: async () => {
      for (const session of sessions) session.destroy();
      mirror.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function nodeServer(network: FakeNetwork, account: string, sessions: Set<ServerHttp2Session>): Http2Server {
  const server = createHttp2Server();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      try {
        const answer = network.node(account, String(headers[':path']), Buffer.concat(chunks).subarray(5));
        const head = Buffer.alloc(5);
        head.writeUInt32BE(answer.length, 1);
        stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' }, { waitForTrailers: true });
        stream.on('wantTrailers', () => {
          stream.sendTrailers({ 'grpc-status': '0' });
        });
        stream.end(Buffer.concat([head, answer]));
      } catch (error) {
        if (!(error instanceof Lost && error.isSilent)) stream.session?.destroy();
      }
    });
  });
  return server;
}
