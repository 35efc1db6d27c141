/** Limits on workbooks that come from outside. */

export const workbookLimits = {
  /** Of the file, and of what it unpacks to. */
  fileBytes: 20 * 1024 * 1024,
  entryBytes: 64 * 1024 * 1024,
  totalBytes: 64 * 1024 * 1024,
  entries: 2000,
  /** The most an entry of a megabyte and more may be packed to: `1/ratio`. */
  ratio: 400,
  cells: 2_000_000,
  rows: 100_000,
  columns: 256,
  /** The limit of spreadsheet programs. */
  textCharacters: 32_767,
} as const;

export type WorkbookLimits = { readonly [Name in keyof typeof workbookLimits]: number };
