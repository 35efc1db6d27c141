/** The websocket of a page, with what came over it. */
import { WebSocket } from 'ws';

interface Message {
  readonly type: string;
  readonly data?: unknown;
}

export interface Page {
  /** The data of the next message of a type, or of one that came and was not taken yet. */
  next(type: string, matches?: (data: unknown) => boolean): Promise<unknown>;
  send(message: Message | string): void;
  /** Of what came so far. */
  forget(): void;
  close(): void;
  /** The code that the server closes with. */
  readonly closed: Promise<number>;
}

export async function openPage(url: string, query = ''): Promise<Page> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/${query}`);
  const came: Message[] = [];
  let look = (): void => undefined;
  socket.on('message', (data: Buffer) => {
    const text = data.toString('utf8');
    came.push(text === 'pong' ? { type: text } : (JSON.parse(text) as Message));
    look();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  return {
    next: (type, matches = () => true) =>
      new Promise((resolve) => {
        look = () => {
          const index = came.findIndex((message) => message.type === type && matches(message.data));
          const [message] = index === -1 ? [] : came.splice(index, 1);
          if (message !== undefined) resolve(message.data);
        };
        look();
      }),
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    forget: () => void came.splice(0),
    close: () => socket.terminate(),
    closed,
  };
}
