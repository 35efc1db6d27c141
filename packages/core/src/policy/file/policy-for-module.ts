/** Reads a `.module` file as a policy containing only the module, so that a module can be tried on its own. */
import { isObject } from '../../records/index.js';
import { moduleVariables } from '../model/module.js';
import { quote } from '../model/quote.js';
import { fileInvalid } from './limits/file-errors.js';
import { NEWEST_CODE_VERSION } from './migrations/code-version.js';

/** JSON pointer of the module in the configuration of the policy around it. */
export const MODULE_PATH = '/children/1';

const special = new Set(['ANY_ROLE', 'OWNER', 'NO_ROLE']);

/**
 * The JSON of the policy. The module's variables have no values, so each name stands for itself: role and topic
 * variables become roles and topics of the policy.
 * @param module the JSON of `module.json`. @throws POLICY_FILE_INVALID.
 */
export function policyForModule(module: unknown): Record<string, unknown> {
  if (!isObject(module)) throw fileInvalid(`module.json holds ${quote(module)}, not a module`);
  const { name, description, config } = module;
  if (!isObject(config) || config['blockType'] !== 'module') {
    throw fileInvalid('the root block of module.json is not a module', '/config');
  }
  const variables = moduleVariables(config);
  const namesOf = (type: string): string[] =>
    variables.filter((variable) => variable.type === type).map((variable) => variable.name);
  const roles = new Set([...namesOf('Role'), ...permissionsIn(config).filter((role) => !special.has(role))]);
  return {
    name,
    description,
    codeVersion: NEWEST_CODE_VERSION,
    policyRoles: [...roles],
    policyTopics: namesOf('Topic').map((topic) => ({ name: topic })),
    config: {
      blockType: 'interfaceContainerBlock',
      permissions: ['ANY_ROLE'],
      children: [roleChoice(roles), { ...config, defaultActive: true, permissions: usedBy(config) }],
    },
  };
}

const roleChoice = (roles: ReadonlySet<string>): Record<string, unknown> => ({
  blockType: 'policyRolesBlock',
  tag: 'choose_role',
  permissions: ['NO_ROLE'],
  defaultActive: true,
  stopPropagation: true,
  roles: [...roles],
});

/** A module leaves its permissions to the enclosing policy. */
const usedBy = ({ permissions }: Record<string, unknown>): unknown =>
  Array.isArray(permissions) && permissions.length > 0 ? permissions : ['ANY_ROLE'];

/** Depth first, without recursion: the depth of the file is not checked yet. */
function permissionsIn(config: Record<string, unknown>): string[] {
  const found: string[] = [];
  const open: unknown[] = [config];
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (!isObject(block)) continue;
    const { permissions, children } = block;
    if (Array.isArray(permissions)) found.push(...permissions.filter((role) => typeof role === 'string'));
    if (Array.isArray(children)) open.push(...(children as unknown[]));
  }
  return found;
}
