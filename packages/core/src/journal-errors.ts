/** The part of the error table about journals and their logs. */

/** What to do about a log that does not continue its witness, by the error that tells of it. */
export const logRemedies = {
  LOG_CONTRADICTED:
    'The store came back from an older backup, or was changed. Stop the server and restore the newest backup; what is lost for good, tell those who rely on it.',
  LOG_KEY_REPLACED:
    'The seed of the keys was replaced. Start the server with the seed that the store was filled with, for instance from a backup of its settings; if that is lost, give out the new key, and publish a new version, whose log begins with it.',
} as const;

export const journalErrors = {
  JOURNAL_ENTRY_UNKNOWN: {
    status: 404,
    message: 'Neither the journal of policy "{policyId}" nor its archive has an entry "{entryId}".',
  },
  LOG_UNKNOWN: { status: 404, message: 'The journal of policy "{policyId}" has no log before its next entry.' },
  LOG_TILE_UNKNOWN: {
    status: 404,
    message: 'The log of policy "{policyId}" has nothing at "{path}": no such tile, or it is not that full yet.',
  },
  LOG_CONTRADICTED: {
    status: 409,
    message: `The log of policy "{policyId}" is not the one that was witnessed in the message {messageId} ({witness}, here {log}). ${logRemedies.LOG_CONTRADICTED}`,
  },
  LOG_KEY_REPLACED: {
    status: 409,
    message: `The newest witness of the log of policy "{policyId}", the message {messageId}, is not signed with the key of this instance. ${logRemedies.LOG_KEY_REPLACED}`,
  },
  LOG_SHORTER: {
    status: 409,
    message:
      'The log of policy "{policyId}" has {size} entries and cannot continue one with {earlier}: it is another log, or the store came back from an older backup.',
  },
} as const;
