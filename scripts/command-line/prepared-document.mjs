/** The OpenAPI document of the contract, made while the command line is bundled, as the module that gives it out. */
import { join } from 'node:path';
import { root } from '../run.mjs';

/** Stands for the prefix of the routes. */
const PREFIX = '/{prefix}';

/** Resolves to the code of a module like `packages/cli/src/commands/contract-document.ts`. */
export async function preparedDocument(contract) {
  const { openApiDocument } = await loaded(contract);
  const document = JSON.stringify(openApiDocument({ prefix: PREFIX }));
  return `
    const prepared = ${JSON.stringify(document)};
    export function contractDocument(prefix) {
      const document = JSON.parse(prepared);
      const paths = {};
      for (const [path, operations] of Object.entries(document.paths)) {
        const renamed = path.startsWith('${PREFIX}') ? prefix + path.slice(${PREFIX.length}) : path;
        paths[renamed] = { ...paths[renamed], ...operations };
      }
      document.paths = paths;
      return document;
    }`;
}

/** The contract as it is in the sources: what is compiled may be older. */
async function loaded(contract) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({ input: contract, platform: 'node', tsconfig: join(root, 'tsconfig.lint.json') });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
}
