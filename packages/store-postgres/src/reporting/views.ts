/** The views for reporting: their names, their columns and the SQL behind each. They are an interface; the tables are none. */
import type { Tables } from '../schema/tables.js';

/** Column names with the SQL of each, over `content`, the record as `jsonb`, and `partition`, its policy. */
type Columns = Readonly<Record<string, string>>;

export interface View {
  readonly name: string;
  readonly columns: Columns;
  /** What the columns are read from. */
  readonly from: string;
}

const text = (path: string): string => `content ->> '${path}'`;
const instant = (path: string): string => `(content ->> '${path}')::timestamptz`;
const length = (list: string): string => `jsonb_array_length(content ${list})`;

/**
 * JSON has what `jsonb` refuses, NUL and lone surrogates, as escapes: each becomes U+FFFD. An escape begins with a backslash that is not
 * itself escaped. The store writes pairs of surrogates as themselves, so that every escaped one is alone.
 */
const escapes = String.raw`'(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})'`;
const parsed = (body: string): string =>
  String.raw`(case when position('\u' in ${body}) = 0 then ${body} else regexp_replace(${body}, ${escapes}, '\1\\ufffd', 'g') end)::jsonb`;

/** `offset 0` keeps the planner from parsing a record once for each column that is asked for. */
const rows = (table: string, condition = ''): string =>
  `(select partition, content from ${table} as record cross join lateral (select ${parsed('record.body')} as content offset 0) as parsed${condition})`;

const records = ({ record }: Tables, kind: string): string => rows(record, ` where kind = '${kind}'`);

/** New columns come last: a view that exists can only grow at its end. */
export const viewsOver = (tables: Tables): readonly View[] => [
  {
    name: 'policies',
    columns: {
      policy_id: text('id'),
      uuid: text('uuid'),
      name: text('name'),
      version: text('version'),
      status: text('status'),
      owner: text('owner'),
      topic_id: text('topicId'),
      created_at: instant('createDate'),
    },
    from: `${records(tables, 'policy')} as stored`,
  },
  {
    name: 'documents',
    columns: {
      policy_id: 'partition',
      document_id: text('id'),
      collection: text('dataType'),
      type: text('type'),
      schema: text('schema'),
      status: `content #>> '{option,status}'`,
      owner: text('owner'),
      owner_group: text('group'),
      assigned_to: text('assignedTo'),
      created_at: instant('createDate'),
      updated_at: instant('updateDate'),
      message_id: text('messageId'),
      hash: text('hash'),
      subject: `content #> '{document,credentialSubject,0}'`,
      document: `content -> 'document'`,
      options: `content -> 'option'`,
    },
    from: `${rows(tables.document)} as stored`,
  },
  {
    name: 'members',
    columns: {
      policy_id: 'partition',
      did: text('did'),
      username: text('username'),
      role: text('role'),
      group_id: text('uuid'),
      group_name: text('groupName'),
      is_active: `(content ->> 'active')::boolean`,
      joined_at: instant('createDate'),
    },
    from: `${records(tables, 'membership')} as stored`,
  },
  {
    name: 'mints',
    columns: {
      policy_id: 'partition',
      effect_id: text('id'),
      minted_at: instant('at'),
      token_id: text('tokenId'),
      account_id: text('accountId'),
      amount: `(content ->> 'amount')::numeric`,
      units: `(content ->> 'units')::numeric`,
      serials: `content -> 'serials'`,
      memo: text('memo'),
    },
    from: `${records(tables, 'ledger-effect')} as stored where ${text('type')} = 'mint'`,
  },
  {
    name: 'balances',
    columns: {
      policy_id: 'stored.partition',
      token_id: `stored.content ->> 'tokenId'`,
      token_name: `token.content ->> 'tokenName'`,
      token_symbol: `token.content ->> 'tokenSymbol'`,
      account_id: `stored.content ->> 'accountId'`,
      amount: `(stored.content ->> 'balance')::numeric * ('1e-' || (token.content ->> 'decimals'))::numeric`,
      units: `(stored.content ->> 'balance')::numeric`,
    },
    from: [
      `${records(tables, 'ledger-relation')} as stored`,
      `join ${records(tables, 'ledger-token')} as token`,
      `on token.partition = stored.partition and token.content ->> 'id' = stored.content ->> 'tokenId'`,
    ].join(' '),
  },
  {
    name: 'journal',
    columns: {
      policy_id: 'partition',
      entry_id: text('id'),
      happened_at: instant('at'),
      cause: `content #>> '{cause,type}'`,
      block_tag: `content #>> '{cause,tag}'`,
      did: `content #>> '{cause,did}'`,
      group_id: `content #>> '{cause,group}'`,
      documents_added: length(`#> '{documents,added}'`),
      documents_changed: length(`#> '{documents,changed}'`),
      documents_removed: length(`#> '{documents,removed}'`),
      ledger_effects: length(`-> 'effects'`),
      warnings: `content -> 'warnings'`,
    },
    from: `${records(tables, 'journal')} as stored`,
  },
];
