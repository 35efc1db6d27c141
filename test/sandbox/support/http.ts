/** Requests as clients of the reference send them: also forms, and bodies of GETs. */
import { request } from 'node:http';

export interface Sent {
  readonly token?: string | undefined;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array;
  /** By their names, in the field `artifacts` of a multipart form. */
  readonly files?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Got {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as JSON; `null` if there is none. */
  readonly body: ReturnType<typeof JSON.parse>;
}

const BOUNDARY = '----blockwork';

const multipart = (files: Readonly<Record<string, string>>): string =>
  [
    ...Object.entries(files).map(
      ([name, content]) =>
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="artifacts"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n`,
    ),
    `--${BOUNDARY}--\r\n`,
  ].join('');

export function send(
  method: string,
  url: string,
  { token, json, form, bytes, files, headers = {} }: Sent = {},
): Promise<Got> {
  const type =
    json !== undefined
      ? 'application/json'
      : form !== undefined
        ? 'application/x-www-form-urlencoded'
        : bytes !== undefined
          ? 'binary/octet-stream'
          : files !== undefined
            ? `multipart/form-data; boundary=${BOUNDARY}`
            : undefined;
  const body =
    json !== undefined
      ? JSON.stringify(json)
      : form !== undefined
        ? new URLSearchParams(form).toString()
        : files !== undefined
          ? multipart(files)
          : bytes;
  const all = {
    ...(type && { 'content-type': type }),
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { statusCode = 0 } = response;
        const isJson = (response.headers['content-type'] ?? '').startsWith('application/json');
        resolve({ status: statusCode, text, headers: response.headers, body: isJson ? JSON.parse(text) : null });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
