/** The generated pages, as text before Prettier has seen it. */
import { blockPages } from './block-pages.mjs';
import { commandTable } from './command-table.mjs';
import { demandedOptions } from './demanded-options.mjs';
import { errorsOfMethods } from './errors-of-methods.mjs';
import { eventTables } from './event-tables.mjs';
import { optionComments } from './option-comments.mjs';
import { optionTexts } from './option-texts.mjs';
import { policySchema } from './policy-schema.mjs';
import { policyTypes } from './policy-types.mjs';

/**
 * `read` gives the present text of a file, for pages that are generated in part. `code` is what they are generated from: the
 * compiled packages, or in tests their sources.
 */
export async function referencePages(
  read,
  { commands, blockTypes, methodErrors, policyEvent, toJsonSchema, readPolicy },
) {
  const types = [...blockTypes].sort((a, b) => (a.type < b.type ? -1 : 1));
  const comments = await optionComments();
  const demands = await demandedOptions(types, readPolicy);
  const schema = policySchema(types, demands, comments, toJsonSchema);
  return [
    { file: 'docs/cli.md', text: replaced(await read('docs/cli.md'), 'commands', commandTable(commands)) },
    {
      file: 'docs/live-events.md',
      text: replaced(await read('docs/live-events.md'), 'events', eventTables(policyEvent, toJsonSchema)),
    },
    { file: 'docs/errors.md', text: replaced(await read('docs/errors.md'), 'methods', errorsOfMethods(methodErrors)) },
    ...blockPages(types, comments, toJsonSchema),
    { file: 'docs/policy.schema.json', text: JSON.stringify(schema) },
    {
      file: 'packages/core/src/blocks/option-texts.ts',
      text: optionTexts(types.filter(isOfCore), comments, toJsonSchema),
    },
    {
      file: 'packages/blocks/src/definition/option-texts.ts',
      text: optionTexts(
        types.filter((type) => !isOfCore(type)),
        comments,
        toJsonSchema,
      ),
    },
    { file: 'packages/blocks/src/definition/block-members.ts', text: policyTypes(schema) },
  ];
}

/** All block types, from the exports of the packages. */
export const allBlockTypes = (block, { standardBlocks }) => {
  const exported = Object.values(block).filter((each) => typeof each === 'object' && 'kind' in each && 'title' in each);
  const own = [...exported, block.paginationAddon()];
  for (const type of own) ofCore.add(type);
  return [...own, ...standardBlocks()];
};

/** Those that core brings. */
const ofCore = new WeakSet();
const isOfCore = (type) => ofCore.has(type);

/** A page with the part between two marks replaced. */
function replaced(page, mark, text) {
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`The page has no part between ${begin} and ${end}.`);
  return `${page.slice(0, before + begin.length)}\n\n${text}\n${page.slice(after)}`;
}
