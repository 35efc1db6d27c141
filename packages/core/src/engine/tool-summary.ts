/** What a caller is told of a tool. */
import type { ToolRecord } from '../records/index.js';

/** An imported tool, without its blocks. */
export type ToolSummary = Pick<ToolRecord, 'messageId' | 'hash' | 'name' | 'description'>;

export const toolSummary = ({ messageId, hash, name, description }: ToolRecord): ToolSummary => ({
  messageId,
  hash,
  name,
  description,
});

export const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
