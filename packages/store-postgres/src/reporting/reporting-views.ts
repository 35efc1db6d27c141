/** Creates the views for reporting in a schema of their own, or updates them. */
import { checkOptions, demandObject, optionTypes, type OptionsOf } from '@blockwork/core/adapter';
import { DEFAULT_SCHEMA, schemaOption, type PostgresStoreOptions } from '../options.js';
import { tablesIn } from '../schema/tables.js';
import { toolSession, withNamedFailures } from '../tools/tool-session.js';
import { viewsOver, type View } from './views.js';

const printShape = {
  /** The schema of the store. Default `blockwork`. */
  schema: schemaOption,
  /** The schema of the views. Default: that of the store with `_report` behind it. */
  into: optionTypes.satisfying<string>(
    (name) => typeof name === 'string' && /^(?!pg_)[a-z_][a-z0-9_]{0,59}$/.test(name),
    'must be 1 to 60 small letters, digits and underscores, and not begin with a digit or pg_',
  ),
};

export type ReportingOptions = OptionsOf<typeof printShape>;

/**
 * The SQL of the views, as one transaction to be run by an administrator. It can be run again: views that exist are updated and keep
 * their privileges. Throws `OPTION_INVALID`.
 *
 * @example await writeFile('report.sql', printReportingViews());
 */
export function printReportingViews(options: ReportingOptions = {}): string {
  checkOptions(options, printShape, 'printReportingViews: ');
  return ['begin;', ...statementsOf(options).map((statement) => `${statement};`), 'commit;', ''].join('\n');
}

/**
 * Creates or updates the views, after the schema of the store was migrated if needed. Resolves to their schema and names. Rejects with
 * `OPTION_INVALID`, and with `STORE_UNAVAILABLE`, also where the role may not create them.
 *
 * @example await createReportingViews({ address: process.env.DATABASE_URL });
 */
export async function createReportingViews(
  options: PostgresStoreOptions & Pick<ReportingOptions, 'into'>,
): Promise<{ readonly schema: string; readonly views: readonly string[] }> {
  demandObject(options, 'createReportingViews', 'options', 'the address of a database');
  const { into, ...storeOptions } = options;
  checkOptions({ into }, printShape, 'createReportingViews: ');
  const session = await toolSession(storeOptions);
  try {
    const { schema } = session.options;
    const places = { schema, into: into ?? reportSchemaOf(schema) };
    await withNamedFailures(() => session.client.query(['begin', ...statementsOf(places), 'commit'].join(';\n')));
    return { schema: places.into, views: viewsOver(session.tables).map(({ name }) => name) };
  } finally {
    await session.close();
  }
}

const reportSchemaOf = (schema: string): string => `${schema}_report`;

function statementsOf({ schema = DEFAULT_SCHEMA, into = reportSchemaOf(schema) }: ReportingOptions): string[] {
  return [
    `create schema if not exists "${into}"`,
    ...viewsOver(tablesIn(schema)).map((view) => statementOf(view, into)),
  ];
}

function statementOf({ name, columns, from }: View, into: string): string {
  const listed = Object.entries(columns).map(([column, expression]) => `  ${expression} as ${column}`);
  return `create or replace view "${into}".${name} as\nselect\n${listed.join(',\n')}\nfrom ${from}`;
}
