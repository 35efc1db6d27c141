/** `npm run simulate -- --seed N`: simulates what a seed has in store; see `docs/simulator.md`. */
import { rm } from 'node:fs/promises';
import { enginePlants, toleratedPlants } from '../../test/simulation/plants/engine-plants.mjs';
import { install } from '../install.mjs';
import { main, runNode } from '../run.mjs';
import { bundleSimulator } from './bundle.mjs';

await main(async (args) => {
  await install();
  // Faults in the ports are planted by the program itself.
  const at = args.findIndex(
    (arg, place) => args[place - 1] === '--plant' && Object.hasOwn({ ...enginePlants, ...toleratedPlants }, arg),
  );
  const file = await bundleSimulator(args[at]);
  try {
    return await runNode([file, ...args.filter((_, place) => at < 0 || (place !== at && place !== at - 1))]);
  } finally {
    await rm(file, { force: true });
  }
});
