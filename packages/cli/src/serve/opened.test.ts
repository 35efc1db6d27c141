import { expect, it } from 'vitest';
import { Opened } from './server.js';

it('closes each once, the last one first, also when closing one fails; tells the first failure', async () => {
  const opened = new Opened();
  const closed: string[] = [];
  for (const name of ['link', 'store', 'engine', 'server']) {
    opened.add(async () => {
      closed.push(name);
      if (name === 'engine' || name === 'store') throw new Error(`the ${name} is stuck`);
    });
  }
  await expect(opened.close()).rejects.toThrow('the engine is stuck');
  await expect(opened.close()).rejects.toThrow('the engine is stuck');
  expect(closed).toEqual(['server', 'engine', 'store', 'link']);
});
