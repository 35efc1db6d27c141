/** Bundles the simulator from the sources of the packages, with a fault planted if one is named. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { enginePlants, toleratedPlants } from '../../test/simulation/plants/engine-plants.mjs';
import { root } from '../run.mjs';

const inEngine = { ...enginePlants, ...toleratedPlants };
const packages = join(root, 'packages');

/** As `vitest.config.ts` resolves them: packages from their sources. */
const sources = {
  name: 'sources',
  resolveId(id) {
    const [, name, entry = 'index'] = /^@blockwork\/([a-z-]+)(?:\/([a-z-]+))?$/.exec(id) ?? [];
    return name === undefined ? null : join(packages, name, 'src', `${entry}.ts`);
  },
};

function planted({ file, passage, instead }) {
  return {
    name: 'planted',
    transform(code, id) {
      if (id !== join(packages, file)) return null;
      if (code.split(passage).length !== 2) throw new Error(`${file} does not have the passage once: ${passage}`);
      return code.replace(passage, () => instead);
    },
  };
}

/** Resolves with the path of the program. `plant`: the name of an engine plant. */
export async function bundleSimulator(plant) {
  const folder = join(root, 'test', 'node_modules', '.cache');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `simulate-${plant ?? 'sound'}-${randomUUID()}.mjs`);
  const bundle = await rolldown({
    input: join(root, 'test', 'simulation', 'main.ts'),
    plugins: [sources, ...(plant === undefined ? [] : [planted(inEngine[plant])])],
    platform: 'node',
    external: [/^node:/],
    logLevel: 'silent',
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}
