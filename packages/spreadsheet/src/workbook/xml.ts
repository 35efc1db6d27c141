/** Reads the XML of a workbook, event by event. Document types, and with them entities of one's own, are refused. */
import { SaxesParser } from 'saxes';
import { WorkbookError } from './workbook-error.js';

type Attributes = Readonly<Record<string, string>>;

export interface XmlListener {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Names are without their prefixes. */
export function readXml(bytes: Uint8Array, part: string, listener: XmlListener): void {
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw new WorkbookError(
      'WORKBOOK_INVALID',
      `${part} of the workbook has a document type, which no spreadsheet needs.`,
    );
  });
  parser.on('error', (error) => {
    throw new WorkbookError('WORKBOOK_INVALID', `${part} of the workbook is not XML: ${error.message}.`, error);
  });
  parser.on('opentag', ({ name, attributes }) => {
    listener.open?.(local(name), attributes);
  });
  parser.on('text', (text) => listener.text?.(text));
  parser.on('cdata', (text) => listener.text?.(text));
  parser.on('closetag', ({ name }) => listener.close?.(local(name)));
  parser.write(new TextDecoder().decode(bytes)).close();
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);
