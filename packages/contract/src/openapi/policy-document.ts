/** The blocks of one policy as an OpenAPI 3.1 document: their input, their output, and the roles that may call them. */
import { z } from 'zod';
import { refusalNames, refusals } from '../answers.js';
import { contract, DEFAULT_PREFIX } from '../contract.js';
import type { Route } from '../route.js';
import { security, sharedHeaders } from './common-components.js';
import type { OpenApiDocument } from './document.js';
import { relocated, SchemaWriter, type JsonSchema } from './json-schema.js';
import { operation, sharedResponse } from './operation.js';

/** A block, as `engine.getInterface` and `readPolicy` describe it. */
export interface DescribedBlock {
  readonly uuid: string;
  readonly tag: string | null;
  readonly blockType: string;
  readonly title: string;
  readonly description: string;
  readonly roles: readonly string[];
  readonly takes: JsonSchema | null;
  readonly shows: JsonSchema | null;
}

export interface DescribedPolicy {
  /** Absent for a policy that is not imported yet, whose id becomes a parameter. */
  readonly id?: string;
  readonly name: string;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly interface: {
    readonly blocks: readonly DescribedBlock[];
    /** Schemas that the blocks reference as `#/$defs/<name>`. */
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

type Facts = Readonly<Record<string, unknown>>;

/**
 * Addresses blocks by tag, or by id if they have none. Operations are grouped by role, and list their roles in
 * `x-roles`.
 *
 * @example
 * const { name, interface: described } = await readPolicy(file, { blocks: standardBlocks() });
 * policyOpenApiDocument({ name, interface: described() });
 */
export function policyOpenApiDocument(
  { id, name, version, description, interface: { blocks, schemas } }: DescribedPolicy,
  { prefix = DEFAULT_PREFIX }: { readonly prefix?: string } = {},
): OpenApiDocument {
  const writer = new PolicyWriter(id, prefix);
  const paths: Record<string, Record<string, Facts>> = {};
  const names = operationNames(blocks);
  for (const [at, block] of blocks.entries()) paths[writer.path(block)] = writer.operations(block, names[at] ?? '');
  const responses = writer.responses();
  const renamed = renames(Object.keys(schemas), writer.schemas.named);
  const document = {
    openapi: '3.1.0',
    info: {
      title: name === '' ? 'Policy' : name,
      version: version === undefined || version === '' ? 'draft' : version,
      ...(description === undefined || description === '' ? {} : { description }),
    },
    servers: [{ url: '/' }],
    tags: [...new Set(blocks.flatMap(({ roles }) => roles))].map((role) => ({ name: role })),
    paths: relocated(paths, renamed),
    components: {
      schemas: {
        ...writer.schemas.named,
        ...Object.fromEntries(
          Object.entries(schemas).map(([each, schema]) => [renamed.get(each) ?? each, relocated(schema, renamed)]),
        ),
      },
      responses,
      parameters: writer.parameters,
      headers: sharedHeaders,
      securitySchemes: security,
    },
  };
  return document as OpenApiDocument;
}

const { readBlockByTag, sendToBlockByTag, readBlock, sendToBlock } = contract;

class PolicyWriter {
  readonly schemas = new SchemaWriter();
  readonly parameters: Record<string, Facts> = {};
  readonly #commonParts = new Map<Route, CommonParts>();

  constructor(
    private readonly policyId: string | undefined,
    private readonly prefix: string,
  ) {}

  path({ tag, uuid }: DescribedBlock): string {
    const policy = this.policyId === undefined ? '{policyId}' : encodeURIComponent(this.policyId);
    const block = tag === null ? `blocks/${uuid}` : `tag/${encodeURIComponent(tag)}/blocks`;
    return `${this.prefix}/policies/${policy}/${block}`;
  }

  operations(block: DescribedBlock, name: string): Record<string, Facts> {
    const { tag, takes, shows } = block;
    const [read, send] = tag === null ? [readBlock, sendToBlock] : [readBlockByTag, sendToBlockByTag];
    return {
      ...(shows === null ? {} : { get: this.#operation(`read${name}`, block, read, shows) }),
      ...(takes === null ? {} : { post: this.#operation(`send${name}`, block, send, null, takes) }),
    };
  }

  /** The error responses that the operations written so far reference. */
  responses(): Record<string, Facts> {
    const statuses = new Set([...this.#commonParts.keys()].flatMap(({ answers }) => Object.keys(answers)));
    return Object.fromEntries(
      Object.entries(refusals)
        .filter(([status]) => statuses.has(status))
        .map(([status, answer]) => [
          refusalNames[Number(status) as keyof typeof refusalNames],
          sharedResponse(answer, this.schemas),
        ]),
    );
  }

  #operation(
    operationId: string,
    { title, description, blockType, tag, uuid, roles }: DescribedBlock,
    route: Route,
    shows: JsonSchema | null,
    takes: JsonSchema | null = null,
  ): Facts {
    const { parameters, responses, ...written } = this.#common(route, shows !== null);
    return {
      ...written,
      operationId,
      tags: roles,
      summary: title,
      description: `${description}${description === '' ? '' : ' '}(${blockType} ${tag ?? uuid}, for ${roles.join(', ')})`,
      'x-roles': roles,
      parameters,
      ...(takes === null
        ? {}
        : { requestBody: { required: true, content: { 'application/json': { schema: takes } } } }),
      responses: {
        ...responses,
        ...(shows === null ? {} : { 200: { ...responses[200], content: { 'application/json': { schema: shows } } } }),
      },
    };
  }

  /** The shared part of all operations of a route; each adds its own input and output. */
  #common(route: Route, isRead: boolean): CommonParts {
    const cached = this.#commonParts.get(route);
    if (cached !== undefined) return cached;
    const { policyId } = route.params;
    const success = route.answers[200];
    const params = this.policyId === undefined && policyId !== undefined ? { policyId } : {};
    const answers = isRead && success ? { ...route.answers, 200: { ...success, schema: z.unknown() } } : route.answers;
    const written = operation('', '', { ...route, params, answers, body: { kind: 'none' } }, this.schemas);
    const { parameters = [], responses, ...rest } = written as Facts & Partial<CommonParts>;
    const parts = { ...rest, parameters: parameters.map((each) => this.#shared(each)), responses: responses ?? {} };
    this.#commonParts.set(route, parts);
    return parts;
  }

  #shared(parameter: Facts): Facts {
    const name = String(parameter['name']);
    this.parameters[name] = parameter;
    return { $ref: `#/components/parameters/${name}` };
  }
}

interface CommonParts {
  readonly parameters: readonly Facts[];
  readonly responses: Readonly<Record<number, Facts>>;
}

/** Derives identifiers from tags, numbering duplicates. */
function operationNames(blocks: readonly DescribedBlock[]): string[] {
  const used = new Set<string>();
  return blocks.map(({ tag, blockType }) => {
    const words = (tag ?? blockType).match(/[A-Za-z0-9]+/g) ?? ['Block'];
    const base = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    let name = base;
    for (let number = 2; used.has(name); number += 1) name = `${base}_${String(number)}`;
    used.add(name);
    return name;
  });
}

/** New names for the policy's schemas whose names clash with those of the interface. */
function renames(names: readonly string[], takenNames: Readonly<Record<string, unknown>>): Map<string, string> {
  const used = new Set([...names, ...Object.keys(takenNames)]);
  const renamed = new Map<string, string>();
  for (const name of names.filter((each) => Object.hasOwn(takenNames, each))) {
    let candidate = `${name}_document`;
    for (let number = 2; used.has(candidate); number += 1) candidate = `${name}_document_${String(number)}`;
    used.add(candidate);
    renamed.set(name, candidate);
  }
  return renamed;
}
