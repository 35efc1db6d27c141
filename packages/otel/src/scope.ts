/** Under which name spans and metrics are found. */
export const SCOPE = '@blockwork/otel';
