/** Whether a user sees a document at a place of the policy. */
export { rowShownBy as shownBy } from '@blockwork/core/block';
