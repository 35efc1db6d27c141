/** A process of its own between a program and its database: each answer arrives a millisecond later, as from a machine nearby. */
import { createServer, connect } from 'node:net';

const [, , address] = process.argv;
const { hostname, port } = new URL(address);
const milliseconds = 1;

const server = createServer((client) => {
  const database = connect(Number(port || 5432), hostname);
  for (const socket of [client, database]) socket.setNoDelay(true).on('error', () => socket.destroy());
  client.pipe(database);
  database.on('data', (bytes) => setTimeout(() => client.write(bytes), milliseconds));
  database.on('close', () => client.destroy());
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
