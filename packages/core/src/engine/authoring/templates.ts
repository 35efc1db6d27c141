/** What new policies can begin as. */
import { invalidOption } from '../../options/index.js';
import { isObject } from '../../records/index.js';

export interface PolicyTemplate {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A policy as for `importPolicy`, without ids of blocks. */
  readonly policy: Readonly<Record<string, unknown>>;
}

/** Templates, or a function that resolves to them: it is called each time when somebody asks. */
export type PolicyTemplates = readonly PolicyTemplate[] | (() => Promise<readonly PolicyTemplate[]>);

const empty: PolicyTemplate = {
  name: 'empty',
  title: 'Empty policy',
  description: 'A page that is open to everybody, with nothing on it.',
  policy: {
    description: '',
    policyRoles: [],
    config: { blockType: 'interfaceContainerBlock', tag: 'page', permissions: ['ANY_ROLE'], children: [] },
  },
};

/** Resolves to `empty` and those given; one given under that name replaces it. A list is checked at once, and throws `OPTION_INVALID`. */
export function policyTemplates(ownTemplates: PolicyTemplates = []): () => Promise<readonly PolicyTemplate[]> {
  if (typeof ownTemplates === 'function') return async () => checked(await ownTemplates());
  const templates = checked(ownTemplates);
  return () => Promise.resolve(templates);
}

function checked(ownTemplates: readonly PolicyTemplate[]): readonly PolicyTemplate[] {
  const templates = new Map([[empty.name, empty]]);
  for (const [index, template] of ownTemplates.entries()) {
    const option = `templates.${String(index)}`;
    for (const member of ['name', 'title', 'description'] as const) {
      if (typeof template[member] !== 'string') throw invalidOption(`${option}.${member}`, 'must be a string');
    }
    if (!isObject(template.policy)) throw invalidOption(`${option}.policy`, 'must be a policy as a JSON object');
    templates.set(template.name, template);
  }
  return [...templates.values()];
}
