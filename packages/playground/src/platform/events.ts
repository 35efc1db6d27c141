/** `node:events` for a page. */

export const once = (target: EventTarget, type: string): Promise<unknown[]> =>
  new Promise((resolve) => {
    target.addEventListener(type, (event) => resolve([event]), { once: true });
  });

/** Browsers do not warn of many listeners. */
export const setMaxListeners = (): void => undefined;
