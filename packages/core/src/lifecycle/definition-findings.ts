/** Schemas and tokens that blocks name and the policy does not have: what only its records can tell (reference, section 2.8). */
import type { BlockNode, Finding, PolicyTree } from '../policy/index.js';
import type { RecordReader } from '../transactions/index.js';

/** Options that name a schema by its IRI. */
const schemaOptions = ['schema', 'inputSchema', 'outputSchema', 'presetSchema'];

/** Without the schema, these only show nothing. */
const shows = new Set(['documentsSourceAddon', 'documentValidatorBlock']);

export async function definitionFindings(
  records: RecordReader,
  policyId: string,
  tree: PolicyTree,
): Promise<Finding[]> {
  const [schemas, tokens] = await Promise.all([
    missing(tree, schemaOptions, async (iri) => (await records.get('schema', policyId, iri)) !== undefined),
    missing(tree, ['tokenId'], async (id) => (await records.get('token', policyId, id)) !== undefined),
  ]);
  return [
    ...schemas.map((named) => finding(named, 'schema', shows.has(named.block.blockType) ? 'warning' : 'error')),
    ...tokens
      .filter(({ block }) => block.source['useTemplate'] !== true)
      .map((named) => finding(named, 'token', 'error')),
  ];
}

interface Named {
  readonly block: BlockNode;
  readonly option: string;
  readonly name: string;
}

/** Each name is looked up once, however many blocks have it. */
async function missing(
  { blocks }: PolicyTree,
  options: readonly string[],
  isThere: (name: string) => Promise<boolean>,
): Promise<Named[]> {
  const named = blocks
    .filter(({ definition }) => definition !== null)
    .flatMap((block) =>
      options.flatMap((option): Named[] => {
        const name = block.source[option];
        return typeof name === 'string' && name !== '' ? [{ block, option, name }] : [];
      }),
    );
  const found = new Map<string, boolean>();
  for (const { name } of named) if (!found.has(name)) found.set(name, await isThere(name));
  return named.filter(({ name }) => found.get(name) === false);
}

const finding = ({ block, option, name }: Named, what: string, severity: Finding['severity']): Finding => ({
  severity,
  code: 'REFERENCE_UNKNOWN',
  message: `"${block.tag}" names the ${what} "${name}", which the policy does not have.`,
  path: `${block.path}/${option}`,
  block: block.uuid,
  tag: block.tag,
});
