/** `blockwork openapi`: the HTTP interface, or the blocks of one policy, as an OpenAPI document. */
import { openApiDocument, policyOpenApiDocument, type OpenApiDocument } from '@blockwork/contract';
import { textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';

/** The document is JSON either way. */
export const run: CommandRun = async (input, io) => {
  const [path] = input.args;
  const prefix = textOption(input, 'prefix') ?? '/api/v1';
  const document = path === undefined ? openApiDocument({ prefix }) : await ofPolicy(path, prefix);
  await io.write(`${JSON.stringify(document, null, 2)}\n`);
  return exitCodes.ok;
};

async function ofPolicy(path: string, prefix: string): Promise<OpenApiDocument> {
  // Without a policy, neither the engine nor its blocks are needed.
  const { openPolicyFile } = await import('../policies/open-policy.js');
  const { name, about, interface: described } = await openPolicyFile(path);
  const { version, description } = about;
  return policyOpenApiDocument({ name, version, description, interface: described() }, { prefix });
}
