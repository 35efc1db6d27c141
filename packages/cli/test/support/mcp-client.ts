/** A client of `blockwork mcp`, with the official SDK, over the streams of a process. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export interface ToolAnswer {
  readonly isError: boolean;
  readonly bytes: number;
  /** The JSON that the tool answers with. */
  readonly value: Readonly<Record<string, unknown>>;
}

export interface ToolClient {
  readonly client: Client;
  /** Rejects where the tool reports an error. */
  readonly call: (tool: string, input?: object) => Promise<Readonly<Record<string, unknown>>>;
  /** With errors as they come. */
  readonly answer: (tool: string, input?: object) => Promise<ToolAnswer>;
  /** What the process has written to standard error. */
  readonly errors: () => string;
  readonly close: () => Promise<void>;
}

export async function toolClient(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ToolClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: 'pipe',
  });
  let errors = '';
  transport.stderr?.on('data', (bytes: Buffer) => (errors += bytes.toString()));
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const answer = async (tool: string, input: object = {}): Promise<ToolAnswer> => {
    const result = await client.callTool({ name: tool, arguments: { ...input } });
    const [content] = result.content as readonly { readonly text?: string }[];
    const text = content?.text ?? '';
    return {
      isError: result.isError === true,
      bytes: Buffer.byteLength(text),
      value: JSON.parse(text) as object as never,
    };
  };
  return {
    client,
    answer,
    call: async (tool, input) => {
      const { isError, value } = await answer(tool, input);
      if (isError) throw new Error(`${tool}: ${JSON.stringify(value)}`);
      return value;
    },
    errors: () => errors,
    close: () => client.close(),
  };
}
