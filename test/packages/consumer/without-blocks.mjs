/** A policy bench where the optional peer @blockwork/blocks is not installed. Prints the error, and that block benches work. */
import { register } from 'node:module';

// Looks the package up from a folder without packages, so that Node itself reports it as missing.
const hook = `export const resolve = (name, context, next) =>
  next(name, name === '@blockwork/blocks' ? { ...context, parentURL: 'file:///nowhere/index.js' } : context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { paginationAddon } = await import('@blockwork/core/block');
const { blockBench, documents, gridWith, policyBench } = await import('@blockwork/testing');

const bench = blockBench(paginationAddon(), { parent: gridWith(documents(3)) });
console.log((await bench.as('Installer').read()).size);
await bench.close();

const policy = { name: 'Empty', config: { blockType: 'interfaceContainerBlock' } };
await policyBench(policy)
  .findings()
  .catch((error) => console.log(error.message));
