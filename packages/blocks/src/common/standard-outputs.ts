/** The end of most working blocks. */
export { passOn } from '@blockwork/core/block';
