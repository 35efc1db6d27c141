/** Formats of identifiers, versions and timestamps (interface, section "Resources and their fields"). */
import { z } from 'zod';

/** Any UUID by shape: policy files have version bits unknown to RFC 9562. */
export const uuid = z.guid();
/** ISO 8601 timestamp in UTC, for instance `2026-03-14T09:26:53.589Z`. */
export const timestamp = z.iso.datetime();

const formatted = (pattern: RegExp, form: string) => z.string().max(64).regex(pattern, `must be ${form}`);

/** Topic identifier `<a>.<b>.<c>`, for instance `0.0.4812345`. */
export const topicId = formatted(/^\d+\.\d+\.\d+$/, 'a topic identifier of the form <a>.<b>.<c>');
/** Message identifier `<seconds>.<nanoseconds>`: kept as text, since it does not fit a number. */
export const messageId = formatted(/^\d+\.\d+$/, 'a message identifier of the form <digits>.<digits>');
/** Version `<major>.<minor>.<patch>`. */
export const version = formatted(/^\d+\.\d+\.\d+$/, 'a version of the form <major>.<minor>.<patch>');
