/** A response, ready for a transport to send. */
import { CSV, OCTETS, TEXT, XLSX, ZIP, type FileType } from '@blockwork/contract/file-types';
import type { AnswerStream } from './event-stream.js';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `null` for none. */
  readonly body: string | Uint8Array | AnswerStream | null;
}

/** The headers of every JSON response. */
export const jsonHeaders = (requestId: string): Record<string, string> => headersOf('application/json', requestId);

/** The headers of a stream; they disable buffering in nginx. */
export const streamHeaders = (requestId: string): Record<string, string> => ({
  ...headersOf('text/event-stream', requestId),
  'X-Accel-Buffering': 'no',
});

/** Names for clients that read none with other letters than those of ASCII. */
const plainNames: Readonly<Record<FileType, string>> = {
  [ZIP]: 'policy.policy',
  [XLSX]: 'workbook.xlsx',
  [CSV]: 'documents.csv',
  [OCTETS]: 'tile.bin',
  [TEXT]: 'checkpoint.txt',
};

/** The headers of a file, which a browser saves under the given name. */
export const fileHeaders = (name: string, type: FileType, requestId: string): Record<string, string> => ({
  ...headersOf(type, requestId),
  ...(type !== CSV && type !== TEXT && { 'Content-Type': type }),
  'Content-Disposition': `attachment; filename="${plainNames[type]}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, percent)}`,
});

/** Names the policy of the path, so that proxies can send it to one node. */
export const namingPolicy = (answer: HttpAnswer, policyId: string | undefined): HttpAnswer =>
  policyId === undefined || !/^[!-~]{1,200}$/.test(policyId)
    ? answer
    : { ...answer, headers: { ...answer.headers, 'Blockwork-Policy': policyId } };

const percent = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

const headersOf = (mediaType: string, requestId: string): Record<string, string> => ({
  'Content-Type': `${mediaType}; charset=utf-8`,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'X-Request-Id': requestId,
});
