/** Findings about what blocks name and the policy does not have, by the references that their types declare. */
import { schemaOfTools, type OpenPolicy } from '../catalog/index.js';
import { declaredReferences, finding, type Finding, type Reference, type ReferenceTarget } from '../policy/index.js';
import type { RecordReader } from '../transactions/index.js';

/** In the order of the blocks. Each name is looked up once, however many blocks have it. */
export async function referenceFindings(records: RecordReader, policy: OpenPolicy): Promise<Finding[]> {
  const isKnown = lookupIn(records, policy);
  const known = new Map<string, boolean>();
  const findings: Finding[] = [];
  for (const block of policy.tree.blocks) {
    for (const { to, name, path, severity = 'error' } of declaredReferences(block)) {
      if (name === '') continue;
      const key = `${to} ${name}`;
      if (!known.has(key)) known.set(key, await isKnown[to](name));
      if (known.get(key) === true) continue;
      const message = `"${block.tag}" names the ${nouns[to]} "${name}", which the policy does not have.`;
      findings.push(finding(block, { code: 'REFERENCE_UNKNOWN', message, path, severity }));
    }
  }
  return findings;
}

const nouns: Readonly<Record<ReferenceTarget, string>> = {
  schema: 'schema',
  token: 'token',
  tokenTemplate: 'token template',
  topic: 'topic',
  group: 'group',
  role: 'role',
};

type Lookup = (name: Reference['name']) => boolean | Promise<boolean>;

const lookupIn = (records: RecordReader, policy: OpenPolicy): Readonly<Record<ReferenceTarget, Lookup>> => {
  const { id, view } = policy;
  const { roles, groups, topics, tokenTemplates } = view;
  return {
    schema: async (iri) =>
      (await records.get('schema', id, iri)) !== undefined || schemaOfTools(policy, iri) !== undefined,
    token: async (tokenId) => (await records.get('token', id, tokenId)) !== undefined,
    tokenTemplate: (tag) => tokenTemplates.some(({ templateTokenTag }) => templateTokenTag === tag),
    topic: (name) => topics.some((topic) => topic.name === name),
    group: (name) => groups.some((group) => group.name === name),
    role: (name) => roles.includes(name),
  };
};
