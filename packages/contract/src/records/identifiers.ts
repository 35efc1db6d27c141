/** Formats of identifiers, versions and timestamps (interface, section "Resources and their fields"). */
import { z } from 'zod';

/** Any UUID by shape: policy files have version bits unknown to RFC 9562. */
export const uuid = z.guid();
export const timestamp = z.iso.datetime();

const formatted = (pattern: RegExp, form: string) => z.string().max(64).regex(pattern, `must be ${form}`);

export const topicId = formatted(/^\d+\.\d+\.\d+$/, 'a topic identifier of the form <a>.<b>.<c>');
export const messageId = formatted(/^\d+\.\d+$/, 'a message identifier of the form <digits>.<digits>');
export const version = formatted(/^\d+\.\d+\.\d+$/, 'a version of the form <major>.<minor>.<patch>');
