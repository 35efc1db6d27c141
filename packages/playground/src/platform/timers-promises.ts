/** `node:timers/promises` for a page: the next turn of the event loop, without the delay that `setTimeout` has. */

const callbacks: (() => void)[] = [];
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => callbacks.shift()?.();
// In Node.js, where tests run this, a port keeps the process alive.
(port1 as { unref?: () => void }).unref?.();

export const setImmediate = (): Promise<void> =>
  new Promise((resolve) => {
    callbacks.push(resolve);
    port2.postMessage(null);
  });
