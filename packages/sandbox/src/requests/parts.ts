/** The files of a `multipart/form-data` body (RFC 7578). */
import { TransportError } from '@blockwork/http';

export interface FilePart {
  /** Of the form's field. */
  readonly field: string;
  readonly name: string;
  readonly content: Uint8Array;
}

/** More than a person chooses in a form. */
const PARTS = 100;
/** Bytes of the headers of one part. */
const HEADERS = 4096;

/** Throws `BODY_MALFORMED` for a body that is no such form, holds no file, or has too many parts. */
export function readParts(bytes: Uint8Array, type = ''): FilePart[] {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type);
  const name = boundary?.[1] ?? boundary?.[2];
  if (!/^multipart\/form-data\s*;/i.test(type) || name === undefined) {
    throw malformed('it is no form with files: send multipart/form-data');
  }
  const files = partsIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), `--${name}`).flatMap(fileIn);
  if (files.length === 0) throw malformed('there are no files to upload');
  return files;
}

/** What stands between the delimiters. */
function partsIn(body: Buffer, delimiter: string): Buffer[] {
  const parts: Buffer[] = [];
  const between = `\r\n${delimiter}`;
  let at = body.indexOf(delimiter);
  while (at !== -1) {
    const start = body.indexOf('\r\n', at + delimiter.length);
    if (body.subarray(at + delimiter.length, at + delimiter.length + 2).equals(END)) return parts;
    const end = start === -1 ? -1 : body.indexOf(between, start);
    if (end === -1) break;
    if (parts.length === PARTS) throw malformed(`it has more than ${String(PARTS)} parts`);
    parts.push(body.subarray(start + 2, end));
    at = end + 2;
  }
  throw malformed('its last part is truncated');
}

const END = Buffer.from('--');

/** None for a field that is no file. */
function fileIn(part: Buffer): FilePart[] {
  const end = part.subarray(0, HEADERS).indexOf('\r\n\r\n');
  if (end === -1) throw malformed('a part has no headers, or too long ones');
  const disposition =
    /^content-disposition: *form-data;(.*)$/im.exec(part.subarray(0, end).toString('utf8'))?.[1] ?? '';
  const name = parameterIn(disposition, 'filename');
  if (name === undefined) return [];
  const content = new Uint8Array(part.subarray(end + 4));
  return [{ field: parameterIn(disposition, 'name') ?? '', name, content }];
}

/** Clients of the web write quotes in names as `%22`. */
const parameterIn = (header: string, name: string): string | undefined =>
  new RegExp(`[; ]${name}="([^"]*)"`, 'i').exec(header)?.[1]?.replaceAll('%22', '"');

const malformed = (reason: string): TransportError => new TransportError('BODY_MALFORMED', { facts: { reason } });
