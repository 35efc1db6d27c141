/** Formats of identifiers, versions and timestamps (interface, section "Resources and their fields"). */
import { z } from 'zod';

/** Topic identifier `<a>.<b>.<c>`, for instance `0.0.4812345`. */
export const topicId = z
  .string()
  .max(64)
  .regex(/^\d+\.\d+\.\d+$/, 'must be a topic identifier of the form <a>.<b>.<c>');

/** Message identifier `<seconds>.<nanoseconds>`: kept as text, since it does not fit a number. */
export const messageId = z
  .string()
  .max(64)
  .regex(/^\d+\.\d+$/, 'must be a message identifier of the form <digits>.<digits>');

/** Version `<major>.<minor>.<patch>`. */
export const version = z
  .string()
  .max(64)
  .regex(/^\d+\.\d+\.\d+$/, 'must be a version of the form <major>.<minor>.<patch>');

/** Any UUID by shape; real files carry version and variant bits outside RFC 9562. */
export const uuid = z.guid();

/** ISO 8601 timestamp in UTC, for instance `2026-03-14T09:26:53.589Z`. */
export const timestamp = z.iso.datetime();

/** The UUID that stands for "none" where the interface requires one (`projectSchema` of a policy without). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
