/** How the answers of interface blocks begin. */
export { heading } from '@blockwork/core/block';
