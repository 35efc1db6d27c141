/** The options that a block type does not work without, from what the engine reports of a block that has none. */

/** Either of two will do. */
const instead = { dataSource: 'dataType', tokenId: 'template', outputSchema: 'passOriginal' };

/** Resolves to names by block type: those that have to be written (`alone`), and pairs of which one has to be (`either`). */
export async function demandedOptions(types, readPolicy) {
  const demands = await Promise.all(types.map(async (type) => [type.type, await demandsOf(type, types, readPolicy)]));
  return Object.fromEntries(demands);
}

async function demandsOf({ type, options }, types, readPolicy) {
  const children = [{ blockType: type, tag: 'bare', permissions: ['ANY_ROLE'], defaultActive: true }];
  const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'], children };
  const { findings } = await readPolicy({ name: 'Bare', config }, { blocks: types });
  const members = options?._zod.def.shape ?? {};
  const names = findings
    .filter(({ severity, code }) => severity === 'error' && code === 'OPTIONS_INVALID')
    .map(({ path }) => path.replace('/children/0/', ''))
    .filter((name) => Object.hasOwn(members, name));
  const isAlone = (name) => !Object.hasOwn(members, instead[name] ?? '');
  return {
    alone: names.filter(isAlone),
    either: names.filter((name) => !isAlone(name)).map((name) => [name, instead[name]]),
  };
}
