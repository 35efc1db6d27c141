/** The partition of records that belong to no policy. */
export const INSTANCE_PARTITION = 'instance';
