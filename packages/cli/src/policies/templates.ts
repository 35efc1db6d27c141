/** What new policies can begin with: the templates of projects, as those of policies. */
import type { Logger, PolicyTemplate } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { projectFiles, templates, type TemplateName } from 'create-blockwork';
import { policyValue } from './read-source.js';
import { TemplateFolder } from './template-folder.js';

/** Those that hold a policy as JSON, and nothing that it needs beside it. */
const offered = ['form-approve-mint', 'registry', 'json'] as const satisfies readonly TemplateName[];

export async function policyTemplates(): Promise<readonly PolicyTemplate[]> {
  return Promise.all(
    offered.map(async (name) => {
      const file = 'policy.policy.json';
      const policy = policyValue((await projectFiles('policy', name)).get(file) ?? '{}', file);
      const { title } = templates[name];
      return { name, title, description: title, policy: isObject(policy) ? policy : {} };
    }),
  );
}

/**
 * Those that come with the package, read when somebody first asks for one, and those of the folder; of two with one name, that of the
 * folder.
 */
export function offeredTemplates(folder: string | undefined, logger: Logger): () => Promise<readonly PolicyTemplate[]> {
  const own = folder === undefined ? undefined : new TemplateFolder(folder, logger);
  let packed: Promise<readonly PolicyTemplate[]> | undefined;
  return async () => {
    packed ??= policyTemplates();
    return [...(await packed), ...((await own?.list()) ?? [])];
  };
}
