/** A policy from any kind of file, as one JSON value and the files that JSON does not hold. */
import type { BlockSource, EventSource, SchemaRecord } from '../../../records/index.js';
import { readPolicyFile } from '../read-file.js';
import { readPolicyJson } from '../read-json.js';
import type { ReadPolicyOptions } from '../assemble-policy.js';
import type { PolicyFacts } from '../parts/policy-facts.js';
import { unpackArchive } from '../archive-files.js';

export interface PolicyAsJson {
  /** In the newest format. Read again, as a value or as the text of a `.policy.json`, it gives the same policy. */
  readonly policy: Readonly<Record<string, unknown>>;
  /** By their names in the archive: artifacts, tools, tests. Empty unless it was one. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** @throws POLICY_FILE_INVALID, POLICY_FILE_TOO_LARGE. */
export function policyAsJson(source: unknown, { ids, ...limits }: ReadPolicyOptions): PolicyAsJson {
  const newIds = new Set<string>();
  const uuid = (): string => {
    const id = ids.uuid();
    newIds.add(id);
    return id;
  };
  const options = { ...limits, ids: { uuid } };
  const bytes = source instanceof Uint8Array ? source : undefined;
  const bundle = bytes === undefined ? readPolicyJson(source, options) : readPolicyFile(bytes, options);
  const { about, config, schemas, tokens } = bundle;
  return {
    policy: {
      ...writtenFacts(about),
      ...(schemas.length > 0 && { schemas: schemas.map(writtenSchema) }),
      ...(tokens.length > 0 && { tokens: tokens.map(({ source }) => source) }),
      config: writtenBlock(config, newIds),
    },
    files: bytes === undefined || bundle.archived !== true ? new Map() : otherFiles(bytes, options),
  };
}

function writtenFacts({ projectSchemaIri, extra, ...about }: PolicyFacts): Record<string, unknown> {
  const facts = Object.entries(about).filter(([, value]) => !isEmpty(value));
  return { ...Object.fromEntries(facts), ...(projectSchemaIri && { projectSchema: projectSchemaIri }), ...extra };
}

const writtenSchema = ({ id, document, source }: SchemaRecord): object => ({
  iri: id,
  ...source,
  ...(document !== null && { document }),
});

/** Without members that every reader completes, and no block type demands. */
function writtenBlock(written: BlockSource, newIds: ReadonlySet<string>): object {
  const { id, blockType, tag, permissions, events, innerEvents, children, ...block } = written;
  const { defaultActive, dependencies, ...options } = block;
  return {
    ...(!newIds.has(id) && { id }),
    blockType,
    tag,
    permissions,
    ...(defaultActive && { defaultActive }),
    ...(dependencies.length > 0 && { dependencies }),
    ...options,
    ...(innerEvents !== undefined && { innerEvents: innerEvents.map(writtenLink) }),
    ...(events.length > 0 && { events: events.map(writtenLink) }),
    ...(children.length > 0 && { children: children.map((child) => writtenBlock(child, newIds)) }),
  };
}

const writtenLink = ({ actor, disabled, ...link }: EventSource): object => ({
  ...link,
  ...(actor !== null && { actor }),
  ...(disabled && { disabled }),
});

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** Of an archive; its policy, schemas and tokens are in the JSON. */
function otherFiles(bytes: Uint8Array, { limits }: ReadPolicyOptions): Map<string, Uint8Array> {
  const files = [...unpackArchive(bytes, limits)].filter(
    ([name]) => !/^(policy|module)\.json$|^(schem[ae]s|tokens)\/.+\.json$|^proof\.json$/.test(name),
  );
  return new Map(files);
}
