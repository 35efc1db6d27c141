/** The closed enumerations of the interface, in one place. */
import { z } from 'zod';

export const policyStatus = z.enum(['DRAFT', 'DRY-RUN', 'PUBLISH', 'PUBLISH_ERROR', 'DISCONTINUED', 'DEMO', 'VIEW']);
export const testStatus = z.enum(['New', 'Running', 'Stopped', 'Success', 'Failure']);
export const tokenType = z.enum(['fungible', 'non-fungible']);
export const memoObject = z.enum(['topic', 'doc']);
export const groupAccessType = z.enum(['Private', 'Global']);
export const groupRelationshipType = z.enum(['Single', 'Multiple']);
export const requestStatus = z.enum(['NEW', 'COMPLETED', 'REJECTED', 'CANCELED', 'ERROR', 'EXPIRED']);

export type PolicyStatus = z.infer<typeof policyStatus>;
export type TokenType = z.infer<typeof tokenType>;
export type RequestStatus = z.infer<typeof requestStatus>;
