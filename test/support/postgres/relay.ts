/** A TCP relay whose target can be changed, and which can be cut: a load balancer, or the cable between two servers. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class Relay {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: number;
  #isOpen = true;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (client) => this.#relay(client));
  }

  /** `target`: a port of this machine. */
  static async open(target: number): Promise<Relay> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Relay(server, target);
  }

  set target(port: number) {
    this.#target = port;
    this.#cut();
  }

  set isOpen(isOpen: boolean) {
    this.#isOpen = isOpen;
    if (!isOpen) this.#cut();
  }

  async close(): Promise<void> {
    this.isOpen = false;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #relay(client: Socket): void {
    this.#keep(client);
    if (!this.#isOpen) {
      client.destroy();
      return;
    }
    const server = connect(this.#target, '127.0.0.1');
    this.#keep(server);
    client.pipe(server);
    server.pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
