/** `@blockwork/contract/file-types`: the media types of the files that routes take and give. */

export const ZIP = 'application/zip';
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const CSV = 'text/csv';
export const OCTETS = 'application/octet-stream';
export const TEXT = 'text/plain';

/** An answer of one of these types is a file: bytes, and no JSON. */
export const fileTypes = [ZIP, XLSX, CSV, OCTETS, TEXT] as const;

export type FileType = (typeof fileTypes)[number];

/** The type of the file that a `Content-Type` announces; `undefined` for anything else. */
export function fileTypeOf(contentType: string | null | undefined): FileType | undefined {
  const [type = ''] = (contentType ?? '').split(';', 1);
  return fileTypes.find((each) => each === type.trim().toLowerCase());
}
