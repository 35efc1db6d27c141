/** The parts of a presentation: the action, its impacts, and the documents behind it (reference, section 7.15). */
import type { Json, JsonObject } from '@blockwork/core/block';
import { subjectOf } from '../common/subject.js';

export interface PresentationParts {
  /** The credential of the mint or retirement: the last one, if it names a token. */
  readonly action: JsonObject | undefined;
  readonly impacts: readonly JsonObject[];
  /** Credentials behind the action that are in the presentation itself. */
  readonly sources: readonly JsonObject[];
  /** Ids of documents behind the action that are stored elsewhere. */
  readonly dataSource: readonly string[];
  /** Ids of further presentations that it references. */
  readonly relationships: readonly string[];
}

export function partsOf(credentials: readonly JsonObject[]): PresentationParts {
  const last = credentials.at(-1);
  const action = last !== undefined && subjectOf(last)?.tokenId !== undefined ? last : undefined;
  const others = action === undefined ? credentials : credentials.slice(0, -1);
  const ofType = (type: string): JsonObject[] => others.filter((credential) => subjectOf(credential)?.type === type);
  const [source] = ofType('TokenDataSource').map(subjectOf);
  return {
    action,
    impacts: ofType('ActivityImpact'),
    sources: others.filter((credential) => !descriptions.includes(subjectOf(credential)?.type ?? null)),
    dataSource: textsIn(source?.dataSource),
    relationships: textsIn(source?.relationships),
  };
}

/** Types of credentials that describe the action, and are not sources of it. */
const descriptions: readonly Json[] = ['TokenDataSource', 'ActivityImpact'];

const textsIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
