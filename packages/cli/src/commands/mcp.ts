/** `blockwork mcp`: tools for programs that write policies, by the Model Context Protocol over standard input and output. */
import { textOption, type CommandInput, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import type { Io } from '../line/io.js';
import { FolderWorkspace } from '../mcp/folder/folder-workspace.js';
import { serveTools } from '../mcp/serve-tools.js';
import { ServerWorkspace } from '../mcp/server-workspace.js';
import { catalogueTools } from '../mcp/tools/catalogue-tools.js';
import { comparingTools } from '../mcp/tools/comparing-tools.js';
import { editingTools } from '../mcp/tools/editing-tools.js';
import { publishPolicy } from '../mcp/tools/publishing-tools.js';
import { readingTools } from '../mcp/tools/reading-tools.js';
import { trialTools } from '../mcp/tools/trial-tools.js';
import type { Workspace } from '../mcp/workspace.js';

const tools = [...catalogueTools, ...readingTools, ...editingTools, ...trialTools, ...comparingTools];

export const run: CommandRun = async (input, io) => {
  const mayPublish = input.options['allowPublish'] === true;
  const workspace = await workspaceOf(input, io, mayPublish);
  try {
    const session = { workspace, originals: new Map<string, Uint8Array | object>() };
    await serveTools(mayPublish ? [...tools, publishPolicy] : tools, session, io);
  } finally {
    await workspace.close();
  }
  return exitCodes.ok;
};

async function workspaceOf(input: CommandInput, io: Io, mayPublish: boolean): Promise<Workspace> {
  const [folder, server] = [textOption(input, 'folder'), textOption(input, 'server')];
  if ((folder === undefined) === (server === undefined)) {
    throw usage('Name either a folder of policy files with --folder, or a server with --server.', 'OPTION_INVALID');
  }
  if (folder !== undefined) {
    if (mayPublish)
      throw usage('Policies are published on a server: --allow-publish needs --server.', 'OPTION_INVALID');
    return FolderWorkspace.open(folder);
  }
  const token = io.env['BLOCKWORK_TOKEN'];
  if (token === undefined || token.trim() === '') {
    throw usage('The server requires a token: set BLOCKWORK_TOKEN. See "blockwork token".', 'TOKEN_MISSING');
  }
  return new ServerWorkspace(server ?? '', token);
}

const usage = (message: string, code: string): CommandError => new CommandError(exitCodes.usage, message, code);
