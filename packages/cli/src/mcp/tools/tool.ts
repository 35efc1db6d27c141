/** A tool: its description as data, and what it does. */
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Workspace } from '../workspace.js';

/** What the tools of one connection share. */
export interface Session {
  readonly workspace: Workspace;
  /** Each policy as it was before the first edit of this connection. */
  readonly originals: Map<string, Uint8Array | object>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly hints: ToolAnnotations;
  /** What to ask for where the answer would be too large. */
  readonly narrower: string;
  readonly run: (input: never, session: Session) => Promise<unknown>;
}

interface TypedTool<Input extends z.ZodObject> extends Omit<Tool, 'input' | 'run' | 'hints' | 'narrower'> {
  readonly input: Input;
  readonly hints: ToolAnnotations;
  readonly narrower?: string;
  readonly run: (input: z.output<Input>, session: Session) => Promise<unknown>;
}

/** Keeps the type of the input between its schema and `run`. */
export const tool = <Input extends z.ZodObject>(typed: TypedTool<Input>): Tool => ({
  narrower: 'Ask for less.',
  ...typed,
});

export const reads: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
export const changes: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
